"""Floats as decimal digits and back: native code gives what Python does, to the last bit, whatever the digits are."""

from __future__ import annotations

import math
import random
import struct

import pytest

import tsc
from tests.native.outcomes import outcomes
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

SOURCE = """
def read(texts: List[str]):
    out: List[float] = []
    for each in texts:
        out.append(float(each))
    return out

def written(values: List[float]):
    out: List[str] = []
    for each in values:
        out.append(str(each))
    return out
"""
NUMERALS = """
0 -0 0.0 -0.0 1 1. -.5 +3 1e5 1E-5 1e+22 1e22 123456789012345678 999999999999999999 1000000000000000001
12345678901234567890 0.000000000000000000001 9007199254740993 9007199254740992.5 4503599627370496.5 0.1 1e300
1e-300 00000000000000000000001.5 1.7976931348623157e308 2.2250738585072014e-308 5e-324 4.5035996273704955
"""
OTHERS = "1e400|1e-400|abc|| 1.5|1.5 |1e|e5|-|+-1|1..2|0x1p3|inf|nan|-inf|1_0|1.5e3.2|--1|1e+-5|.|-.|1e5e5|\u0661|1\xe9"
REALS = [0.0, -0.0, 0.1, 1e-4, math.nextafter(1e-4, 0), 1e16, 1e17, math.nextafter(1e17, 0), 5e-324]
REALS += [2.0**53, 2.0**53 - 1, math.inf, -math.inf, math.nan, 1.7976931348623157e308]


def some_numerals(count: int) -> list[str]:
    """Of few and many digits, and some that lie between two floats, or as good as."""
    choose = random.Random(3)
    made = [repr(choose.uniform(-1, 1) * 10.0 ** choose.randint(-4, 15)) for _ in range(count)]
    made += [f"{choose.uniform(-100, 100):.{choose.randint(0, 18)}f}" for _ in range(count)]
    for _ in range(count):
        digits = str(
            (2 * (choose.getrandbits(52) | 1 << 52) + 1) * 5 ** (behind := choose.randint(1, 6))
        )
        made.append(f"{digits[:-behind]}.{digits[-behind:]}"[: choose.randint(10, 40)])
    return made


def some_reals(count: int) -> list[float]:
    """Of all sizes, and close to powers of ten."""
    choose = random.Random(4)
    made = [choose.uniform(-1, 1) * 10.0 ** choose.randint(-5, 17) for _ in range(count)]
    made += [round(choose.uniform(-1000, 1000), choose.randint(0, 6)) for _ in range(count)]
    made += struct.unpack(f"{count}d", choose.randbytes(8 * count))
    for power in range(-6, 19):
        for direction in (0.0, math.inf):
            made += [10.0**power, math.nextafter(10.0**power, direction)]
    return made


def test_numerals_are_read_as_python_reads_them() -> None:
    texts = NUMERALS.split()[:-3] + some_numerals(3000)
    with chosen_plan("native"):
        found = tsc.CompilationUnit(SOURCE).read(texts)
    assert list(map(float.hex, found)) == [float(each).hex() for each in texts]


def test_other_strings_are_read_or_refused_as_by_bytecode() -> None:
    calls = [([each],) for each in [*NUMERALS.split(), *OTHERS.split("|")]]
    assert outcomes(SOURCE, "read", "native", calls) == outcomes(SOURCE, "read", "bytecode", calls)


def test_floats_are_written_as_by_bytecode() -> None:
    calls = [(REALS + some_reals(3000),)]
    assert outcomes(SOURCE, "written", "native", calls) == outcomes(
        SOURCE, "written", "bytecode", calls
    )
