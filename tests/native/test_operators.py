"""Operators on numbers give the same by native code as by the interpreter of bytecode, at edges of types, too."""

from __future__ import annotations

import itertools
import math
import struct
from typing import Any

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

VALUES: dict[str, list[Any]] = {
    "int": [0, 1, -1, 2, 3, -7, 63, 64, 65, -64, 10**9, 2**53 + 1, 2**62, -(2**63), 2**63 - 1],
    "float": [
        *(0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.7, 1e-310, 1e18, -9.3e18, 1e308),
        *(math.inf, -math.inf, math.nan),
    ],
    "bool": [False, True],
}
ONE = [
    *("-a", "abs(a)", "float(a)", "int(a)", "bool(a)", "round(a)", "not a", "math.floor(a)"),
    *("math.ceil(a)", "math.sqrt(a)", "math.exp(a)", "math.log(a)", "math.sin(a)", "math.cos(a)"),
    *(
        "math.tan(a)",
        "math.atan(a)",
        "math.tanh(a)",
        "math.fabs(a)",
        "math.isnan(a)",
        "math.expm1(a)",
    ),
    *(
        "math.isinf(a)",
        "math.isfinite(a)",
        "math.log1p(a)",
        "math.log2(a)",
        "math.log10(a)",
        "math.erf(a)",
    ),
    *("math.gamma(a)", "math.lgamma(a)", "math.degrees(a)", "math.radians(a)", "math.trunc(a)"),
    *("math.asin(a)", "math.sinh(a)", "math.acosh(a)", "math.factorial(a)", "~a", "a * 1 + 0"),
]
TWO = [
    *(f"a {sign} b" for sign in ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")),
    *(f"a {sign} b" for sign in ("==", "!=", "<", "<=", ">", ">=", "and", "or")),
    *("min(a, b)", "max(a, b)", "math.pow(a, b)", "math.atan2(a, b)", "math.fmod(a, b)"),
    *("math.copysign(a, b)", "math.gcd(a, b)", "math.hypot(a, b)", "math.remainder(a, b)"),
    *("math.ldexp(a, b)", "divmod(a, b)", "pow(a, b)", "a if a < b else b"),
]


def cases() -> list[tuple[str, tuple[str, ...]]]:
    """Expressions with the types of what they read."""
    found: list[tuple[str, tuple[str, ...]]] = [(each, (type,)) for each in ONE for type in VALUES]
    return found + [(each, types) for each in TWO for types in itertools.product(VALUES, repeat=2)]


def compiled(expression: str, types: tuple[str, ...]) -> Any:
    """The expression as a function with a loop, or None where the language has none such."""
    parameters = ", ".join(f"{name}: {type}" for name, type in zip("ab", types))
    source = f"""
import math
def f({parameters}, n: int):
    result = {expression}
    for i in range(n):
        result = {expression}
    return result
"""
    try:
        return tsc.CompilationUnit(source).f
    except tsc.Error:
        return None


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    """What a call gives, bit for bit, or what it says."""
    try:
        found = function(*arguments, 2)
    except tsc.Error as error:
        return str(error)
    parts = found if isinstance(found, tuple) else (found,)
    return [(type(each), _bits(each)) for each in parts]


def _bits(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return "nan" if math.isnan(value) else struct.pack("<d", value)


@pytest.mark.parametrize(("expression", "types"), cases()[::6])
def test_operators_agree(expression: str, types: tuple[str, ...]) -> None:
    check(expression, types)


@pytest.mark.slow
@pytest.mark.parametrize(("expression", "types"), cases())
def test_all_operators_agree(expression: str, types: tuple[str, ...]) -> None:
    check(expression, types)


def check(expression: str, types: tuple[str, ...]) -> None:
    function, reference = compiled(expression, types), compiled(expression, types)
    if function is None:
        return
    for arguments in itertools.product(*(VALUES[type] for type in types)):
        with chosen_plan("bytecode"):
            expected = outcome(reference, arguments)
        with chosen_plan("native"):
            assert outcome(function, arguments) == expected, arguments
