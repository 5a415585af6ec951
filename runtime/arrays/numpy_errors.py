"""What NumPy refuses, in PyTorch's words.

Kernels check what is worth checking before they compute; where NumPy is the one to refuse, its message
is read here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tsc.runtime.arrays.dimensions import broadcast_shape
from tsc.runtime.context.errors import ScriptError

Shape = tuple[int, ...]


def words(error: Exception) -> str | None:
    """PyTorch's message for an exception of NumPy's; None if it is not one of these."""
    text = str(error)
    for pattern, translate in _TRANSLATIONS:
        match = pattern.match(text)
        if match is not None:
            return translate(match)
    return None


def _shapes(text: str) -> list[Shape]:
    """The shapes in a message: ``(2,3) (4,)``."""
    found = re.findall(r"\(([\d,]*)\)", text)
    return [tuple(int(extent) for extent in shape.split(",") if extent) for shape in found]


def _not_broadcast(match: re.Match[str]) -> str:
    try:
        broadcast_shape(*_shapes(match[1]))
    except ScriptError as error:
        return error.message
    return match[0]


def _output_shape(match: re.Match[str]) -> str:
    output, broadcast = (list(shape) for shape in _shapes(match[0]))
    return f"output with shape {output} doesn't match the broadcast shape {broadcast}"


def _value_shape(match: re.Match[str]) -> str:
    value, target = (list(shape) for shape in _shapes(match[0]))
    return (
        f"shape mismatch: value tensor of shape {value} cannot be broadcast to the "
        f"indexed shape {target}"
    )


_TRANSLATIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"operands could not be broadcast together with shapes (.*)"), _not_broadcast),
    (re.compile(r"non-broadcastable output operand with shape .*"), _output_shape),
    (re.compile(r"could not broadcast input array from shape .*"), _value_shape),
    (
        re.compile(r"array is too big|Maximum allowed dimension exceeded"),
        lambda match: "Storage size calculation overflowed",
    ),
    (
        re.compile(r"ufunc '(\w+)' (?:not supported|did not contain a loop).*", re.DOTALL),
        lambda match: f'"{match[1]}_cpu" not implemented for this dtype',
    ),
)
