"""Sorting, searching and counting; running sums, products and extremes."""

from __future__ import annotations

import numpy as np

from runtime.dimensions import wrap_dimension
from runtime.dtypes import BFLOAT16, BOOL, FLOAT, LONG, NUMPY_OF_CODE
from runtime.errors import ScriptError
from runtime.operators.elementwise import COMPLEX_DTYPES, FLOATING_DTYPES, not_implemented
from runtime.operators.joining import cat
from runtime.operators.reduction import WIDE
from runtime.operators.registration import operator
from runtime.operators.variants import in_place_variant, out_variant
from runtime.tensor import Tensor, asarray, wrap
from runtime.type_promotion import Number

INT = np.dtype(np.int32)


def _key(a: np.ndarray, descending: bool) -> np.ndarray:
    """What to sort by in ascending order, so that NaN counts as the largest."""
    if a.dtype not in FLOATING_DTYPES:
        return np.invert(a) if descending else a
    comparable = a.astype(FLOAT) if a.dtype is BFLOAT16 else a
    if not descending:
        return comparable
    if np.isnan(comparable).any():
        ranks = np.unique(comparable, return_inverse=True)[1]
        return np.negative(ranks.reshape(a.shape))
    return np.negative(comparable)


def _order(a: np.ndarray, dim: int, descending: bool) -> np.ndarray:
    """The stable order along `dim`."""
    return np.argsort(_key(a, descending), dim, "stable")


def _sorted(a: np.ndarray, dim: int, descending: bool) -> tuple[np.ndarray, np.ndarray]:
    dim = wrap_dimension(dim, a.ndim)
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", " Sort does not support complex dtypes on CPU")
    if a.ndim == 0:
        return a.copy(), np.zeros((), LONG)
    order = _order(a, dim, descending)
    return (a[order] if a.ndim == 1 else np.take_along_axis(a, order, dim)), order


@operator(
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"
)
def sort(self: Tensor, dim: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    values, order = _sorted(self.array, dim, descending)
    return Tensor(values), Tensor(order)


@operator(
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False)"
    " -> (Tensor values, Tensor indices)"
)
def sort_stable(
    self: Tensor, stable: bool | None, dim: int = -1, descending: bool = False
) -> tuple[Tensor, Tensor]:
    return sort(self, dim, descending)


out_variant(
    "aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values,"
    " Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
    sort,
    outputs=2,
)


@operator("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor")
def argsort(self: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    return Tensor(_sorted(self.array, dim, descending)[1])


@operator(
    "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"
)
def argsort_stable(self: Tensor, stable: bool, dim: int = -1, descending: bool = False) -> Tensor:
    return argsort(self, dim, descending)


@operator("aten::msort(Tensor self) -> Tensor")
def msort(self: Tensor) -> Tensor:
    return Tensor(_sorted(self.array, 0, False)[0])


@operator(
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True)"
    " -> (Tensor values, Tensor indices)"
)
def topk(
    self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    a = self.array
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if not 0 <= k <= extent:
        raise ScriptError("RuntimeError", "selected index k out of range")
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("topk", a.dtype)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    order = _first_in_order(_key(a, largest), k, dim)
    values = a[order] if a.ndim == 1 else np.take_along_axis(a, order, dim)
    return Tensor(values), Tensor(order)


def _first_in_order(key: np.ndarray, k: int, dim: int) -> np.ndarray:
    """Where the `k` smallest along `dim` stand, the smallest first."""
    first = (*(slice(None),) * dim, slice(0, k))
    if not 0 < k < key.shape[dim] // 4:
        return np.argsort(key, dim, "stable")[first].copy()
    candidates = np.sort(np.argpartition(key, k - 1, dim)[first], dim)
    order = np.argsort(np.take_along_axis(key, candidates, dim), dim, "stable")
    return np.take_along_axis(candidates, order, dim)


out_variant(
    "aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *,"
    " Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
    topk,
    outputs=2,
)


@operator(
    "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False)"
    " -> (Tensor values, Tensor indices)"
)
def kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    a = self.array
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if not 1 <= k <= extent:
        message = f"kthvalue(): selected number k out of range for dimension {dim}"
        raise ScriptError("RuntimeError", message)
    values, order = _sorted(a, dim, False)
    if a.ndim == 0:
        return Tensor(values), Tensor(order)
    chosen = (*(slice(None),) * dim, slice(k - 1, k) if keepdim else k - 1, ...)
    return Tensor(values[chosen].copy()), Tensor(order[chosen].copy())


def _unique(
    a: np.ndarray, axis: int | None, consecutive: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """The distinct elements (or slices along `axis`), where each went, how often each occurs."""
    if consecutive:
        values, inverse, counts = _runs(a, axis)
    else:
        values, inverse, counts = np.unique(
            a, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
        )
    shape = a.shape if axis is None else (a.shape[axis],)
    return Tensor(values), Tensor(inverse.reshape(shape)), Tensor(counts.astype(LONG))


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
    return _wanted(results, return_inverse or return_counts, return_counts)


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
    return _unique(self.array, wrap_dimension(dim, self.array.ndim))


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
    axis = None if dim is None else wrap_dimension(dim, self.array.ndim)
    return _wanted(_unique(self.array, axis, consecutive=True), return_inverse, return_counts)


def _search(boundaries: np.ndarray, values: np.ndarray, right: bool) -> np.ndarray:
    """Where each value belongs in its row of sorted boundaries."""
    side = "right" if right else "left"
    if boundaries.ndim == 1:
        return np.searchsorted(boundaries, values, side)
    if boundaries.shape[:-1] != values.shape[:-1]:
        raise ScriptError(
            "RuntimeError",
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
            "dimensions of boundaries tensor and input value tensor must match, but we got "
            f"boundaries tensor {list(boundaries.shape)} and input value tensor "
            f"{list(values.shape)}",
        )
    result = np.empty(values.shape, LONG)
    for position in np.ndindex(*boundaries.shape[:-1]):
        result[position] = np.searchsorted(boundaries[position], values[position], side)
    return result


_SEARCH = "*, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None"


@operator(f"aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, {_SEARCH}) -> Tensor")
def searchsorted(
    sorted_sequence: Tensor,
    self: Tensor,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    if side not in (None, "left", "right"):
        message = f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}"
        raise ScriptError("RuntimeError", message)
    boundaries = sorted_sequence.array
    if sorter is not None:
        boundaries = np.take_along_axis(boundaries, sorter.array, -1)
    result = _search(boundaries, self.array, right or side == "right")
    return Tensor(asarray(result, INT if out_int32 else LONG))


@operator(f"aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, {_SEARCH}) -> Tensor")
def searchsorted_number(
    sorted_sequence: Tensor,
    self: Number,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    return searchsorted(sorted_sequence, Tensor(np.array(self)), out_int32, right, side, sorter)


_BUCKETS = "*, bool out_int32=False, bool right=False"


@operator(f"aten::bucketize.Tensor(Tensor self, Tensor boundaries, {_BUCKETS}) -> Tensor")
def bucketize(
    self: Tensor, boundaries: Tensor, out_int32: bool = False, right: bool = False
) -> Tensor:
    return searchsorted(boundaries, self, out_int32, right)


@operator(f"aten::bucketize.Scalar(Scalar self, Tensor boundaries, {_BUCKETS}) -> Tensor")
def bucketize_number(
    self: Number, boundaries: Tensor, out_int32: bool = False, right: bool = False
) -> Tensor:
    return searchsorted_number(boundaries, self, out_int32, right)


@operator("aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor")
def bincount(self: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    a = self.array
    if a.dtype in FLOATING_DTYPES:
        raise not_implemented("bincount_cpu", a.dtype)
    if a.ndim != 1 or (a.size and a.min() < 0):
        message = "bincount only supports 1-d non-negative integral inputs."
        raise ScriptError("RuntimeError", message)
    if weights is None:
        return Tensor(np.bincount(a, minlength=minlength).astype(LONG))
    counted = np.bincount(a, weights.array, minlength)
    return Tensor(counted.astype(FLOAT if weights.array.dtype is FLOAT else np.float64))


@operator("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor")
def histc(self: Tensor, bins: int = 100, min: Number = 0, max: Number = 0) -> Tensor:
    a = self.array.reshape(-1)
    low, high = float(min), float(max)
    if low == high and a.size:
        low, high = float(a.min()), float(a.max())
    if low == high:
        low, high = low - 1, high + 1
    if bins <= 0:
        raise ScriptError("RuntimeError", f"torch.histogram(): bins must be > 0, got {bins}")
    inside = a[(a >= low) & (a <= high)]
    position = ((inside - low) * (bins / (high - low))).astype(LONG)
    counts = np.bincount(np.minimum(position, bins - 1), minlength=bins)
    return Tensor(counts.astype(a.dtype))


def _accumulate(ufunc: np.ufunc, a: np.ndarray, dim: int, dtype: int | None) -> Tensor:
    target = a.dtype if a.dtype in FLOATING_DTYPES else LONG
    if dtype is not None:
        target = NUMPY_OF_CODE[dtype]
    dim = wrap_dimension(dim, a.ndim)
    a = a.astype(WIDE.get(target, target), copy=False)
    result = a.copy() if a.ndim == 0 else ufunc.accumulate(a, dim)
    return Tensor(result.astype(target, copy=False))


@operator("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
def cumsum(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    return _accumulate(np.add, self.array, dim, dtype)


@operator("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
def cumprod(self: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    return _accumulate(np.multiply, self.array, dim, dtype)


out_variant(
    "aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out)"
    " -> Tensor(a!)",
    cumsum,
)
in_place_variant(
    "aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)",
    lambda self, dim, dtype=None: Tensor(cumsum(self, dim, dtype).array.astype(self.array.dtype)),
)


@operator("aten::logcumsumexp(Tensor self, int dim) -> Tensor")
def logcumsumexp(self: Tensor, dim: int) -> Tensor:
    return _accumulate(np.logaddexp, self.array, dim, None)


def _running_extreme(ufunc: np.ufunc, a: np.ndarray, dim: int) -> tuple[Tensor, Tensor]:
    """The extreme so far along `dim`, and the last place it was met."""
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("cummax_cpu", a.dtype)
    dim = wrap_dimension(dim, a.ndim)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    values = ufunc.accumulate(a, dim)
    positions = np.arange(a.shape[dim]).reshape([-1 if k == dim else 1 for k in range(a.ndim)])
    met = np.equal(values, a) | (np.not_equal(values, values) & np.not_equal(a, a))
    where = np.maximum.accumulate(np.where(met, positions, 0), dim)
    return wrap(values), wrap(where)


@operator("aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)")
def cummax(self: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    return _running_extreme(np.maximum, self.array, dim)


@operator("aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)")
def cummin(self: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    return _running_extreme(np.minimum, self.array, dim)


@operator(
    "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)"
    " -> Tensor"
)
def diff(
    self: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    a = self.array
    if a.ndim == 0:
        message = "diff expects input to be at least one-dimensional"
        raise ScriptError("RuntimeError", message)
    if n < 0:
        raise ScriptError("RuntimeError", f"order must be non-negative but got {n}")
    dim = wrap_dimension(dim, a.ndim)
    parts = [part for part in (prepend, self, append) if part is not None]
    if any(part.array.ndim != a.ndim for part in parts):
        message = "diff expects prepend or append to be the same dimension as input"
        raise ScriptError("RuntimeError", message)
    joined = cat(parts, dim).array if len(parts) > 1 else a
    return Tensor(np.diff(joined, min(n, joined.shape[dim]), dim))
