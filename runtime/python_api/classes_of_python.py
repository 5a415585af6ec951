"""The script classes of Python's classes: objects that Python made of them can be passed."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from tsc.compiler.types import ClassType

_TYPES: WeakKeyDictionary[type, ClassType] = WeakKeyDictionary()


def register(cls: type, type: ClassType) -> None:
    _TYPES[cls] = type


def script_class_of(value: Any) -> ClassType | None:
    """The script class of an object of Python, if its class was compiled."""
    return _TYPES.get(type(value))
