"""Values that stand for those a program will have; what is not known of those is tried in several ways.

Each `Sample` answers every open question (a size, a dtype, a number) in one way, so that what an operator
makes of several samples shows what depends on the answers, and what does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from math import prod
from typing import Any, Final, TypeVar

import numpy as np

from tsc.compiler.passes.known_values import Elements, Exactly, Known
from tsc.compiler.types import TensorType, Type, TypeKind
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.values.tensor import Tensor

_T = TypeVar("_T")

LARGEST: Final = 1 << 22
"""Elements of a tensor that is worth to be made; a larger one stands there with other sizes."""

_SIZES: Final = (6, 1, 4, 2)
_RANKS: Final = (2, 1, 3, 4, 0, 5)
_NUMBERS: Final[dict[TypeKind, Sequence[Any]]] = {
    TypeKind.IntType: (1, 0, 2, 3, -1),
    TypeKind.FloatType: (0.5, 2.0),
    TypeKind.BoolType: (False, True),
    TypeKind.ComplexType: (1j,),
    TypeKind.NumberType: (1, 0.5, 1j),
}
_DTYPES: Final = {
    each.ir_name: DTYPE_OF_CODE[each.code].numpy
    for each in SCALAR_TYPES
    if each.code in DTYPE_OF_CODE
}
_SOME_DTYPES: Final = tuple(
    _DTYPES[name] for name in ("Float", "Long", "Double", "Bool", "ComplexFloat")
)


class NotToBeTried(Exception):
    """There is no value that could stand for what is known."""


class Sample:
    """Answers to what is not known. ``number`` tells which; ``sizes`` are those that occur beside it."""

    def __init__(self, number: int, sizes: Sequence[int]) -> None:
        self._number = number
        self._asked = 0
        self._sizes = tuple(dict.fromkeys((*_SIZES[:2], *sizes, *_SIZES[2:])))
        self.data = _DATA[number % len(_DATA)]

    @property
    def is_open(self) -> bool:
        """Whether anything had to be chosen: another sample may choose otherwise."""
        return self._asked > 0

    def choose(self, answers: Sequence[_T]) -> _T:
        """One of the answers; in the first samples all choices are the same, then each its own."""
        self._asked += 1
        turn = self._number // len(answers)
        return answers[(self._number + self._asked * turn) % len(answers)]

    def value(self, known: Known) -> Any:
        """What stands for a value. Raises NotToBeTried."""
        if isinstance(known, Exactly):
            return copy(known.value)
        if isinstance(known, Elements):
            members = map(self.value, known.members)
            return list(members) if known.type.kind is TypeKind.ListType else tuple(members)
        if isinstance(known, TensorType):
            return Tensor(self._array(known))
        return self._number_of(known)

    def _number_of(self, type: Type) -> Any:
        if type.kind not in _NUMBERS:
            raise NotToBeTried
        return self.choose(_NUMBERS[type.kind])

    def _array(self, type: TensorType) -> Array:
        if (type.dtype is None and type.sizes is None) or type.undefined:
            raise NotToBeTried
        dtype = self.choose(_SOME_DTYPES) if type.dtype is None else _DTYPES.get(type.dtype)
        if dtype is None:
            raise NotToBeTried
        sizes = type.sizes
        if sizes is None:
            sizes = (None,) * self.choose(_RANKS)
        elif None not in sizes and prod(size or 0 for size in sizes) > LARGEST:
            sizes = (None,) * len(sizes)
        shape = [self.choose(self._sizes) if size is None else size for size in sizes]
        array = self.data(shape, dtype)
        return array if type.strides is None else _with_strides(array, type)


def _with_strides(array: Array, type: TensorType) -> Array:
    """The elements at the places in memory that strides tell, where those are all known. Raises NotToBeTried."""
    strides = [stride for stride in type.strides or () if stride is not None]
    if len(strides) != array.ndim or None in (type.sizes or ()) or array.size == 0:
        return array
    reach = sum((extent - 1) * stride for extent, stride in zip(array.shape, strides))
    if reach > LARGEST:
        raise NotToBeTried
    memory = np.empty(reach + 1, array.dtype)
    placed = np.ndarray(
        array.shape, array.dtype, memory, 0, [stride * array.itemsize for stride in strides]
    )
    placed[...] = array
    return placed


def _zeros(shape: Sequence[int], dtype: np.dtype) -> Array:
    return np.zeros(shape, dtype)


def _ones(shape: Sequence[int], dtype: np.dtype) -> Array:
    return np.ones(shape, dtype)


def _identity(shape: Sequence[int], dtype: np.dtype) -> Array:
    """Ones on the diagonals of matrices: they are regular, and not all elements are equal."""
    array = np.zeros(shape, dtype)
    array[...] = np.eye(shape[-2], shape[-1]) if len(shape) > 1 else np.arange(prod(shape)) == 0
    return array


def _many(shape: Sequence[int], dtype: np.dtype) -> Array:
    """Where values are counts or lengths, they are larger than most."""
    return np.full(shape, 1 if dtype == np.bool_ else 37, dtype)


_DATA: Final[Sequence[Callable[[Sequence[int], np.dtype], Array]]] = (
    *(_zeros, _identity, _ones, _many),
)
