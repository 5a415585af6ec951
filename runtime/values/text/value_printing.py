"""How a running program writes values: in ``print``, ``str`` and ``format``.

This is the notation of PyTorch's C++ side. It has no quotes, and floats have 17 significant digits
and a bare point: ``[1., 0.10000000000000001]``.
"""

from __future__ import annotations

import math
from typing import Any

from tsc.compiler.types import EnumMember
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.text.tensor_columns import format_columns


def format_value(value: IValue) -> str:
    """The text of a value."""
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    for kind, write_kind in _WRITERS.items():
        if isinstance(value, kind):
            return write_kind(value)
    return str(value)


def format_float(value: float) -> str:
    """17 significant digits; those that are 64-bit ints have all of them, and a point."""
    if value != value:
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    if -_INTS <= value < _INTS and value.is_integer():
        return f"{int(value)}."
    return f"{value:.17g}"


_INTS = 2.0**63


def format_complex(value: complex) -> str:
    """NaN has a minus between the parts, whatever its sign: it is not at least zero."""
    sign = "+" if value.imag >= 0 else "-"
    return f"{format_float(value.real)}{sign}{format_float(abs(value.imag))}j"


def _format_member(value: EnumMember) -> str:
    return f"Enum<{value}>"


def _format_list(values: list[Any]) -> str:
    return f"[{', '.join(map(format_value, values))}]"


def _format_tuple(values: tuple[Any, ...]) -> str:
    """A tuple, named or not; one of a single value has a comma."""
    comma = "," if len(values) == 1 else ""
    return f"({', '.join(map(format_value, values))}{comma})"


def _format_dictionary(values: dict[Any, Any]) -> str:
    pairs = (f"{format_value(key)}: {format_value(value)}" for key, value in values.items())
    return f"{{{', '.join(pairs)}}}"


def _format_tensor(value: Tensor) -> str:
    return format_columns(value)


_WRITERS: dict[type[Any], Any] = {
    str: str,
    bool: str,
    int: str,
    float: format_float,
    complex: format_complex,
    type(None): str,
    list: _format_list,
    tuple: _format_tuple,
    EnumMember: _format_member,
    dict: _format_dictionary,
    Tensor: _format_tensor,
}
