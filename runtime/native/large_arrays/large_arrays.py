"""Functions of large arrays as native code, once a process has spent more time in them than making the code takes.

They give what the loops of NumPy give, to the last bit: it makes no difference when code is there.
"""

from __future__ import annotations

from array import array as words
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import run_in_parts, worthwhile_parts
from tsc.runtime.native.large_arrays.array_text import (
    NAME,
    exchanges_text,
    row_sums_text,
    running_text,
    transposition_text,
)

WORTH_MAKING: Final = 20_000_000
"""Nanoseconds that NumPy takes before code is made."""
_RUNNING: Final = 5
"""Nanoseconds that NumPy takes for an element, about."""
_WHOLE_PARTS: Final = 16
"""Columns of a sum of rows that one thread takes, at least."""


@dataclass(slots=True)
class _Function:
    """Code that may be there, and what was spent without it."""

    spent: int = 0
    making: Making[Any] | None = None

    def ready(self, text: str, nanoseconds: int) -> Any:
        """The function; None if there is none yet, and NumPy takes so long."""
        if self.making is None:
            self.spent += nanoseconds
            if self.spent < WORTH_MAKING and MODE.plan != "native":
                return None
            self.making = BACKGROUND.begin(
                partial(function_of, text, NAME), at_once=MODE.plan == "native"
            )
        return self.making.made if self.making.is_over else None


_FUNCTIONS: Final[dict[str, _Function]] = {}
"""By the texts that are theirs."""


def _ready(text: str, elements: int) -> Any:
    return _FUNCTIONS.setdefault(text, _Function()).ready(text, elements * _RUNNING)


def _run(
    function: Any, arrays: Sequence[Array], layout: Sequence[int], extent: int, parts: int
) -> None:
    pointers = words("q", [each.ctypes.data for each in arrays])
    numbers = words("q", layout)
    where = pointers.buffer_info()[0], numbers.buffer_info()[0]
    run_in_parts(function, *where, extent, 0, max(1, min(parts, extent)))


def running(operator: str, rows: Array, carried: np.dtype, result: np.dtype) -> Array | None:
    """Running sums or products of rows without gaps (``add``, ``mul``), carried in a dtype; None for NumPy to do it."""
    function = _ready(running_text(operator, rows.dtype, carried, result), rows.size)
    if function is None:
        return None
    made = np.empty(rows.shape, result)
    parts = worthwhile_parts(len(rows), rows.size)
    _run(function, (rows, made), rows.shape[1:], len(rows), parts)
    return made


def running_extremes(operator: str, rows: Array) -> tuple[Array, Array] | None:
    """The largest or smallest so far (``max``, ``min``), and the last places where they were met; or None."""
    dtype = rows.dtype
    function = _ready(running_text(operator, dtype, dtype, dtype), rows.size)
    if function is None:
        return None
    values, places = np.empty(rows.shape, dtype), np.empty(rows.shape, np.int64)
    parts = worthwhile_parts(len(rows), rows.size)
    _run(function, (rows, values, places), rows.shape[1:], len(rows), parts)
    return values, places


def add_rows(target: Array, names: Array, rows: Array) -> bool:
    """Adds rows to those of a matrix that are named, in int64, from 0 on; False for NumPy to do it.

    The elements of a row lie without gaps.
    """
    function = _ready(row_sums_text(target.dtype), rows.size)
    if function is None:
        return False
    columns = target.shape[1]
    layout = len(names), target.strides[0], rows.strides[0]
    parts = worthwhile_parts(columns // _WHOLE_PARTS, rows.size)
    _run(function, (target, names, rows), layout, columns, parts)
    return True


def exchange(numbers: Array, distances: Array) -> bool:
    """Exchanges each int64 with the one that is so many places behind it; False for NumPy to do it."""
    function = _ready(exchanges_text(), len(distances))
    if function is None:
        return False
    _run(function, (numbers, distances), (), len(distances), 1)
    return True


def transposed_copy(matrix: Array) -> Array | None:
    """A copy in row-major order of a matrix whose columns lie without gaps; None for NumPy to do it."""
    function = _ready(transposition_text(8 * matrix.itemsize), matrix.size)
    if function is None:
        return None
    made = np.empty(matrix.shape, matrix.dtype)
    layout = *matrix.shape, made.strides[0], matrix.strides[1]
    parts = worthwhile_parts(len(matrix), matrix.size)
    _run(function, (made, matrix), layout, len(matrix), parts)
    return made
