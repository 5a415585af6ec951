"""Which overload calls with plain arguments fit, remembered: without conversions their types alone decide it.

A call of an operator tries its overloads in order; ``aten::add`` of two ints fits the sixth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.emit.protocols import NamedValue
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.types import BOOL, COMPLEX, FLOAT, INT, STRING, TENSOR

Key = tuple[int, ...]
"""The first of the overloads, and the types of the arguments."""

_PLAIN: Final = frozenset(map(id, (BOOL, COMPLEX, FLOAT, INT, STRING, TENSOR)))
_MOST: Final = 10_000
_FITS: Final[dict[Key, tuple[Sequence[FunctionSchema], int]]] = {}


def key_of(schemas: Sequence[FunctionSchema], args: Sequence[NamedValue]) -> Key | None:
    """What a call is remembered by; None for one with other arguments than plain ones."""
    types = [id(each.value.type) for each in args]
    return (id(schemas[0]), *types) if _PLAIN.issuperset(types) else None


def known_fit(key: Key, schemas: Sequence[FunctionSchema]) -> int | None:
    """The position of the overload that such a call fits, if one came before."""
    found = _FITS.get(key)
    return found[1] if found is not None and found[0] == tuple(schemas) else None


def remember_fit(key: Key, schemas: Sequence[FunctionSchema], index: int) -> None:
    """The overload at this position is the first that such calls fit."""
    if len(_FITS) >= _MOST:
        _FITS.clear()
    _FITS[key] = (tuple(schemas), index)
