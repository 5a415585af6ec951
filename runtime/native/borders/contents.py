"""What is in lists, looked at by native code once a process has spent more time on that than making the code takes."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.types import ListType, OptionalType, TupleType, Type, TypeKind
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.native.borders.content_text import (
    ENTRY,
    FLOAT,
    INTEGER,
    LIST,
    OPTIONAL,
    TENSOR,
    TEXT,
    TRUTH,
    TUPLE,
    content_text,
)
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.code.interpreter import builtin_function, interpreter_function
from tsc.runtime.native.code.list_layout import lists_are_as_expected
from tsc.runtime.native.code.number_layout import numbers_are_as_expected
from tsc.runtime.native.code.object_code import Loaded, code_of_text, found, loaded
from tsc.runtime.native.code.object_layout import object_layout
from tsc.runtime.native.code.symbols import object_symbols
from tsc.runtime.native.code.text_layout import texts_are_as_expected
from tsc.runtime.values.tensor import Tensor

_LOOKS: Final = 500_000
"""Nanoseconds in Python after which code is looked for that an earlier process has made."""
_PAYS: Final = 20_000_000
"""Nanoseconds in Python after which code is made."""
_CALLED: Final = (
    *("PyLong_AsLongLong", "PyErr_Occurred", "PyErr_Clear", "PyList_GetSlice"),
    *("Py_IncRef", "Py_DecRef"),
)
_SIMPLE: Final = {
    TypeKind.IntType: INTEGER,
    TypeKind.FloatType: FLOAT,
    TypeKind.BoolType: TRUTH,
    TypeKind.StringType: TEXT,
    TypeKind.TensorType: TENSOR,
}


class _Code:
    """The code, which serves all types, and what was spent without it."""

    def __init__(self) -> None:
        self._spent = 0
        self._has_looked = False
        self._making: Making[Loaded] | None = None
        self._library: Loaded | None = None

    def library(self, nanoseconds: int) -> Loaded | None:
        """The code, if it is there after so many nanoseconds more."""
        self._spent += nanoseconds
        if self._library is None and self._spent > _LOOKS and MODE.plan != "python":
            self._library = self._found()
        return self._library

    def _found(self) -> Loaded | None:
        layout = object_layout()
        if layout is None or not _is_laid_out_as_expected():
            return None
        if self._making is None:
            text = content_text(layout.payload)
            is_kept = not self._has_looked and found("module", text) is not None
            self._has_looked = True
            if is_kept:
                return _library(text)
            if self._spent > _PAYS:
                self._making = BACKGROUND.begin(functools.partial(_library, text))
        return None if self._making is None else self._making.made


_CODE: Final = _Code()


def content_check(element: Type, nanoseconds: int) -> Callable[[list[Any]], bool] | None:
    """What tells whether a list has elements of a type, and copies the lists in it; None as long as there is no code.

    So many nanoseconds were spent without.
    """
    library = _CODE.library(nanoseconds)
    if library is None:
        return None
    words = array("q", _words(element)).tobytes()
    return builtin_function(library.address(ENTRY), words)


def _words(type: Type) -> list[int]:
    if isinstance(type, ListType):
        return [LIST, *_words(type.element)]
    if isinstance(type, OptionalType):
        return [OPTIONAL, *_words(type.element)]
    if isinstance(type, TupleType):
        items = map(_words, type.elements)
        return [TUPLE, len(type.elements), *(word for each in items for word in (len(each), *each))]
    return [_SIMPLE[type.kind]]


def _library(text: str) -> Loaded:
    classes = {each.__name__: each for each in (bool, str, list)}
    symbols = object_symbols(tensor=Tensor, **classes)
    called = {name: interpreter_function(name) for name in _CALLED}
    return loaded(code_of_text(text), {**symbols, **called})


@functools.cache
def _is_laid_out_as_expected() -> bool:
    return lists_are_as_expected() and numbers_are_as_expected() and texts_are_as_expected()
