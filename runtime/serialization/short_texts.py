"""Values of files in messages: what is shown of one is short, and costs little, however large it is."""

from __future__ import annotations

from reprlib import Repr
from typing import Any, Final

_LONGEST: Final = 60
_SHORT: Final = Repr()
_SHORT.maxlevel = 2
_SHORT.maxstring = _SHORT.maxlong = _LONGEST
_PLAIN: Final = (
    str,
    int,
    float,
    complex,
    bool,
    bytes,
    list,
    tuple,
    dict,
    set,
    frozenset,
    type(None),
)


def shortly(value: Any) -> str:
    """The beginning of what Python writes for a value; of objects and tensors, what they are."""
    if type(value) in _PLAIN:
        return _SHORT.repr(value)[:_LONGEST]
    return f"{value!r:.60}"
