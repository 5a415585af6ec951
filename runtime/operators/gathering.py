"""Collecting and distributing elements: gather, scatter, index_select, take, where."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.dimensions import broadcast_shape, check_not_expanded, wrap_dimension
from runtime.dtypes import BOOL, BYTE, LONG, scalar_name
from runtime.errors import ScriptError
from runtime.operators.accumulation import add_at
from runtime.operators.registration import operator
from runtime.operators.shape import FULL
from runtime.tensor import Tensor, asarray, wrap
from runtime.type_promotion import Number, checked_number_array, number_array, result_dtype

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


def check_index(name: str, a: np.ndarray, dim: int, index: np.ndarray) -> None:
    """The index of gather and scatter: integers in range, as many dimensions as `a`; or empty."""
    if not index.size:
        return
    if index.dtype is not LONG and index.dtype is not INT:
        raise ScriptError("RuntimeError", f"{name}(): Expected dtype int32/int64 for index")
    if max(index.ndim, 1) != max(a.ndim, 1):
        raise ScriptError(
            "RuntimeError", "Index tensor must have the same number of dimensions as input tensor"
        )
    extent = a.shape[dim] if a.ndim else 1
    outside = index[(index < 0) | (index >= extent)]
    if outside.size:
        message = f"index {outside.flat[0]} is out of bounds for dimension {dim} with size {extent}"
        raise ScriptError("RuntimeError", message)


@operator("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor")
def gather(self: Tensor, dim: int, index: Tensor, sparse_grad: bool = False) -> Tensor:
    a, positions = self.array, index.array
    dim = wrap_dimension(dim, a.ndim)
    check_index("gather", a, dim, positions)
    if not positions.size:
        return Tensor(np.empty(positions.shape, a.dtype))
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


def check_source(a: np.ndarray, dim: int, index: np.ndarray, source: np.ndarray) -> None:
    if a.dtype is not source.dtype:
        raise ScriptError("RuntimeError", "scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.size:
        return
    if max(source.ndim, 1) != max(index.ndim, 1):
        raise ScriptError(
            "RuntimeError", "Index tensor must have the same number of dimensions as src tensor"
        )
    fits = all(extent <= available for extent, available in zip(index.shape, source.shape))
    inside = all(
        axis == dim or extent <= available
        for axis, (extent, available) in enumerate(zip(index.shape, a.shape))
    )
    if not (fits and inside):
        raise ScriptError(
            "RuntimeError",
            f"Expected index {list(index.shape)} to be no larger than self {list(a.shape)} apart "
            f"from dimension {dim} and to be no larger size than src {list(source.shape)}",
        )


def _assign(a: np.ndarray, key: tuple, source: np.ndarray) -> None:
    a[key] = source


REDUCTIONS: dict[str, Callable[[np.ndarray, tuple, np.ndarray], None]] = {
    "add": np.add.at,
    "multiply": np.multiply.at,
}


def _scatter(
    self: Tensor, dim: int, index: Tensor, source: np.ndarray, reduce: str | None = None
) -> Tensor:
    """Write `source` (of the shape of the index, or larger, or 0-dim) into `self`."""
    a, positions = self.array, index.array
    dim = wrap_dimension(dim, a.ndim)
    if source.ndim or a.ndim == 0:
        check_source(a, dim, positions, source)
    check_index("scatter", a, dim, positions)
    if source.ndim or a.ndim == 0:
        source = source[tuple(slice(extent) for extent in positions.shape)]
    if reduce is not None and reduce not in REDUCTIONS:
        raise ScriptError("RuntimeError", "reduce argument must be either add or multiply.")
    check_not_expanded(a)
    put = _assign if reduce is None else REDUCTIONS[reduce]
    if positions.size:
        flat = a.reshape(1) if a.ndim == 0 else a
        if positions.ndim == 0:
            positions, source = positions.reshape(1), source.reshape(-1)
        put(flat, along(flat, dim, positions), source)
    return self


def _copy(tensor: Tensor) -> Tensor:
    return Tensor(tensor.array.copy())


@operator("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor")
def scatter_value(self: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    return scatter_value_(_copy(self), dim, index, value)


@operator("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor")
def scatter(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scatter(_copy(self), dim, index, src.array)


@operator(
    "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"
)
def scatter_with(self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str) -> Tensor:
    return _scatter(_copy(self), dim, index, src.array, reduce)


@operator("aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)")
def scatter_(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scatter(self, dim, index, src.array)


@operator(
    "aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)"
)
def scatter_value_(self: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    return _scatter(self, dim, index, checked_number_array(value, self.array.dtype))


@operator(
    "aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce)"
    " -> Tensor(a!)"
)
def scatter_with_(self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str) -> Tensor:
    return _scatter(self, dim, index, src.array, reduce)


@operator("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor")
def scatter_add(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scatter(_copy(self), dim, index, src.array, "add")


@operator("aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)")
def scatter_add_(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scatter(self, dim, index, src.array, "add")


def check_rows(index: np.ndarray, extent: int) -> None:
    """Raise unless every number of `index`, which is int64 or int32, is in [0, `extent`)."""
    if index.size == 0:
        return
    unsigned = index.view(np.uint64 if index.dtype is LONG else np.uint32)
    if unsigned.max() >= extent:
        raise ScriptError("IndexError", "index out of range in self")


def vector_index(name: str, a: np.ndarray, dim: int, index: np.ndarray) -> tuple[int, np.ndarray]:
    """The dimension and the index of the operators that take a vector of positions."""
    dim = wrap_dimension(dim, a.ndim)
    if index.ndim > 1:
        raise ScriptError("IndexError", f"{name}(): Index is supposed to be a vector")
    if index.dtype is not LONG and index.dtype is not INT:
        message = f"{name}(): Expected dtype int32 or int64 for index"
        raise ScriptError("RuntimeError", message)
    check_rows(index, a.shape[dim] if a.ndim else 1)
    return dim, index.reshape(-1)


@operator("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor")
def index_select(self: Tensor, dim: int, index: Tensor) -> Tensor:
    a = self.array
    dim, positions = vector_index("index_select", a, dim, index.array)
    return Tensor(a.take(positions, dim) if a.ndim else a.copy())


@operator(
    "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)"
    " -> Tensor"
)
def index_add(self: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number = 1) -> Tensor:
    return index_add_(_copy(self), dim, index, source, alpha)


@operator(
    "aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)"
    " -> Tensor(a!)"
)
def index_add_(self: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number = 1) -> Tensor:
    a = self.array
    dim, positions = vector_index("index_add", a, dim, index.array)
    if a.dtype is not source.array.dtype:
        raise ScriptError(
            "RuntimeError",
            "index_add_(): self and source expected to have the same dtype, but got (self) "
            f"{scalar_name(a.dtype)} and (source) {scalar_name(source.array.dtype)}",
        )
    addend = source.array if alpha == 1 else source.array * number_array(alpha, a.dtype)
    target, addend = (
        np.moveaxis(np.atleast_1d(a), dim, 0),
        np.moveaxis(np.atleast_1d(addend), dim, 0),
    )
    add_at(target, (positions,), addend)
    return self


@operator("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor")
def index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    return index_copy_(_copy(self), dim, index, source)


@operator("aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)")
def index_copy_(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    a = self.array
    if a.dtype is not source.array.dtype:
        raise ScriptError(
            "RuntimeError",
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{scalar_name(a.dtype)} and (source) {scalar_name(source.array.dtype)}",
        )
    dim, positions = vector_index("index_copy_", a, dim, index.array)
    np.atleast_1d(a)[(*(FULL,) * dim, positions)] = source.array
    return self


@operator("aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor")
def index_fill_tensor(self: Tensor, dim: int, index: Tensor, value: Tensor) -> Tensor:
    return index_fill_tensor_(_copy(self), dim, index, value)


@operator("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor")
def index_fill(self: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    return index_fill_(_copy(self), dim, index, value)


@operator(
    "aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value)"
    " -> Tensor(a!)"
)
def index_fill_tensor_(self: Tensor, dim: int, index: Tensor, value: Tensor) -> Tensor:
    if value.array.ndim:
        raise ScriptError(
            "RuntimeError",
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.array.ndim} dimension(s).",
        )
    return index_fill_(self, dim, index, value.item())


@operator(
    "aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value)"
    " -> Tensor(a!)"
)
def index_fill_(self: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    a = self.array
    dim, positions = vector_index("index_fill_", a, dim, index.array)
    np.atleast_1d(a)[(*(FULL,) * dim, positions)] = checked_number_array(value, a.dtype)
    return self


@operator("aten::take(Tensor self, Tensor index) -> Tensor")
def take(self: Tensor, index: Tensor) -> Tensor:
    a, positions = self.array.reshape(-1), index.array
    if positions.dtype is not LONG:
        message = (
            f"take(): Expected a long tensor for index, but got {scalar_name(positions.dtype)}"
        )
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
    dim = wrap_dimension(dim, a.ndim)
    shape = broadcast_shape(
        (*a.shape[:dim], 1, *a.shape[dim + 1 :]),
        (*positions.shape[:dim], 1, *positions.shape[dim + 1 :]),
    )
    wide_a = np.broadcast_to(a, (*shape[:dim], a.shape[dim], *shape[dim + 1 :]))
    wide = np.broadcast_to(positions, (*shape[:dim], positions.shape[dim], *shape[dim + 1 :]))
    from_front = np.where(wide < 0, wide + a.shape[dim], wide)
    return gather(Tensor(wide_a), dim, Tensor(from_front))


@operator(
    "aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)"
)
def put_(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    a, positions = self.array, index.array.reshape(-1)
    outside = positions[(positions >= a.size) | (positions < -a.size)]
    if outside.size:
        raise ScriptError(
            "IndexError",
            f"out of range: tried to access index {outside.flat[0]} on a tensor of {a.size} "
            "elements.",
        )
    flat = a.reshape(-1).copy()
    values = source.array.reshape(-1)
    if accumulate:
        np.add.at(flat, positions, values)
    else:
        flat[positions] = values
    a[...] = flat.reshape(a.shape)
    return self


def _condition(condition: Tensor) -> np.ndarray:
    mask = condition.array
    if mask.dtype is BOOL:
        return mask
    if mask.dtype is BYTE:
        return mask.astype(BOOL)
    raise ScriptError(
        "RuntimeError",
        "where expected condition to be a boolean tensor, but got a tensor with dtype "
        f"{scalar_name(mask.dtype)}",
    )


def _where(condition: Tensor, a: np.ndarray | Number, b: np.ndarray | Number) -> Tensor:
    mask = _condition(condition)
    if type(a) is type(b) is np.ndarray and a.dtype is b.dtype:
        return _chosen(mask, a, b)
    dtype = result_dtype((a, b))
    first, second = (
        x.astype(dtype, copy=False) if type(x) is np.ndarray else number_array(x, dtype)
        for x in (a, b)
    )
    return _chosen(mask, first, second)


def _chosen(mask: np.ndarray, a: np.ndarray, b: np.ndarray) -> Tensor:
    try:
        return Tensor(np.where(mask, a, b))
    except ValueError:
        broadcast_shape(mask.shape, a.shape, b.shape)
        raise


@operator("aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor")
def where(condition: Tensor, self: Tensor, other: Tensor) -> Tensor:
    return _where(condition, self.array, other.array)


@operator("aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor")
def where_other_number(condition: Tensor, self: Tensor, other: Number) -> Tensor:
    return _where(condition, self.array, other)


@operator("aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor")
def where_self_number(condition: Tensor, self: Number, other: Tensor) -> Tensor:
    return _where(condition, self, other.array)


@operator("aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor")
def where_numbers(condition: Tensor, self: Number, other: Number) -> Tensor:
    return _where(condition, self, other)


@operator("aten::where(Tensor condition) -> Tensor[]")
def where_nonzero(condition: Tensor) -> list[Tensor]:
    return [Tensor(positions) for positions in np.nonzero(np.atleast_1d(condition.array))]


@operator("aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor")
def select_scatter(self: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    result = self.array.copy()
    dim = wrap_dimension(dim, result.ndim)
    result[(*(FULL,) * dim, index)] = src.array
    return Tensor(result)


@operator(
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None,"
    " SymInt? end=None, SymInt step=1) -> Tensor"
)
def slice_scatter(
    self: Tensor,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    result = self.array.copy()
    dim = wrap_dimension(dim, result.ndim)
    result[(*(FULL,) * dim, slice(start, end, step))] = asarray(src.array)
    return Tensor(result)
