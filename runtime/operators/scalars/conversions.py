"""Conversions between numbers, bools and strings: ``int(x)``, ``float(x)``, ``bool(x)``,
``complex(x)``.

Those of tensors are in the tensor families; ``str(x)`` is with the strings.
"""

from __future__ import annotations

import math
import re

from tsc.runtime.arrays.integers import LARGEST, SMALLEST, truncate
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import Number

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(
    r"[+-]?(?:inf(?:inity)?|nan|0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[+-]?[0-9]+)?"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.IGNORECASE,
)

# -- To int ------------------------------------------------------------------------------------


@operator("aten::Int.bool(bool a) -> int", lowering=lowerings.by("integer"))
def int_of_bool(a: bool) -> int:
    return int(a)


@operator("aten::Int.float(float a) -> int", lowering=lowerings.by("truncated"))
def int_of_float(a: float) -> int:
    """Towards zero. What does not fit becomes the smallest int."""
    if SMALLEST < a < LARGEST:
        return int(a)
    return truncate(a)


@operator("aten::Int.Scalar(Scalar a) -> int", lowering=lowerings.whole)
def int_of_scalar(a: Number) -> int:
    if isinstance(a, complex) and a.imag == 0:
        a = a.real
    if isinstance(a, int):
        return int(a)
    if isinstance(a, float) and math.isfinite(a) and SMALLEST <= a <= LARGEST:
        return int(a)
    message = "value cannot be converted to type int without overflow"
    raise ScriptError("RuntimeError", message)


@operator("aten::Int.str(str a) -> int")
def int_of_str(a: str) -> int:
    """Decimal digits with a sign; blanks may go before them, nothing may follow."""
    digits = a.lstrip()
    if _INTEGER.fullmatch(digits):
        value = int(digits)
        if SMALLEST <= value <= LARGEST:
            return value
        raise ScriptError("RuntimeError", f"stoll: '{a}' does not fit into 64 bits")
    if _INTEGER.match(digits):
        raise ScriptError("RuntimeError", f"invalid literal for int() with base 10: '{a}'")
    raise ScriptError("RuntimeError", f"stoll: no integer at the start of '{a}'")


# -- To float ----------------------------------------------------------------------------------


@operator("aten::Float.Scalar(Scalar a) -> float", lowering=lowerings.by("real"))
def float_of_scalar(a: Number) -> float:
    return a.real if isinstance(a, complex) else float(a)


@operator(
    "aten::Float.int(int a) -> float",
    "aten::Float.bool(bool a) -> float",
    lowering=lowerings.by("real"),
)
def float_of_int(a: int) -> float:
    return float(a)


@operator("aten::Float.str(str a) -> float")
def float_of_str(a: str) -> float:
    """A decimal or hexadecimal numeral, inf or nan; blanks may go before it, nothing may follow."""
    numeral = a.lstrip()
    if _FLOAT.fullmatch(numeral):
        value = float.fromhex(numeral) if "0x" in numeral.lower() else float(numeral)
        if math.isfinite(value) or not any(letter.isdigit() for letter in numeral):
            return value
        raise ScriptError("RuntimeError", f"stod: '{a}' is out of range")
    if _FLOAT.match(numeral):
        raise ScriptError("RuntimeError", f"could not convert string to float: '{a}'")
    raise ScriptError("RuntimeError", f"stod: no number at the start of '{a}'")


# -- To bool and complex -----------------------------------------------------------------------

operator(
    "aten::Bool.int(int a) -> bool",
    "aten::Bool.float(float a) -> bool",
    lowering=lowerings.truth,
)(bool)


@operator("aten::Complex.Scalar(Scalar a) -> complex")
def complex_of_scalar(a: Number) -> complex:
    return complex(a)


@operator(
    "aten::Complex.int_bool(int x, bool y) -> complex",
    "aten::Complex.bool_int(bool x, int y) -> complex",
    "aten::Complex.float_bool(float x, bool y) -> complex",
    "aten::Complex.bool_float(bool x, float y) -> complex",
    "aten::Complex.float_int(float x, int y) -> complex",
    "aten::Complex.int_float(int x, float y) -> complex",
    "aten::Complex.int_int(int x, int y) -> complex",
    "aten::Complex.bool_bool(bool x, bool y) -> complex",
    "aten::Complex.float_float(float x, float y) -> complex",
    lowering=lowerings.by("pair_of"),
)
def complex_of_parts(x: float, y: float) -> complex:
    return complex(part(x), part(y))


def part(value: float) -> float:
    """PyTorch passes an int part through 32 bits."""
    if type(value) is int:
        return float((value + 2**31) % 2**32 - 2**31)
    return float(value)
