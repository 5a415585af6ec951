"""Collecting elements: gather, index_select, take, where."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import broadcast_shape, wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, BYTE, CATEGORY, FLOATING, LONG, scalar_name
from tsc.runtime.arrays.type_promotion import (
    Number,
    checked_number_array,
    number_array,
    result_dtype,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import composed
from tsc.runtime.operators.out_variants import SAME, apart, in_place, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, wrap

INT = np.dtype(np.int32)


def along(a: np.ndarray, dim: int, index: np.ndarray) -> tuple[np.ndarray, ...]:
    """The key that selects ``a[i][index[i][j]]`` along `dim`."""
    key = []
    for axis, extent in enumerate(index.shape):
        if axis == dim:
            key.append(index)
            continue
        positions = np.arange(extent)
        key.append(positions.reshape([-1 if k == axis else 1 for k in range(index.ndim)]))
    return tuple(key)


def check_index_dtype(name: str, index: np.ndarray) -> None:
    """The index of gather and scatter holds integers."""
    if index.dtype is not LONG and index.dtype is not INT:
        raise ScriptError("RuntimeError", f"{name}(): Expected dtype int32/int64 for index")


def check_positions(index: np.ndarray, dim: int, extent: int) -> None:
    """Raise unless every number of `index` is in [0, `extent`)."""
    outside = index[(index < 0) | (index >= extent)]
    if outside.size:
        message = f"index {outside.flat[0]} is out of bounds for dimension {dim} with size {extent}"
        raise ScriptError("RuntimeError", message)


@operator(
    "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def gather(self: Tensor, dim: int, index: Tensor, sparse_grad: bool = False) -> Tensor:
    a, positions = self.array, index.array
    dim = wrap_dimension(dim, a.ndim)
    if not positions.size:
        return Tensor(np.empty(positions.shape, a.dtype))
    check_index_dtype("gather", positions)
    if max(positions.ndim, 1) != max(a.ndim, 1):
        raise ScriptError(
            "RuntimeError",
            f"Index tensor must have the same number of dimensions as input: {a.ndim}, "
            f"not {positions.ndim}",
        )
    check_positions(positions, dim, a.shape[dim] if a.ndim else 1)
    for axis, (extent, available) in enumerate(zip(positions.shape, a.shape)):
        if axis != dim and extent > available:
            raise ScriptError(
                "RuntimeError",
                f"Size does not match at dimension {axis} expected index {list(positions.shape)} "
                f"to be no larger than self {list(a.shape)} apart from dimension {dim}",
            )
    if a.ndim == 0:
        return Tensor(np.full(positions.shape, a))
    if positions.ndim == 0:
        return wrap(a[positions])
    return Tensor(a[along(a, dim, positions)])


def check_rows(index: np.ndarray, extent: int) -> None:
    """Raise unless every number of `index`, which is int64 or int32, is in [0, `extent`)."""
    if index.size == 0:
        return
    unsigned = index.view(np.uint64 if index.dtype is LONG else np.uint32)
    if unsigned.max() >= extent:
        raise ScriptError("IndexError", "index out of range in self")


@operator("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor")
def index_select(self: Tensor, dim: int, index: Tensor) -> Tensor:
    a, positions = self.array, index.array
    if positions.ndim > 1:
        raise ScriptError(
            "IndexError",
            f"index_select(): Index is supposed to be a vector, and has {positions.ndim} "
            "dimensions",
        )
    if a.ndim == 0 and positions.size != 1:
        raise ScriptError(
            "RuntimeError",
            f"index_select(): Index to scalar can have only 1 value, not {positions.size}",
        )
    if positions.dtype is not LONG and positions.dtype is not INT:
        message = (
            "index_select(): Expected dtype int32 or int64 for index, not "
            f"{scalar_name(positions.dtype)}"
        )
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    check_rows(positions, a.shape[dim] if a.ndim else 1)
    return Tensor(a.take(positions.reshape(-1), dim) if a.ndim else a.copy())


@operator("aten::take(Tensor self, Tensor index) -> Tensor")
def take(self: Tensor, index: Tensor) -> Tensor:
    a, positions = self.array.reshape(-1), index.array
    if positions.dtype is not LONG:
        message = f"take(): Expected a long tensor for index, not {scalar_name(positions.dtype)}"
        raise ScriptError("IndexError", message)
    outside = positions[(positions >= a.size) | (positions < -a.size)]
    if outside.size:
        raise ScriptError(
            "IndexError",
            f"out of range: tried to access index {outside.flat[0]} on a tensor of {a.size} "
            "elements.",
        )
    return wrap(a[positions])


@operator("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor")
def take_along_dim(self: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    if dim is None:
        return gather(Tensor(self.array.reshape(-1)), 0, Tensor(indices.array.reshape(-1)))
    a, positions = self.array, indices.array
    if a.ndim != positions.ndim:
        raise ScriptError(
            "RuntimeError",
            "torch.take_along_dim(): input and indices should have equally many "
            f"dimensions, not {a.ndim} and {positions.ndim}",
        )
    if positions.dtype is not LONG:
        raise ScriptError(
            "RuntimeError",
            "torch.take_along_dim(): dtype of indices should be Long, not "
            f"{scalar_name(positions.dtype)}",
        )
    if a.ndim == 0:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    dim = wrap_dimension(dim, a.ndim)
    shape = broadcast_shape(
        (*a.shape[:dim], 1, *a.shape[dim + 1 :]),
        (*positions.shape[:dim], 1, *positions.shape[dim + 1 :]),
    )
    wide_a = np.broadcast_to(a, (*shape[:dim], a.shape[dim], *shape[dim + 1 :]))
    wide = np.broadcast_to(positions, (*shape[:dim], positions.shape[dim], *shape[dim + 1 :]))
    from_front = np.where(wide < 0, wide + a.shape[dim], wide)
    return gather(Tensor(wide_a), dim, Tensor(from_front))


def _condition(condition: Tensor) -> np.ndarray:
    mask = condition.array
    if mask.dtype is BOOL:
        return mask
    if mask.dtype is BYTE:
        return mask.astype(BOOL)
    raise ScriptError(
        "RuntimeError",
        f"where expected condition to be a boolean tensor, not {scalar_name(mask.dtype)}",
    )


def _where(condition: Tensor, a: np.ndarray | Number, b: np.ndarray | Number) -> Tensor:
    mask = _condition(condition)
    if type(a) is np.ndarray and type(b) is np.ndarray and a.dtype is b.dtype:
        return _chosen(mask, a, b)
    dtype = result_dtype((a, b))
    first, second = (
        x.astype(dtype, copy=False) if isinstance(x, np.ndarray) else _number(x, dtype)
        for x in (a, b)
    )
    return _chosen(mask, first, second)


def _number(number: Number, dtype: np.dtype) -> np.ndarray:
    """`number` in `dtype`; among integers it must fit."""
    is_integral = CATEGORY[dtype] < FLOATING
    return checked_number_array(number, dtype) if is_integral else number_array(number, dtype)


def _chosen(mask: np.ndarray, a: np.ndarray, b: np.ndarray) -> Tensor:
    try:
        return Tensor(np.where(mask, a, b))
    except ValueError:
        broadcast_shape(mask.shape, a.shape, b.shape)
        raise


@operator(
    "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
    "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
    "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
    "aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
    layout=Layout.AS_OPERANDS,
    expression=composed(""),
)
def where(condition: Tensor, self: Tensor | Number, other: Tensor | Number) -> Tensor:
    a = self.array if isinstance(self, Tensor) else self
    return _where(condition, a, other.array if isinstance(other, Tensor) else other)


@operator("aten::where(Tensor condition) -> Tensor[]")
def where_nonzero(condition: Tensor) -> list[Tensor]:
    return list(map(Tensor, np.stack(np.nonzero(np.atleast_1d(condition.array)))))


out_forms(SAME, "take_along_dim")
out_forms(
    apart(same("index_select(): self and result must have one dtype, not {result} and {out}")),
    "index_select",
)
out_forms(
    in_place(
        same(
            "take(): self and out expected to have the same dtype, but got self.dtype = {result} and "
            "out.dtype = {out}"
        )
    ),
    "take",
)
out_forms(in_place(same("Expected out type to be {result} but got {out}")), "where.self")
out_forms(apart(same("gather(): Expected self.dtype to be equal to result.dtype")), "gather")
