"""What is in lists, looked at by native code once a process has spent more time on that than making the code takes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any, Final

from tsc.compiler.types import ListType, OptionalType, TupleType, Type, TypeKind
from tsc.runtime.native.borders.border_code import BorderCode
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
from tsc.runtime.native.code.interpreter import builtin_function, interpreter_function
from tsc.runtime.native.code.symbols import object_symbols
from tsc.runtime.values.tensor import Tensor

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


def _symbols() -> Mapping[str, int]:
    classes = {each.__name__: each for each in (bool, str, list)}
    called = {name: interpreter_function(name) for name in _CALLED}
    return {**object_symbols(tensor=Tensor, **classes), **called}


_CODE: Final = BorderCode(lambda layout: content_text(layout.payload), _symbols)


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
