"""Text made of values: ``str(x)``, ``"{}".format(x)`` and ``"%s" % x``."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.text.value_printing import format_value

_SPECIFIER = re.compile("%(.?)", re.DOTALL)
_KINDS = {str: "String", list: "GenericList", dict: "GenericDict", type(None): "None", bool: "Bool"}


@operator("aten::str(t elem) -> str")
def str_(elem: IValue) -> str:
    return format_value(elem)


@operator("aten::format(str self, ...) -> str")
def format_(self: str, *values: IValue) -> str:
    """Each ``{}`` takes the next value; other braces are plain text. Values left over are ignored."""
    pieces = self.split("{}")
    if len(pieces) - 1 > len(values):
        raise ScriptError("RuntimeError", f"Too few arguments for format string: {self}")
    texts = [format_value(value) for value in values[: len(pieces) - 1]]
    return "".join(text for pair in zip(pieces, [*texts, ""]) for text in pair)


@operator("aten::percentFormat(str self, ...) -> str")
def percent_format(self: str, *values: IValue) -> str:
    """``%s %d %i %f %e %E %c %%``, without widths or flags. A tuple brings several values."""
    if len(values) == 1 and isinstance(values[0], tuple):
        values = values[0]
    pending = list(reversed(values))

    def replace(match: re.Match[str]) -> str:
        return _percent(match.group(1), pending)

    text = _SPECIFIER.sub(replace, self)
    if pending:
        raise ScriptError("RuntimeError", "Too many arguments for format string")
    return text


def _percent(letter: str, pending: list[Any]) -> str:
    """What stands for one specifier; takes its value off the pending ones."""
    if letter == "%":
        return "%"
    if not letter:
        raise ScriptError("RuntimeError", "Incomplete format specifier")
    if not pending:
        raise ScriptError("RuntimeError", "Too few arguments for format string")
    write = _SPECIFIERS.get(letter)
    if write is None:
        known = ", ".join(f"%{each}" for each in _SPECIFIERS)
        message = (
            f"The specifier %{letter} is not supported in TorchScript format strings, which know "
            f"{known} and %%"
        )
        raise ScriptError("RuntimeError", message)
    return write(letter, pending.pop())


def _integer(letter: str, value: Any) -> str:
    return str(int(_number(letter, value)))


def _single_precision(letter: str, value: Any) -> str:
    with np.errstate(over="ignore"):
        return f"%{letter}" % float(np.float32(_number(letter, value)))


def _number(letter: str, value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    kind = _KINDS.get(type(value), type(value).__name__)
    message = f"%{letter} requires a number for formatting, but got {kind}"
    raise ScriptError("RuntimeError", message)


def _letter(letter: str, value: Any) -> str:
    if type(value) is int:
        return chr(value)
    if isinstance(value, str) and len(value) == 1:
        return value
    kind = _KINDS.get(type(value), type(value).__name__)
    message = f"%{letter} requires an int or char, but got {kind}"
    raise ScriptError("RuntimeError", message)


def _any(_letter: str, value: Any) -> str:
    return format_value(value)


_SPECIFIERS = {
    "s": _any,
    "d": _integer,
    "i": _integer,
    "f": _single_precision,
    "F": _single_precision,
    "e": _single_precision,
    "E": _single_precision,
    "c": _letter,
}
