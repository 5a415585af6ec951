"""Slices of lists and strings with all kinds of bounds and steps: native code does what bytecode does."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import tsc
from tsc.runtime.context.hooks import code_making
from tsc.runtime.native.regions.groups import is_native

pytest.importorskip("llvmlite")

from .outcomes import outcomes

SOURCE = """
def of_lists(v: List[int], s: Optional[int], e: Optional[int], k: int):
    w = [x for x in v]
    out: List[List[int]] = []
    for i in range(2):
        out.append(v[s:e:k])
        out.append(w[s:e:k])
        out.append(w[::-1])
        out.append(w[s::-3])
        out.append(v[:e:-2])
    return out

def of_texts(v: str, s: Optional[int], e: Optional[int], k: int):
    out: List[str] = []
    for i in range(2):
        out.append(v[s:e:k])
        out.append(v[::-1])
        out.append(v[s:e])
        out.append(v[s::2])
    return out
"""
BOUNDS = (None, 0, 1, 3, 5, 7, -1, -3, -5, -7)
STEPS = (1, 2, -1, -2, -7, 0, -(2**63), 2**63 - 1)
GIVEN: dict[str, tuple[Any, ...]] = {
    "of_lists": ([], [7], [0, 1, 2, 3, 4]),
    "of_texts": ("", "a", "abcde", "aß\u0101\U0001f600z"),
}


@pytest.mark.parametrize("name", GIVEN)
def test_slices_with_steps(name: str) -> None:
    given = list(product(GIVEN[name], BOUNDS, BOUNDS, STEPS))
    graph = getattr(tsc.CompilationUnit(SOURCE), name).optimized_graph
    assert is_native(graph)
    assert code_making().region(graph.copy(), [])[0]
    assert outcomes(SOURCE, name, "native", given) == outcomes(SOURCE, name, "bytecode", given)
