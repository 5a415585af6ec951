"""Distinct elements of tensors, and runs of equal ones."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, LONG
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


def _unique(
    a: np.ndarray, axis: int | None, consecutive: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """The distinct elements (or slices along `axis`), where each went, how often each occurs."""
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("unique" if axis is None else "unique_dim", a.dtype)
    if axis is not None and 0 in (*a.shape[:axis], *a.shape[axis + 1 :]):
        raise ScriptError(
            "RuntimeError",
            "There are 0 sized dimensions besides the selected one: unique has nothing to compare",
        )
    if consecutive:
        values, inverse, counts = _runs(a, axis)
    else:
        values, inverse, counts = np.unique(
            a, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
        )
    shape = a.shape if axis is None else (a.shape[axis],)
    return Tensor(values), Tensor(inverse.reshape(shape)), Tensor(counts.astype(LONG))


def _axis(a: np.ndarray, dim: int) -> int:
    if a.ndim == 0:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    return wrap_dimension(dim, a.ndim)


def _runs(a: np.ndarray, axis: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = a.reshape(-1) if axis is None else np.moveaxis(a, axis, 0)
    count = rows.shape[0]
    flat = rows.reshape(count, -1) if count else rows.reshape(0, 1)
    starts = np.ones(count, BOOL)
    starts[1:] = (flat[1:] != flat[:-1]).any(axis=1)
    positions = np.flatnonzero(starts)
    values = rows[starts]
    if axis is not None:
        values = np.moveaxis(values, 0, axis)
    return values, np.cumsum(starts) - 1, np.diff(np.append(positions, count))


def _wanted(results: tuple[Tensor, Tensor, Tensor], inverse: bool, counts: bool):
    nothing = Tensor(np.empty(0, LONG))
    return results[0], results[1] if inverse else nothing, results[2] if counts else nothing


@operator(
    "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)"
)
def unique(
    self: Tensor, sorted: bool = True, return_inverse: bool = False
) -> tuple[Tensor, Tensor]:
    return _wanted(_unique(self.array, None), return_inverse, False)[:2]


@operator(
    "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False,"
    " bool return_counts=False) -> (Tensor, Tensor, Tensor)"
)
def unique2(
    self: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    results = _unique(self.array, None)
    return _wanted(results, return_inverse, return_counts)


@operator(
    "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False,"
    " bool return_counts=False) -> (Tensor, Tensor, Tensor)"
)
def unique_dim(
    self: Tensor,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    return _unique(self.array, _axis(self.array, dim))


@operator(
    "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False,"
    " int? dim=None) -> (Tensor, Tensor, Tensor)"
)
def unique_consecutive(
    self: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    if dim is not None and not (dim == 0 and self.array.ndim == 1):
        return unique_dim_consecutive(self, dim)
    return _wanted(_unique(self.array, None, consecutive=True), return_inverse, return_counts)


@operator(
    "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False,"
    " bool return_counts=False) -> (Tensor, Tensor, Tensor)"
)
def unique_dim_consecutive(
    self: Tensor, dim: int, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    return _unique(self.array, _axis(self.array, dim), consecutive=True)


out_forms(SAME, "_unique _unique2 unique_consecutive unique_dim unique_dim_consecutive")
