"""How CPython and NumPy lay out the objects that native code reads; looked up in the running process, and tried."""

from __future__ import annotations

import ctypes
import functools
import sys
from dataclasses import dataclass

import numpy as np

from tsc.compiler.types import ClassType
from tsc.runtime.native.code.interpreter import WORD, word_at
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor

TYPE = 8
"""Bytes in front of the class of an object."""
DATA, RANK, SIZES, STRIDES, DTYPE, FLAGS = 16, 24, 32, 40, 56, 64
"""Bytes in front of the fields of an array."""
WRITEABLE = 0x400
"""The flag of an array that may be written."""


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


@functools.cache
def attributes_place() -> int | None:
    """How many bytes after the beginning of an object of a script class its attributes are."""
    made = ScriptObject(ClassType("Sample"))
    return _place_of(made, made.script_attributes) if sys.implementation.name == "cpython" else None


def _arrays_are_as_expected() -> bool:
    array = np.zeros((3, 5), np.float32)[:, ::2]
    found = [word_at(id(array) + place) for place in (DATA, SIZES, STRIDES, DTYPE)]
    if (
        found[0] != array.ctypes.data
        or found[3] != id(array.dtype)
        or word_at(id(array) + TYPE) != id(np.ndarray)
    ):
        return False
    rank = ctypes.c_int32.from_address(id(array) + RANK).value
    sizes = [word_at(found[1]), word_at(found[1] + WORD)]
    strides = [word_at(found[2]), word_at(found[2] + WORD)]
    return rank == 2 and sizes == [3, 3] and strides == [20, 8] and _flags_are_as_expected(array)


def _flags_are_as_expected(array: np.ndarray) -> bool:
    flags = ctypes.c_int32.from_address(id(array) + FLAGS)
    before, array.flags.writeable = flags.value, False
    return before & WRITEABLE == WRITEABLE and flags.value == before ^ WRITEABLE


def _place_of(owner: object, field: object) -> int | None:
    """How many bytes after the beginning of an object a field is."""
    size = type(owner).__basicsize__
    places = range(2 * WORD, size, WORD)
    return next((place for place in places if word_at(id(owner) + place) == id(field)), None)
