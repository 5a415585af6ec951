"""Qualified names, as PyTorch gives them to functions and classes of Python."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from tsc.compiler.ir import MANGLED

_MAIN = "__main__"
_TAKEN: WeakValueDictionary[str, Any] = WeakValueDictionary()


def qualified_name(value: Any) -> str:
    """``__torch__.module.name``; of the main module, ``__torch__.name``."""
    name = "_lambda" if value.__name__ == "<lambda>" else value.__name__
    module = value.__module__ or _MAIN
    return f"__torch__.{name}" if module == _MAIN else f"__torch__.{module}.{name}"


def unique_qualified_name(cls: type) -> str:
    """The same for a class; classes that share their names are told apart by numbers."""
    name = unique = qualified_name(cls)
    path, _, last = name.rpartition(".")
    number = 0
    while _TAKEN.setdefault(unique, cls) is not cls:
        unique = f"{path}.{MANGLED}{number}.{last}"
        number += 1
    return unique
