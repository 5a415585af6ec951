"""Arrays of nested lists of Python's numbers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from time import perf_counter_ns
from typing import Any, cast

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT, LONG
from tsc.runtime.context import native_hooks
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import is_available


class _Filling:
    """Native code that fills arrays, once it is there."""

    __slots__ = ("_fill",)

    def __init__(self) -> None:
        self._fill: Callable[[list[Any], np.ndarray], bool] | None = None

    def array(self, data: list[Any], dtype: np.dtype) -> np.ndarray | None:
        """None for what is to be looked at by itself, and as long as there is no code."""
        if self._fill is None:
            return None
        made = np.empty(_shape_of_first(data), dtype)
        return made if self._fill(data, made) else None

    def spend(self, nanoseconds: int) -> None:
        """An array took so long without."""
        if self._fill is None and is_available():
            self._fill = native_hooks.native_numbers().array_filler(nanoseconds)


_FILLING = _Filling()


def array_of_numbers(data: list[Any], dtype: np.dtype) -> np.ndarray:
    """The numbers of nested lists, which are all of the kind of the dtype; floats too large for it are infinite.

    Raises:
        ScriptError: ragged lists.
    """
    made = _FILLING.array(data, dtype)
    if made is not None:
        return made
    started = perf_counter_ns()
    shape = nested_shape(data)
    made = _array_of_row(flattened(data, len(shape)), dtype).reshape(shape)
    _FILLING.spend(perf_counter_ns() - started)
    return made


def _array_of_row(numbers: list[Any], dtype: np.dtype) -> np.ndarray:
    """Python's arrays take numbers from lists in a third of the time that NumPy's take."""
    if dtype is LONG:
        return np.frombuffer(array("q", numbers), LONG).copy() if numbers else np.array((), LONG)
    if dtype is not FLOAT:
        return np.array(numbers, dtype)
    with np.errstate(over="ignore"):
        doubles = np.frombuffer(array("d", numbers), DOUBLE) if numbers else np.array((), DOUBLE)
        return doubles.astype(FLOAT)


def nested_shape(data: Any) -> tuple[int, ...]:
    """The shape of nested lists, which must be rectangular."""
    shape = _shape_of_first(data)
    _check_rectangular(data, shape, 0)
    return tuple(shape)


def _shape_of_first(data: Any) -> list[int]:
    """The shape if all lists are as long as the first ones are."""
    shape: list[int] = []
    while (row := _row(data)) is not None:
        shape.append(len(row))
        if not row:
            break
        data = row[0]
    return shape


def _row(data: Any) -> Sequence[Any] | None:
    return cast("Sequence[Any]", data) if isinstance(data, (list, tuple)) else None


def _check_rectangular(data: Any, shape: list[int], depth: int) -> None:
    if depth == len(shape):
        return
    row = _row(data)
    if row is None:
        message = f"Expected sequence of length {shape[depth]} at dim {depth}, got a number"
        raise ScriptError("ValueError", message)
    if len(row) != shape[depth]:
        raise ScriptError(
            "ValueError",
            f"Expected sequence of length {shape[depth]} at dim {depth} (got {len(row)})",
        )
    if depth + 2 == len(shape) and _are_lists_of_length(row, shape[-1]):
        return
    if depth + 1 < len(shape):
        for element in row:
            _check_rectangular(element, shape, depth + 1)


def _are_lists_of_length(rows: Sequence[Any], length: int) -> bool:
    return {list}.issuperset(map(type, rows)) and {length}.issuperset(map(len, rows))


def flattened(data: list[Any], depth: int) -> list[Any]:
    """What is in lists so many levels deep."""
    for _ in range(depth - 1):
        data = [*chain.from_iterable(data)]
    return data
