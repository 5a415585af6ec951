"""Numbers as strings, templates and joined lists: native code writes what bytecode does."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

import pytest

import tsc
from tsc.runtime.context.hooks import code_making
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

from .outcomes import outcomes

SOURCE = """
def floats(values: List[float]):
    out: List[str] = []
    for v in values:
        out.append(str(v))
        out.append('{}'.format(v))
        out.append('<{}|{}>'.format(v, v * 2.0))
    return out

def templates(words: List[str], n: int, p: bool):
    out: List[str] = []
    for w in words:
        out.append('{}-{}: {}{}'.format(w, n, p, w))
        out.append('{{}}'.format(w))
        out.append('none'.format(n))
        out.append('{}'.format(w, n))
        out.append(f"{w}{n * n}")
    return out

def too_few(words: List[str]):
    out = ''
    for w in words:
        out += '{} {}'.format(w)
    return out

def joined(words: List[str], by: str):
    out: List[str] = []
    for w in words:
        own = [w, by + w, w[1:]]
        out.append(by.join(words))
        out.append(w.join(own))
        out.append(''.join(own[:i_of(own)]))
    return out

def i_of(words: List[str]) -> int:
    return len(words[0]) % 3
"""


def any_floats(count: int) -> list[float]:
    choose = random.Random(7)
    bits = [struct.unpack("d", struct.pack("Q", choose.getrandbits(64)))[0] for _ in range(count)]
    usual = [choose.gauss(0, 10.0 ** choose.randint(-8, 18)) for _ in range(count)]
    whole = [float(choose.getrandbits(choose.randint(1, 70))) for _ in range(count)]
    edges = [
        0.0,
        -0.0,
        1e16,
        1e17,
        -1e17,
        2.0**63,
        -(2.0**63),
        5e-324,
        0.1,
        1e22,
        123456789012345680.0,
    ]
    return [*edges, math.inf, -math.inf, math.nan, -math.nan, *bits, *usual, *whole]


WORDS = ["", "a", "lang", "äß", "\u0101b", "\U0001f600z"]
GIVEN: dict[str, list[tuple[Any, ...]]] = {
    "floats": [(any_floats(500),)],
    "templates": [(WORDS, n, p) for n in (0, -7, 2**63 - 1, -(2**63)) for p in (True, False)],
    "too_few": [([],), (WORDS,)],
    "joined": [(WORDS, by) for by in (*WORDS, ", ")] + [([], "-"), (["x"], "-")],
}


@pytest.mark.parametrize("name", GIVEN)
def test_written_values(name: str) -> None:
    graph = getattr(tsc.CompilationUnit(SOURCE), name).optimized_graph
    assert is_native(graph)
    assert code_making().region(graph.copy(), [])[0]
    found, expected = (outcomes(SOURCE, name, plan, GIVEN[name]) for plan in ("native", "bytecode"))
    assert found == expected
