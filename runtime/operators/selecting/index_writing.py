"""Writing rows and elements at given places: index_add, index_copy, index_fill, index_reduce, put."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import check_no_overlap, check_not_expanded, wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, COMPLEX, LONG, scalar_name
from tsc.runtime.arrays.type_promotion import Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import SAME, SAME_IN_PLACE, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.accumulation import add_at
from tsc.runtime.operators.selecting.gathering import INT, check_rows
from tsc.runtime.operators.selecting.scattering import reduce_into
from tsc.runtime.operators.variants import functional_forms
from tsc.runtime.values.tensor import Tensor


def _rows(a: np.ndarray, dim: int) -> np.ndarray:
    """A view of `a` whose first dimension is `dim`."""
    return np.moveaxis(a.reshape(1) if a.ndim == 0 else a, dim, 0)


def _check_memory(a: np.ndarray, *operands: np.ndarray) -> None:
    check_not_expanded(a)
    for operand in operands:
        check_no_overlap(a, operand)


def _checked(
    name: str, self: Tensor, dim: int, index: Tensor, source: Tensor
) -> tuple[int, np.ndarray]:
    """The dimension and the positions of index_add and index_reduce."""
    a, positions, values = self.array, index.array, source.array
    dim = wrap_dimension(dim, a.ndim)
    if positions.ndim > 1:
        raise ScriptError(
            "IndexError",
            f"{name}(): Index is supposed to be a vector, and its shape is {list(positions.shape)}",
        )
    if positions.dtype is not LONG and positions.dtype is not INT:
        raise ScriptError(
            "RuntimeError",
            f"{name}(): Expected dtype int32/int64 for index, not {scalar_name(positions.dtype)}",
        )
    if a.dtype is not values.dtype:
        raise ScriptError(
            "RuntimeError",
            f"{name}(): self ({scalar_name(a.dtype)}) and source ({scalar_name(values.dtype)}) "
            "must have the same scalar type",
        )
    if dim and dim >= values.ndim:
        raise ScriptError(
            "RuntimeError",
            f"{name}(): Indexing dim {dim} is out of bounds of the source, which has "
            f"{values.ndim} dimensions",
        )
    extent = values.shape[dim] if values.ndim else 1
    if positions.size != extent:
        raise ScriptError(
            "RuntimeError",
            f"{name}(): Number of indices ({positions.size}) should be equal to source.size(dim): "
            f"({extent}), for dim: {dim}",
        )
    shapes = a.shape, values.shape
    if a.ndim and values.ndim:
        shapes = tuple(_without(shape, dim) for shape in shapes)
    if shapes[0] != shapes[1]:
        raise ScriptError(
            "RuntimeError",
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(a.shape)} source.shape = {list(values.shape)}",
        )
    _check_memory(a, positions, values)
    check_rows(positions, a.shape[dim] if a.ndim else 1)
    return dim, positions.reshape(-1)


def _without(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    return (*shape[:dim], *shape[dim + 1 :])


@operator(
    "aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)"
    " -> Tensor(a!)"
)
def index_add_(self: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number = 1) -> Tensor:
    dim, positions = _checked("index_add_", self, dim, index, source)
    addend = source.array
    if alpha != 1:
        addend = addend * checked_number_array(alpha, addend.dtype)
    add_at(_rows(self.array, dim), (positions,), _rows(addend, dim))
    return self


@operator("aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)")
def index_copy_(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    a, positions, values = self.array, index.array, source.array
    dim = wrap_dimension(dim, a.ndim)
    problem = _copy_problem(a, dim, positions, values)
    if problem is not None:
        raise ScriptError(problem[0], f"index_copy_(): {problem[1]}")
    _check_memory(a, positions, values)
    target, places = _rows(a, dim), positions.reshape(-1)
    outside = places[(places < 0) | (places >= target.shape[0])]
    if outside.size:
        raise ScriptError(
            "IndexError",
            f"index_copy_(): index {outside[0]} is out of bounds for dimension {dim} with size "
            f"{target.shape[0]}",
        )
    target[places] = values if values.ndim == 0 else np.moveaxis(values, dim, 0)
    return self


def _copy_problem(
    a: np.ndarray, dim: int, index: np.ndarray, source: np.ndarray
) -> tuple[str, str] | None:
    """The kind of error and what is wrong with the arguments of index_copy."""
    if index.ndim > 1:
        return "IndexError", f"Index should have dimension 1 or 0 (got {index.ndim})"
    if source.ndim == 0 and index.size != 1:
        complaint = f"When source is scalar, index should have one element, not {index.size}"
        return "IndexError", complaint
    if source.ndim != a.ndim and source.ndim and a.ndim:
        return "IndexError", (
            "When source and destination are not scalars, they must have equally many "
            f"dimensions, not {source.ndim} and {a.ndim}"
        )
    if index.dtype is not LONG:
        complaint = f"Expected a long tensor for index, but got {scalar_name(index.dtype)}"
        return "IndexError", complaint
    if a.dtype is not source.dtype:
        return "RuntimeError", (
            f"self and source expected to have one dtype, not {scalar_name(a.dtype)} and "
            f"{scalar_name(source.dtype)}"
        )
    slice_shape, source_slice = _without(a.shape, dim), _without(source.shape, dim)
    if slice_shape != source_slice:
        return "RuntimeError", (
            "Source/destination tensor must have same slice shapes, not "
            f"{list(source_slice)} and {list(slice_shape)}"
        )
    if source.ndim and index.size != source.shape[dim]:
        return "IndexError", (
            f"Number of indices ({index.size}) should be equal to source.size(dim) "
            f"({source.shape[dim]})"
        )
    return None


@operator(
    "aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value)"
    " -> Tensor(a!)"
)
def index_fill_tensor_(self: Tensor, dim: int, index: Tensor, value: Tensor) -> Tensor:
    if value.array.ndim:
        raise ScriptError(
            "RuntimeError",
            "Only supports 0-dimensional value tensor, but got tensor with "
            f"{value.array.ndim} dimension(s).",
        )
    return index_fill_(self, dim, index, value.item())


@operator(
    "aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value)"
    " -> Tensor(a!)"
)
def index_fill_(self: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    a, positions = self.array, index.array
    if positions.dtype is not LONG:
        raise ScriptError(
            "IndexError",
            f"index_fill_(): Expected dtype int64 for index, not {scalar_name(positions.dtype)}",
        )
    check_no_overlap(a, positions)
    if type(value) is complex and CATEGORY[a.dtype] != COMPLEX:
        message = (
            f"index_fill_(): Converting complex Scalar to {scalar_name(a.dtype)} is not supported"
        )
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    if positions.ndim > 1:
        raise ScriptError("RuntimeError", "Index has to be a vector/scalar")
    target, places = _rows(a, dim), positions.reshape(-1)
    extent = target.shape[0]
    outside = places[(places < -extent) | (places >= extent)]
    if outside.size:
        message = f"index {outside[0]} is out of bounds for dimension {dim} with size {extent}"
        raise ScriptError("IndexError", message)
    target[places] = checked_number_array(value, a.dtype)
    return self


@operator(
    "aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *,"
    " bool include_self=True) -> Tensor(a!)"
)
def index_reduce_(
    self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise ScriptError(
            "RuntimeError",
            f"index_reduce(): Expected reduce to be prod, mean, amax or amin, not {reduce}",
        )
    dim, positions = _checked("index_reduce_", self, dim, index, source)
    a = self.array
    if a.dtype is BOOL or a.dtype in COMPLEX_DTYPES:
        raise not_implemented("index_func_", a.dtype)
    reduce_into(_rows(a, dim), (positions,), _rows(source.array, dim), reduce, include_self)
    return self


@operator(
    "aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)"
)
def put_(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Elements of `source` at places of `self` that are counted in its order."""
    a, positions, values = self.array, index.array, source.array
    _check_put(a, positions, values)
    flat = a.reshape(-1).copy()
    if accumulate:
        np.add.at(flat, positions.reshape(-1), values.reshape(-1))
    else:
        flat[positions.reshape(-1)] = values.reshape(-1)
    a[...] = flat.reshape(a.shape)
    return self


def _check_put(a: np.ndarray, index: np.ndarray, source: np.ndarray) -> None:
    if index.dtype is not LONG:
        raise ScriptError(
            "RuntimeError",
            f"put_(): Expected a long tensor for index, not {scalar_name(index.dtype)}",
        )
    if a.dtype is not source.dtype:
        raise ScriptError(
            "RuntimeError",
            "put_(): self and source expected to have one dtype, not "
            f"{scalar_name(a.dtype)} and {scalar_name(source.dtype)}",
        )
    if index.size != source.size:
        raise ScriptError(
            "RuntimeError",
            f"put_(): Expected source and index to be of one size, not of {source.size} "
            f"and {index.size} elements",
        )
    _check_memory(a, index, source)
    outside = index[(index >= a.size) | (index < -a.size)]
    if outside.size:
        raise ScriptError(
            "IndexError",
            f"out of range: tried to access index {outside.flat[0]} on a tensor of {a.size} "
            "elements.",
        )


functional_forms("index_add_ index_copy_ index_reduce_ put_")
functional_forms("index_fill_.int_Tensor index_fill_.int_Scalar", layout=Layout.AS_FIRST)
out_forms(SAME, "index_fill.int_Scalar index_fill.int_Tensor put index_reduce")
out_forms(SAME_IN_PLACE, "index_add index_copy")
