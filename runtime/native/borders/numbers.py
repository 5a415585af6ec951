"""Arrays of nested lists of numbers, filled by native code once a process has spent more time on that than making the
code takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tsc.runtime.native.borders.border_code import BorderCode
from tsc.runtime.native.borders.number_text import ENTRY, FILLED, number_text
from tsc.runtime.native.code.interpreter import builtin_function, interpreter_function
from tsc.runtime.native.code.symbols import object_symbols
from tsc.runtime.native.expressions.instructions import DTYPES_BY_NAME

_CALLED: Final = ("PyLong_AsLongLong", "PyErr_Occurred", "PyErr_Clear", "Py_IncRef")


def _symbols() -> Mapping[str, int]:
    dtypes = {f"dtype_{name}": DTYPES_BY_NAME[name] for name in FILLED}
    classes = {each.__name__: each for each in (bool, list)}
    called = {name: interpreter_function(name) for name in _CALLED}
    return {**object_symbols(**classes, **dtypes), **called}


_CODE: Final = BorderCode(lambda _layout: number_text(), _symbols)


def array_filler(nanoseconds: int) -> Callable[[list[Any], Any], bool] | None:
    """What fills an array with the numbers of nested lists, or says False; None as long as there is no code.

    So many nanoseconds were spent without.
    """
    library = _CODE.library(nanoseconds)
    return None if library is None else builtin_function(library.address(ENTRY))
