"""How a running program writes values: in ``print``, ``str`` and ``format``.

This is the notation of PyTorch's C++ side. It has no quotes, and floats have 17 significant digits
and a bare point: ``[1., 0.10000000000000001]``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

from tsc.compiler.types import EnumMember
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.text.tensor_columns import format_columns


def format_value(value: IValue, depth: int = 0) -> str:
    """The text of a value, in containers that are open `depth` times around it."""
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    for container, write_container in _CONTAINERS.items():
        if isinstance(value, container):
            return write_container(value, _inside(depth))
    for each, write_kind in _WRITERS.items():
        if isinstance(value, each):
            return write_kind(value)
    return str(value)


def _inside(depth: int) -> int:
    """The depth of what a container holds. Raises `ScriptError`: it may hold itself."""
    if depth == _DEEPEST:
        message = "a value is nested too deep to be written: does it hold itself?"
        raise ScriptError("RecursionError", message)
    return depth + 1


_DEEPEST: Final = 200


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


def _format_list(values: list[Any], depth: int) -> str:
    return f"[{_joined(values, depth)}]"


def _format_tuple(values: tuple[Any, ...], depth: int) -> str:
    """A tuple, named or not; one of a single value has a comma."""
    comma = "," if len(values) == 1 else ""
    return f"({_joined(values, depth)}{comma})"


def _joined(values: Iterable[Any], depth: int) -> str:
    return ", ".join([format_value(value, depth) for value in values])


def _format_dictionary(values: dict[Any, Any], depth: int) -> str:
    pairs = (
        f"{format_value(key, depth)}: {format_value(value, depth)}" for key, value in values.items()
    )
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
    EnumMember: _format_member,
    Tensor: _format_tensor,
}
_CONTAINERS: dict[type[Any], Callable[[Any, int], str]] = {
    list: _format_list,
    tuple: _format_tuple,
    dict: _format_dictionary,
}
