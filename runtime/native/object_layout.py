"""How CPython and NumPy lay out the objects that native code reads; looked up in the running process, and tried."""

from __future__ import annotations

import ctypes
import functools
import sys
from dataclasses import dataclass

import numpy as np

from tsc.runtime.native.interpreter import WORD, word_at
from tsc.runtime.values.tensor import Tensor

_DATA, _RANK, _SIZES, _STRIDES, _DTYPE = 16, 24, 32, 40, 56
"""Bytes in front of the fields of an array."""


@dataclass(frozen=True, slots=True)
class ObjectLayout:
    """Places of fields, in bytes."""

    array: int
    autograd: int
    payload: int


@functools.cache
def object_layout() -> ObjectLayout | None:
    """None where objects are not laid out as native code expects."""
    if sys.implementation.name != "cpython" or not _arrays_are_as_expected():
        return None
    tensor = Tensor(np.zeros(2))
    array, autograd = _place_of(tensor, tensor.array), _place_of(tensor, None)
    if array is None or autograd is None:
        return None
    return ObjectLayout(
        array=array,
        autograd=autograd,
        payload=bytes.__basicsize__ - 1,
    )


def _arrays_are_as_expected() -> bool:
    array = np.zeros((3, 5), np.float32)[:, ::2]
    found = [word_at(id(array) + place) for place in (_DATA, _SIZES, _STRIDES, _DTYPE)]
    if (
        found[0] != array.ctypes.data
        or found[3] != id(array.dtype)
        or word_at(id(array) + 8) != id(np.ndarray)
    ):
        return False
    rank = ctypes.c_int32.from_address(id(array) + _RANK).value
    sizes = [word_at(found[1]), word_at(found[1] + WORD)]
    strides = [word_at(found[2]), word_at(found[2] + WORD)]
    return rank == 2 and sizes == [3, 3] and strides == [20, 8]


def _place_of(owner: object, field: object) -> int | None:
    """How many bytes after the beginning of an object a field is."""
    size = type(owner).__basicsize__
    places = range(2 * WORD, size, WORD)
    return next((place for place in places if word_at(id(owner) + place) == id(field)), None)
