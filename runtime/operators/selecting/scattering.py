"""Distributing elements: scatter in all its forms, each element to the place an index gives for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.arrays.dimensions import check_no_overlap, check_not_expanded, wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, LONG, scalar_name
from tsc.runtime.arrays.type_promotion import Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import SAME_IN_PLACE, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.gathering import along, check_index_dtype, check_positions
from tsc.runtime.operators.variants import functional_forms
from tsc.runtime.values.tensor import Tensor

Combine = Callable[[np.ndarray, tuple[np.ndarray, ...], np.ndarray], None]


def _assign(a: np.ndarray, key: tuple[np.ndarray, ...], source: np.ndarray) -> None:
    a[key] = source


REDUCTIONS: dict[str, Combine] = {"add": np.add.at, "multiply": np.multiply.at}
"""What ``scatter(…, reduce=…)`` knows."""


def _checked(
    self: Tensor, dim: int, index: Tensor, source: Tensor | None, name: str = "scatter"
) -> int:
    """The dimension from the front, after what PyTorch asks of the tensors of a scatter."""
    a, positions = self.array, index.array
    dim = wrap_dimension(dim, a.ndim)
    if positions.size:
        check_index_dtype(name, positions)
    if source is not None and source.array.dtype is not a.dtype:
        message = (
            f"{name}(): Expected self.dtype to be equal to src.dtype, not {scalar_name(a.dtype)} "
            f"and {scalar_name(source.array.dtype)}"
        )
        raise ScriptError("RuntimeError", message)
    if positions.size:
        _check_shapes(a, dim, positions, None if source is None else source.array)
    check_not_expanded(a)
    for operand in (index, source):
        if operand is not None:
            check_no_overlap(a, operand.array)
    return dim


def _check_shapes(a: np.ndarray, dim: int, index: np.ndarray, source: np.ndarray | None) -> None:
    """The index is nowhere larger than `source`, and than `a` in other dimensions."""
    shape, places = index.shape or (1,), a.shape or (1,)
    if len(shape) != len(places):
        raise ScriptError(
            "RuntimeError",
            "Index tensor must have the same number of dimensions as self tensor: "
            f"{len(places)}, not {len(shape)}",
        )
    fits = all(n <= m for k, (n, m) in enumerate(zip(shape, places)) if k != dim)
    complaint = (
        f"Expected index {list(index.shape)} to be no larger than self {list(a.shape)} apart from "
        f"dimension {dim}"
    )
    if source is None:
        if not fits:
            raise ScriptError("RuntimeError", complaint)
        return
    given = source.shape or (1,)
    if len(given) != len(shape):
        raise ScriptError(
            "RuntimeError",
            "Index tensor must have the same number of dimensions as src tensor: "
            f"{len(given)}, not {len(shape)}",
        )
    if not (fits and all(n <= m for n, m in zip(shape, given))):
        complaint += f" and to be no larger size than src {list(source.shape)}"
        raise ScriptError("RuntimeError", complaint)


def _key(
    a: np.ndarray, dim: int, index: np.ndarray
) -> tuple[np.ndarray, tuple[np.ndarray, ...], tuple[slice, ...]]:
    """A view of `a` with a dimension at least, the places in it, and what of a source goes there."""
    target, positions = (each.reshape(1) if each.ndim == 0 else each for each in (a, index))
    check_positions(positions, dim, target.shape[dim])
    part = tuple(slice(extent) for extent in positions.shape)
    return target, along(target, dim, positions), part


def _scatter(
    self: Tensor, dim: int, index: Tensor, source: Tensor, combine: Combine = _assign
) -> Tensor:
    """Write the elements of `source` into `self`, each where `index` says along `dim`."""
    if index.array.size:
        target, key, part = _key(self.array, dim, index.array)
        values = source.array
        combine(target, key, values.reshape(1)[part] if values.ndim == 0 else values[part])
    return self


def _scatter_number(
    self: Tensor, dim: int, index: Tensor, value: Number, combine: Combine = _assign
) -> Tensor:
    if index.array.size:
        target, key, _ = _key(self.array, dim, index.array)
        combine(target, key, checked_number_array(value, self.array.dtype))
    return self


def _reduction(reduce: str) -> Combine:
    if reduce not in REDUCTIONS:
        raise ScriptError("RuntimeError", f"reduce argument must be add or multiply, not {reduce}")
    return REDUCTIONS[reduce]


@operator("aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)")
def scatter_(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scatter(self, _checked(self, dim, index, src), index, src)


@operator(
    "aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)"
)
def scatter_value_(self: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    return _scatter_number(self, _checked(self, dim, index, None), index, value)


@operator(
    "aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce)"
    " -> Tensor(a!)"
)
def scatter_with_(self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str) -> Tensor:
    return _scatter(self, _checked(self, dim, index, src), index, src, _reduction(reduce))


@operator(
    "aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *,"
    " str reduce) -> Tensor(a!)"
)
def scatter_value_with_(
    self: Tensor, dim: int, index: Tensor, value: Number, reduce: str
) -> Tensor:
    dim = _checked(self, dim, index, None)
    return _scatter_number(self, dim, index, value, _reduction(reduce))


@operator("aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)")
def scatter_add_(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scatter(self, _checked(self, dim, index, src), index, src, np.add.at)


# -- Reductions --------------------------------------------------------------------------------

REDUCE_FUNCTIONS: dict[str, tuple[np.ufunc, float]] = {
    "sum": (np.add, 0),
    "prod": (np.multiply, 1),
    "mean": (np.add, 0),
    "amax": (np.maximum, -np.inf),
    "amin": (np.minimum, np.inf),
}
"""What ``scatter_reduce`` knows, and where a place begins that does not count itself."""


def reduce_into(
    a: np.ndarray, key: tuple, source: np.ndarray, reduce: str, include_self: bool
) -> None:
    """Reduce the elements of `source` into those of `a` that `key` gives for them."""
    if not include_self:
        a[key] = _identity(a, reduce)
    REDUCE_FUNCTIONS[reduce][0].at(a, key, source)
    if reduce == "mean":
        _divide_by_counts(a, key, source.shape, include_self)


def _identity(a: np.ndarray, reduce: str) -> np.ndarray:
    identity = REDUCE_FUNCTIONS[reduce][1]
    if a.dtype is BOOL:
        return np.array(identity > 0)
    if a.dtype.kind in "iu" and reduce in ("amax", "amin"):
        information = np.iinfo(a.dtype)
        identity = information.min if reduce == "amax" else information.max
    return np.array(identity, a.dtype)


def _divide_by_counts(a: np.ndarray, key: tuple, shape: tuple, include_self: bool) -> None:
    counts = np.full(a.shape, int(include_self), LONG)
    np.add.at(counts, key, np.ones(shape, LONG))
    counts = np.maximum(counts, 1)
    a[...] = a // counts if a.dtype.kind in "iu" else (a / counts).astype(a.dtype)


@operator(
    "aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *,"
    " bool include_self=True) -> Tensor(a!)"
)
def scatter_reduce_(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    dim = _checked(self, dim, index, src)
    if reduce not in REDUCE_FUNCTIONS:
        message = f"reduce argument must be sum, prod, mean, amax or amin, not {reduce}"
        raise ScriptError("RuntimeError", message)
    if not index.array.size:
        return self
    if self.array.dtype in COMPLEX_DTYPES and reduce in ("amax", "amin"):
        raise not_implemented(f"scatter_gather_tensor_cpu_reduce_{reduce}", self.array.dtype)

    def combine(a: np.ndarray, key: tuple[np.ndarray, ...], source: np.ndarray) -> None:
        reduce_into(a, key, source, reduce, include_self)

    return _scatter(self, dim, index, src, combine)


functional_forms(
    """
    scatter_.value scatter_.src scatter_.reduce scatter_.value_reduce scatter_add_
    scatter_reduce_.two
    """
)
out_forms(
    SAME_IN_PLACE,
    "scatter.reduce scatter.src scatter.value scatter.value_reduce scatter_add scatter_reduce.two",
)
