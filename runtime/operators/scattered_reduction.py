"""Reducing elements into those that an index gives for them."""

from __future__ import annotations

import numpy as np

from runtime.dimensions import wrap_dimension
from runtime.dtypes import BOOL, LONG, scalar_name
from runtime.errors import ScriptError
from runtime.operators.elementwise import COMPLEX_DTYPES, not_implemented
from runtime.operators.gathering import along, check_index, check_source, vector_index
from runtime.operators.registration import operator
from runtime.tensor import Tensor

REDUCE_FUNCTIONS = {
    "sum": (np.add, 0),
    "prod": (np.multiply, 1),
    "mean": (np.add, 0),
    "amax": (np.maximum, -np.inf),
    "amin": (np.minimum, np.inf),
}


def _identity(a: np.ndarray, reduce: str) -> np.ndarray:
    identity = REDUCE_FUNCTIONS[reduce][1]
    if a.dtype is BOOL:
        return np.array(identity > 0)
    if a.dtype.kind in "iu" and reduce in ("amax", "amin"):
        information = np.iinfo(a.dtype)
        identity = information.min if reduce == "amax" else information.max
    return np.array(identity, a.dtype)


@operator(
    "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *,"
    " bool include_self=True) -> Tensor"
)
def scatter_reduce(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    return scatter_reduce_(Tensor(self.array.copy()), dim, index, src, reduce, include_self)


@operator(
    "aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *,"
    " bool include_self=True) -> Tensor(a!)"
)
def scatter_reduce_(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    a, positions, source = self.array, index.array, src.array
    if reduce not in REDUCE_FUNCTIONS:
        message = f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    check_index("scatter", a, dim, positions)
    check_source(a, dim, positions, source)
    if not positions.size:
        return self
    key = along(a, dim, positions)
    source = source[tuple(slice(extent) for extent in positions.shape)]
    _reduce_into(a, key, source, reduce, include_self)
    return self


def _reduce_into(
    a: np.ndarray, key: tuple, source: np.ndarray, reduce: str, include_self: bool
) -> None:
    """Reduce the elements of `source` into those of `a` that `key` gives for them."""
    if not include_self:
        a[key] = _identity(a, reduce)
    REDUCE_FUNCTIONS[reduce][0].at(a, key, source)
    if reduce == "mean":
        _divide_by_counts(a, key, source.shape, include_self)


def _divide_by_counts(a: np.ndarray, key: tuple, shape: tuple, include_self: bool) -> None:
    counts = np.full(a.shape, int(include_self), LONG)
    np.add.at(counts, key, np.ones(shape, LONG))
    counts = np.maximum(counts, 1)
    a[...] = a // counts if a.dtype.kind in "iu" else (a / counts).astype(a.dtype)


@operator(
    "aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *,"
    " bool include_self=True) -> Tensor(a!)"
)
def index_reduce_(
    self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    a, rows = self.array, source.array
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise ScriptError(
            "RuntimeError",
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}.",
        )
    if a.dtype is BOOL or a.dtype in COMPLEX_DTYPES:
        raise not_implemented("index_func_", a.dtype)
    dim, positions = vector_index("index_reduce_", a, dim, index.array)
    if a.dtype is not rows.dtype:
        raise ScriptError(
            "RuntimeError",
            f"index_reduce_(): self ({scalar_name(a.dtype)}) and source "
            f"({scalar_name(rows.dtype)}) must have the same scalar type",
        )
    extent = rows.shape[dim] if rows.ndim else 1
    if positions.size != extent:
        raise ScriptError(
            "RuntimeError",
            f"index_reduce_(): Number of indices ({positions.size}) should be equal to "
            f"source.size(dim): ({extent}), for dim: {dim}",
        )
    target = np.moveaxis(np.atleast_1d(a), dim, 0)
    _reduce_into(
        target, (positions,), np.moveaxis(np.atleast_1d(rows), dim, 0), reduce, include_self
    )
    return self


@operator(
    "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *,"
    " bool include_self=True) -> Tensor"
)
def index_reduce(
    self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool = True
) -> Tensor:
    return index_reduce_(Tensor(self.array.copy()), dim, index, source, reduce, include_self)
