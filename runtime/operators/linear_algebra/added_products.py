"""Products added to a tensor: addmm, addmv, addr and of stacks."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.arrays.type_promotion import Number, number_array, result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.dense import dense
from tsc.runtime.operators.elementwise import FLOATING_DTYPES
from tsc.runtime.operators.linear_algebra.linear_algebra import (
    SLOW_DTYPES,
    bmm,
    check_same_dtype,
    mm,
    mv,
)
from tsc.runtime.operators.out_variants import CASTABLE, SAME_IN_PLACE, out_forms, same
from tsc.runtime.operators.pointwise.arithmetic import add, mul_number, scaled
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.values.tensor import Tensor, asarray


def _with_base(base: Tensor, result: np.ndarray, beta: Number, alpha: Number) -> Tensor:
    """``beta * base + alpha * result``; a beta of zero ignores what is in `base`."""
    if alpha != 1:
        result = np.multiply(result, number_array(alpha, result.dtype))
    if beta == 0:
        shape = np.broadcast_shapes(base.array.shape, result.shape)
        return Tensor(np.broadcast_to(result, shape).copy())
    return _added(_scaled(base, beta), Tensor(asarray(result)))


def _scaled(base: Tensor, beta: Number) -> Tensor:
    """``beta * base``; of integers, the integral part of `beta` counts."""
    if beta == 1:
        return base
    if base.array.dtype in FLOATING_DTYPES:
        return mul_number(base, beta)
    return Tensor(asarray(base.array * number_array(beta, base.array.dtype)))


def _added(base: Tensor, result: Tensor) -> Tensor:
    _check_expands(base.array, result.array)
    return add(base, result)


def _check_expands(a: np.ndarray, target: np.ndarray) -> None:
    """That `a` can be expanded to the shape of `target`."""
    lead = target.ndim - a.ndim
    if lead < 0:
        raise ScriptError(
            "RuntimeError",
            f"expand(torch.FloatTensor{{{list(a.shape)}}}, size={list(target.shape)}): the number "
            f"of sizes provided ({target.ndim}) must be greater or equal to the number of "
            f"dimensions in the tensor ({a.ndim})",
        )
    for dimension in range(target.ndim - 1, lead - 1, -1):
        wanted, existing = target.shape[dimension], a.shape[dimension - lead]
        if wanted != existing != 1:
            raise ScriptError(
                "RuntimeError",
                f"The expanded size of the tensor ({wanted}) must match the existing size "
                f"({existing}) at non-singleton dimension {dimension}.  "
                f"Target sizes: {list(target.shape)}.  Tensor sizes: {list(a.shape)}",
            )


_Promotes = Callable[..., bool]
"""Whether a call, given its arguments behind the first factor, takes a tensor of another dtype."""


def _never(*_arguments: Any) -> bool:
    return False


def _always(*_arguments: Any) -> bool:
    return True


def _unscaled(_second: Tensor, beta: Number = 1, alpha: Number = 1) -> bool:
    """PyTorch's executor takes such an addmm apart, into a product and a sum that promotes."""
    return beta == 1 and alpha == 1


def _accumulated(kernel: Callable[..., Tensor], promotes: _Promotes) -> Callable[..., Tensor]:
    """`kernel`, computed in float32 where its first argument has half precision.

    The tensor and the product that is added to it are of one dtype, unless a call `promotes` them.
    """

    @functools.wraps(kernel)
    def on_any(self: Tensor, first: Tensor, *arguments: Any) -> Tensor:
        dtype = self.array.dtype
        if dtype is not first.array.dtype and promotes(*arguments):
            return kernel(self, first, *arguments)
        if dtype is not first.array.dtype:
            check_same_dtype(
                self.array, first.array, "self and mat2, the tensor and the product, must"
            )
        if dtype not in SLOW_DTYPES:
            return kernel(self, first, *arguments)
        wide = [_widened(argument, dtype) for argument in (self, first, *arguments)]
        return Tensor(kernel(*wide).array.astype(dtype))

    return on_any


def _widened(argument: Any, dtype: np.dtype) -> Any:
    if type(argument) is not Tensor or argument.array.dtype is not dtype:
        return argument
    return Tensor(argument.array.astype(FLOAT))


def _declare_sum(
    name: str, arguments: str, kernel: Callable[..., Tensor], promotes: _Promotes
) -> None:
    text = f"aten::{name}(Tensor self, {arguments}, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    operator(text)(_accumulated(kernel, promotes))
    in_place_forms(name)


def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    row, a, b = self.array, mat1.array, mat2.array
    if beta == 1 and alpha == 1 and _is_dense_layer(row, a, b):
        return Tensor(dense(a, b, row))
    return _with_base(self, mm(mat1, mat2).array, beta, alpha)


def _is_dense_layer(row: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether it is added to each row of a product of numbers that are multiplied as they are."""
    return (
        row.dtype is a.dtype is b.dtype
        and a.dtype in (FLOAT, DOUBLE)
        and a.ndim == b.ndim == 2
        and a.shape[1] == b.shape[0]
        and row.shape == b.shape[1:]
    )


def addmv(self: Tensor, mat: Tensor, vec: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    return _with_base(self, mv(mat, vec).array, beta, alpha)


def baddbmm(
    self: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    return _with_base(self, bmm(batch1, batch2).array, beta, alpha)


def _total(products: np.ndarray) -> np.ndarray:
    """The sum of a stack of matrices, in their dtype."""
    return products.sum(0, dtype=products.dtype)


def addbmm(
    self: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    return _with_base(self, _total(bmm(batch1, batch2).array), beta, alpha)


def addr(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    for name, vector in (("vec1", vec1), ("vec2", vec2)):
        if vector.array.ndim != 1:
            raise ScriptError(
                "RuntimeError",
                f"addr: Expected 1-D argument {name}, but got {vector.array.ndim}-D",
            )
    base, first, second = self.array, vec1.array, vec2.array
    dtype = result_dtype((base, first, second))
    rows = scaled(first[:, np.newaxis].astype(dtype), alpha)
    result = rows * second.astype(dtype)
    _check_expands(base, result)
    if beta == 0:
        return Tensor(result)
    return Tensor(scaled(base.astype(dtype), beta, "beta") + result)


_declare_sum("addmm", "Tensor mat1, Tensor mat2", addmm, _unscaled)
_declare_sum("addmv", "Tensor mat, Tensor vec", addmv, _never)
_declare_sum("baddbmm", "Tensor batch1, Tensor batch2", baddbmm, _never)
_declare_sum("addbmm", "Tensor batch1, Tensor batch2", addbmm, _never)
_declare_sum("addr", "Tensor vec1, Tensor vec2", addr, _always)


out_forms(CASTABLE, "addr")
out_forms(SAME_IN_PLACE, "addmm addmv baddbmm")
out_forms(same("self and mat2 must have the same dtype, but got {out} and {result}"), "addbmm")
