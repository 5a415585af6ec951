"""Operators that only groups have: for tensors that are written in part, and for numbers that are stored in one."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tsc.compiler.ir import prim
from tsc.compiler.passes.written_parts import PartOperators
from tsc.compiler.schema import Operator
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.type_promotion import Number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.tensors_of_numbers import tensor_of_number
from tsc.runtime.values.tensor import Tensor


def _with_part_(self: Tensor, base: Tensor, view: Tensor, written: Tensor) -> Tensor:
    """`written` is `view`, a view of `base`, which is `self`: there is nothing left to do."""
    return self


def _with_part(self: Tensor, base: Tensor, view: Tensor, written: Tensor) -> Tensor:
    """A copy of `self`, with other elements where `view` lies in `base`."""
    array = base.array
    strides = [step // array.itemsize for step in array.strides]
    steps = zip(strides, array.shape)
    flat = np.empty(1 + sum(step * max(extent - 1, 0) for step, extent in steps), array.dtype)
    result = as_strided(flat, array.shape, array.strides)
    result[...] = self.array
    part_of(result, array, view.array)[...] = written.array
    return Tensor(result)


def part_of(whole: Array, base: Array, view: Array) -> Array:
    """What lies in `whole` as `view` does in `base`, which has the same shape. Raises ScriptError where one lies
    otherwise.
    """
    begin = _address(view) - _address(base)
    end = begin + _reach(view)
    if whole.strides != base.strides or begin < 0 or end > _reach(base) or not view.size:
        raise ScriptError("RuntimeError", "a view does not lie in what it is a view of")
    flat = as_strided(whole, (_reach(base) // whole.itemsize,), (whole.itemsize,))
    return as_strided(flat[begin // whole.itemsize :], view.shape, view.strides)


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]


def _reach(array: Array) -> int:
    """The bytes from the first element to behind the last one, of an array without negative steps."""
    steps = zip(array.strides, array.shape)
    return array.itemsize + sum(step * (extent - 1) for step, extent in steps)


def _number_as(number: Number, like: Tensor) -> Tensor:
    return tensor_of_number(number, like.dtype.code)


WITH_PART: Final = Operator(
    f"{prim.with_part}(Tensor self, Tensor base, Tensor view, Tensor written) -> Tensor", _with_part
)
PART_OPERATORS: Final = PartOperators(
    Operator(
        f"{prim.with_part_}(Tensor(a!) self, Tensor base, Tensor view, Tensor written)"
        " -> Tensor(a!)",
        _with_part_,
    ),
    Operator(f"{prim.number_as}(t number, Tensor like) -> Tensor", _number_as),
)
