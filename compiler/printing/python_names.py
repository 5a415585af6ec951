"""Names for the values of one printed function: valid, unique, close to the ones in the source."""

from __future__ import annotations

import keyword
import re
from typing import Final

from tsc.compiler.ir import Value

_INVALID: Final = re.compile(r"\W", re.ASCII)

RESERVED: Final = frozenset(
    (
        *keyword.kwlist,
        *("_", "as", "aten", "attribute", "CONSTANTS", "fork", "getattr", "inf", "nan", "infj"),
        *("nanj", "ops", "__torch__", "uninitialized", "unchecked_cast"),
    )
)
"""Names that mean something else where the printed source is read."""


class NameTable:
    """The names taken so far. A name asked for again gets a number: ``x``, ``x0``, ``x1``.

    The numbers are counted for the name that was found taken last, as in PyTorch, which shows when
    the program itself has numbered names.
    """

    __slots__ = ("_next_number", "_taken")

    def __init__(self, next_number: dict[str, int] | None = None) -> None:
        """`next_number` is what other functions of the same file have come to."""
        self._taken: set[str] = set()
        self._next_number = {} if next_number is None else next_number

    def take(self, candidate: str) -> str:
        name = candidate
        while name in self._taken or name in RESERVED:
            number = self._next_number.get(name, 0)
            self._next_number[name] = number + 1
            name = f"{candidate}{number}"
        self._taken.add(name)
        return name

    def take_for(self, value: Value) -> str:
        """A name made from the value's own, ``_0`` and so on if it has none."""
        return self.take(
            _identifier(_without_number(value.debug_name)) if value.has_debug_name else "_"
        )


def _without_number(name: str) -> str:
    """``x`` for ``x.12``."""
    base, dot, number = name.rpartition(".")
    return base if dot and number.isdigit() else name


def _identifier(name: str) -> str:
    valid = _INVALID.sub("_", name)
    return f"_{valid}" if valid[:1].isdigit() else valid
