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
from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.object_code import MODULE, found
from tsc.runtime.native.code.parallel_rows import run_in_parts, worthwhile_parts
from tsc.runtime.native.large_arrays.array_text import (
    NAME,
    bag_sums_text,
    row_sums_text,
    running_text,
    shuffle_text,
    transposition_text,
)
from tsc.runtime.native.large_arrays.normal_text import BLOCK, normals_text

WORTH_MAKING: Final = 20_000_000
"""Nanoseconds that NumPy takes before code is made."""
_WORTH_SEEKING: Final = 500_000
"""The same before code of an earlier process is looked for."""
_RUNNING: Final = 5
"""Nanoseconds that NumPy takes for an element, about."""
_EXTREME: Final = 10
_EXCHANGE: Final = 40
"""The same for a running extreme with its place, and for an exchange."""
_OF_NORMAL: Final = 4
"""Elements of a pass over memory that take as long as a normal number."""
_WHOLE_PARTS: Final = 16
"""Columns of a sum of rows that one thread takes, at least."""


@dataclass(slots=True)
class _Function:
    """Code that may be there, and what was spent without it."""

    spent: int = 0
    was_sought: bool = False
    making: Making[Any] | None = None

    def ready(self, text: str, nanoseconds: int) -> Any:
        """The function; None if there is none yet, and NumPy takes so long."""
        if self.making is None:
            self.spent += nanoseconds
            at_once = MODE.plan == "native" or self._is_kept(text)
            if self.spent < WORTH_MAKING and not at_once:
                return None
            self.making = BACKGROUND.begin(partial(function_of, text, NAME), at_once=at_once)
        return self.making.made if self.making.is_over else None

    def _is_kept(self, text: str) -> bool:
        """Whether an earlier process has made the code; that is asked once it may pay."""
        if self.was_sought or self.spent < _WORTH_SEEKING:
            return False
        self.was_sought = True
        return found(MODULE, text) is not None


_FUNCTIONS: Final[dict[str, _Function]] = {}
"""By the texts that are theirs."""


def _ready(text: str, elements: int, each: int = _RUNNING) -> Any:
    return _FUNCTIONS.setdefault(text, _Function()).ready(text, elements * each)


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
    function = _ready(running_text(operator, dtype, dtype, dtype), rows.size, _EXTREME)
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


def bag_sums(table: Array, names: Array, bounds: Array) -> Array:
    """Sums of the rows of a table that are named, from each bound to the next one, in order. Always by native code.

    The elements of a row lie without gaps.
    """
    elements = len(names) * table.shape[1]
    function = function_of(bag_sums_text(table.dtype), NAME)
    made = np.empty((len(bounds) - 1, table.shape[1]), table.dtype)
    layout = table.shape[1], table.strides[0]
    arrays = made, table, np.ascontiguousarray(names, LONG), np.ascontiguousarray(bounds, LONG)
    _run(function, arrays, layout, len(made), worthwhile_parts(len(made), elements))
    return made


def shuffle(numbers: Array, draws: Array) -> bool:
    """Exchanges each int64 with one of those from it on, by a draw of uint32 for each but the last; False for NumPy.

    The draw is taken modulo how many these are.
    """
    function = _ready(shuffle_text(), len(draws), _EXCHANGE)
    if function is None:
        return False
    _run(function, (numbers, draws), (len(numbers),), len(draws), 1)
    return True


def normals(draws: Array) -> Array:
    """As many normal float32 numbers as there are draws of uint32, a multiple of 16. Always by native code."""
    made = np.empty(len(draws), np.float32)
    function = function_of(normals_text(), NAME)
    blocks = len(draws) // BLOCK
    _run(function, (draws, made), (), blocks, worthwhile_parts(blocks, len(draws) * _OF_NORMAL))
    return made


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
