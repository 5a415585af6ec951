"""Calls of operators that index memory, with sensible and with absurd numbers.

A call is plain data, from which arguments for this runtime and for PyTorch are made. All tensors are
parts of storages of 30 elements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

ELEMENTS = 30
DTYPES = ("float32", "int64", "int16", "uint8", "complex64", "bool")
PARTS: tuple[Callable[[Any], Any], ...] = (
    lambda x: x,
    lambda x: x[5:20],
    lambda x: x[1:25:2],
    lambda x: x[:0],
    lambda x: x[4:5].reshape(()),
    lambda x: x[:12].reshape(3, 4),
    lambda x: x[:12].reshape(3, 4).T,
    lambda x: x[2:26].reshape(2, 3, 4),
    lambda x: x[:24].reshape(2, 3, 4)[:, 1:, ::2],
)
"""Of an array as of a tensor of PyTorch's."""


@dataclass(frozen=True)
class Part:
    """A tensor in a storage of its own."""

    dtype: str
    number: int

    def of(self, storage: Any) -> Any:
        return PARTS[self.number](storage)


@dataclass(frozen=True)
class Indices:
    """A tensor of int64."""

    shape: tuple[int, ...]
    numbers: tuple[int, ...]

    def array(self) -> np.ndarray:
        return np.array(self.numbers, np.int64).reshape(self.shape)


@dataclass(frozen=True)
class Ones:
    """A tensor of ones of the dtype of the first argument."""

    shape: tuple[int, ...]


@dataclass(frozen=True)
class Dtype:
    name: str


@dataclass(frozen=True)
class Call:
    name: str
    overload: str
    arguments: tuple[Any, ...]


ABSURD = (
    -(1 << 63),
    -(1 << 62),
    -(1 << 48),
    1 << 48,
    1 << 61,
    (1 << 62) - 1,
    1 << 62,
    (1 << 63) - 1,
)
"""Of these, none is so small that an array of as many elements could be had."""

small = st.integers(-2, 8)
number = st.one_of(small, small, small, st.sampled_from(ABSURD))
dimension = st.one_of(st.integers(-4, 3), st.integers(-4, 3), st.sampled_from(ABSURD))
numbers = st.lists(number, max_size=3).map(tuple)
maybe = st.one_of(st.none(), number)
step = st.one_of(small, st.just(1 << 48))
"""Larger ones overflow in PyTorch."""
part = st.builds(Part, st.sampled_from(DTYPES), st.integers(0, len(PARTS) - 1))
shape = st.lists(st.integers(0, 3), max_size=3).map(tuple)
ones = st.builds(Ones, shape)
dtype = st.builds(Dtype, st.sampled_from(DTYPES))


def _filled(shape: tuple[int, ...]) -> st.SearchStrategy[Indices]:
    count = int(np.prod(shape))
    place = st.one_of(*[st.integers(-4, 4)] * 6, st.sampled_from(ABSURD))
    return st.builds(
        Indices, st.just(shape), st.lists(place, min_size=count, max_size=count).map(tuple)
    )


indices = shape.flatmap(_filled)
row = st.integers(0, 3).flatmap(lambda count: _filled((count,)))
strided = (numbers, numbers, maybe)

OPERATORS: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "as_strided": (part, *strided),
    "as_strided_": (part, *strided),
    "as_strided_copy": (part, *strided),
    "as_strided_scatter": (part, ones, *strided),
    "set_.source_Tensor": (part, part),
    "set_.source_Tensor_storage_offset": (part, part, number, numbers, numbers),
    "resize_": (part, numbers),
    "resize_as_": (part, part),
    "view": (part, numbers),
    "view.dtype": (part, dtype),
    "reshape": (part, numbers),
    "expand": (part, numbers),
    "repeat": (part, numbers),
    "diagonal": (part, number, dimension, dimension),
    "diagonal_scatter": (part, ones, number, dimension, dimension),
    "unfold": (part, dimension, number, number),
    "narrow": (part, dimension, number, number),
    "narrow_copy": (part, dimension, number, number),
    "select.int": (part, dimension, number),
    "select_scatter": (part, ones, dimension, number),
    "slice.Tensor": (part, dimension, maybe, maybe, step),
    "slice_scatter": (part, ones, dimension, maybe, maybe, step),
    "split_with_sizes": (part, numbers, dimension),
    "index_select": (part, dimension, row),
    "index.Tensor": (part, st.tuples(indices)),
    "index_put": (part, st.tuples(indices), ones, st.booleans()),
    "index_put_": (part, st.tuples(indices), ones, st.booleans()),
    "index_fill.int_Scalar": (part, dimension, row, st.just(1)),
    "index_copy": (part, dimension, row, ones),
    "index_add": (part, dimension, row, ones),
    "gather": (part, dimension, indices),
    "scatter.value": (part, dimension, indices, st.just(1)),
    "scatter_.src": (part, dimension, indices, ones),
    "scatter_add_": (part, dimension, indices, ones),
    "take": (part, indices),
    "take_along_dim": (part, indices, dimension),
    "put_": (part, indices, ones, st.booleans()),
}


def call_of(draw: Callable[[st.SearchStrategy[Any]], Any], name: str) -> Call:
    """A call of an operator by its name and overload."""
    arguments = [draw(each) for each in OPERATORS[name]]
    if len(arguments) > 2 and name.startswith(("as_strided", "set_")):
        _align(arguments)
    base, _, overload = name.partition(".")
    return Call(base, overload, tuple(arguments))


def _align(arguments: list[Any]) -> None:
    """Mostly as many strides as sizes."""
    places = [k for k, each in enumerate(arguments) if isinstance(each, tuple)]
    sizes, strides = (arguments[k] for k in places)
    if strides:
        arguments[places[1]] = (strides * 3)[: len(sizes)]
