"""Counting elements by their value: bincount and histograms."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, FLOAT, LONG
from tsc.runtime.arrays.type_promotion import Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.ranges import spaced_numbers
from tsc.runtime.operators.elementwise import FLOATING_DTYPES, NOT_REAL_FLOATING, not_implemented
from tsc.runtime.operators.out_variants import C_NAMES, SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


@operator("aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor")
def bincount(self: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    a = self.array
    if a.dtype in FLOATING_DTYPES or a.dtype is BOOL:
        raise not_implemented("bincount_cpu", a.dtype)
    if a.ndim != 1 or (a.size and a.min() < 0):
        message = "bincount only supports 1-d tensors of integers that are not negative"
        raise ScriptError("RuntimeError", message)
    if weights is None:
        return Tensor(np.bincount(a, minlength=minlength).astype(LONG))
    counted = np.bincount(a, weights.array, minlength)
    return Tensor(counted.astype(FLOAT if weights.array.dtype is FLOAT else np.float64))


@operator("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor")
def histc(self: Tensor, bins: int = 100, min: Number = 0, max: Number = 0) -> Tensor:
    a = self.array.reshape(-1)
    if bins <= 0:
        message = f"torch.histogram(): bins must be > 0, and they are {bins}"
        raise ScriptError("RuntimeError", message)
    low, high = (float(checked_number_array(each, DOUBLE)) for each in (min, max))
    if a.dtype in NOT_REAL_FLOATING:
        raise not_implemented("histogram_cpu", a.dtype)
    if low == high and a.size:
        low, high = float(a.min()), float(a.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)):
        message = f"torch.histc: range of [{low:g}, {high:g}] is not finite"
        raise ScriptError("RuntimeError", message)
    if low >= high:
        raise ScriptError("RuntimeError", "torch.histc: max must be larger than min")
    inside = a[(a >= low) & (a <= high)]
    position = ((inside - low) * (bins / (high - low))).astype(LONG)
    counts = np.bincount(np.minimum(position, bins - 1), minlength=bins)
    return Tensor(counts.astype(a.dtype))


@operator(
    "aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None,"
    " bool density=False) -> (Tensor hist, Tensor[] bin_edges)"
)
def histogram_in_dimensions(
    self: Tensor,
    bins: list[int],
    range: list[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    a = _points(self.array, weight)
    if len(bins) != a.shape[1]:
        raise ScriptError(
            "RuntimeError",
            "histogramdd: The size of bins must be equal to the innermost dimension of the input: "
            f"there are {len(bins)} for {a.shape[1]}",
        )
    edges = _equal_bins(a, bins, range)
    return _histogram(a, edges, weight, density), [Tensor(each) for each in edges]


@operator(
    "aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None,"
    " bool density=False) -> (Tensor hist, Tensor[] bin_edges)"
)
def histogram_of_equal_counts(
    self: Tensor,
    bins: int,
    range: list[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    dimensions = self.array.shape[-1] if self.array.ndim else 0
    return histogram_in_dimensions(self, [bins] * dimensions, range, weight, density)


@operator(
    "aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None,"
    " Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)"
)
def histogram_between_edges(
    self: Tensor,
    bins: list[Tensor],
    range: list[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    a = _points(self.array, weight)
    edges = [each.array for each in bins]
    _check_edges(a, edges)
    return _histogram(a, edges, weight, density), [Tensor(each.copy()) for each in edges]


_HISTOGRAM = "*, float[]? range=None, Tensor? weight=None, bool density=False"


@operator(
    "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None,"
    " bool density=False) -> (Tensor hist, Tensor bin_edges)"
)
def histogram_of_edges(
    self: Tensor, bins: Tensor, weight: Tensor | None = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    counts, edges = histogram_between_edges(_as_points(self), [bins], None, _flat(weight), density)
    return counts, edges[0]


@operator(
    f"aten::histogram.bin_ct(Tensor self, int bins=100, {_HISTOGRAM})"
    " -> (Tensor hist, Tensor bin_edges)"
)
def histogram(
    self: Tensor,
    bins: int = 100,
    range: list[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> tuple[Tensor, Tensor]:
    counts, edges = histogram_in_dimensions(_as_points(self), [bins], range, _flat(weight), density)
    return counts, edges[0]


def _as_points(tensor: Tensor) -> Tensor:
    return Tensor(tensor.array.reshape(-1, 1))


def _flat(weight: Tensor | None) -> Tensor | None:
    return None if weight is None else Tensor(weight.array.reshape(-1))


def _points(a: np.ndarray, weight: Tensor | None) -> np.ndarray:
    """`a` as rows of coordinates, checked together with the weight of each point."""
    if a.ndim < 2:
        message = f"torch.histogramdd: input tensor should have 2 dimensions or more, not {a.ndim}"
        raise ScriptError("RuntimeError", message)
    if weight is not None and weight.array.shape != a.shape[:-1]:
        raise ScriptError(
            "RuntimeError",
            "torch.histogramdd: if weight tensor is given, its shape must be "
            f"{list(a.shape[:-1])}, not {list(weight.array.shape)}",
        )
    if weight is not None and weight.array.dtype is not a.dtype:
        raise ScriptError(
            "RuntimeError",
            "torch.histogramdd: if weight tensor is given, its dtype must be "
            f"{C_NAMES[a.dtype.name]}, as of the input, not "
            f"{C_NAMES.get(weight.array.dtype.name, weight.array.dtype.name)}",
        )
    return a.reshape(math.prod(a.shape[:-1]), a.shape[-1])


def _check_edges(a: np.ndarray, edges: list[np.ndarray]) -> None:
    dimensions = a.shape[1]
    if len(edges) != dimensions:
        raise ScriptError(
            "RuntimeError",
            f"torch.histogramdd: expected {dimensions} sequences of bin edges for a "
            f"{dimensions}-dimensional histogram but got {len(edges)}",
        )
    for dimension, each in enumerate(edges):
        if each.dtype is not a.dtype:
            raise ScriptError(
                "RuntimeError",
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but "
                f"got input with dtype {C_NAMES[a.dtype.name]} and bins for dimension {dimension} with "
                f"dtype {C_NAMES.get(each.dtype.name, each.dtype.name)}",
            )
        if each.ndim != 1:
            raise ScriptError(
                "RuntimeError",
                "torch.histogramdd: bins tensor should have one dimension, not "
                f"{each.ndim} as for dimension {dimension}",
            )
        if not each.size:
            raise ScriptError(
                "RuntimeError",
                "torch.histogramdd: bins tensor should have at least 1 element, but got 0 "
                f"elements in the bins tensor for dimension {dimension}",
            )


def _equal_bins(a: np.ndarray, bins: list[int], range: list[float] | None) -> list[np.ndarray]:
    """The edges of bins of equal width between the extremes of each coordinate, or in `range`."""
    if range is not None and len(range) != 2 * len(bins):
        raise ScriptError(
            "RuntimeError",
            f"torch.histogramdd: for a {len(bins)}-dimensional histogram range should have "
            f"{2 * len(bins)} elements, but got {len(range)}",
        )
    edges: list[np.ndarray] = []
    for dimension, count in enumerate(bins):
        if count <= 0:
            raise ScriptError(
                "RuntimeError",
                f"torch.histogram(): bins must be > 0, and they are {count} in dimension "
                f"{dimension}",
            )
        low, high = _outer_edges(a, dimension, range)
        edges.append(spaced_numbers(low, high, count + 1, a.dtype).astype(a.dtype))
    return edges


def _outer_edges(a: np.ndarray, dimension: int, range: list[float] | None) -> tuple[float, float]:
    low, high = 0.0, 1.0
    if range is not None:
        low, high = range[2 * dimension : 2 * dimension + 2]
    elif a.size:
        low, high = float(a[:, dimension].min()), float(a[:, dimension].max())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ScriptError(
            "RuntimeError",
            f"torch.histogramdd: dimension {dimension}'s range [{low:g}, {high:g}] is not finite",
        )
    if low > high:
        raise ScriptError(
            "RuntimeError",
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} "
            f"for dimension {dimension}",
        )
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _histogram(
    a: np.ndarray, edges: list[np.ndarray], weight: Tensor | None, density: bool
) -> Tensor:
    """How many points (or what weight) lie in each box; the last box contains its upper edge."""
    if a.dtype is not FLOAT and a.dtype is not DOUBLE:
        raise not_implemented("histogramdd", a.dtype)
    shape = tuple(each.size - 1 for each in edges)
    inside = np.ones(a.shape[0], BOOL)
    places: list[np.ndarray] = []
    for coordinate, each in zip(a.T, edges):
        inside &= (coordinate >= each[0]) & (coordinate <= each[-1])
        place = np.asarray(np.searchsorted(each, np.asarray(coordinate), "right"))
        places.append(np.minimum(place - 1, each.size - 2))
    box = np.zeros(int(inside.sum()), LONG)
    for place, count in zip(places, shape):
        box = box * count + place[inside]
    weights = None if weight is None else weight.array.reshape(-1)[inside]
    counts = np.bincount(box, weights, minlength=math.prod(shape)).reshape(shape).astype(a.dtype)
    return Tensor(_density(counts, edges) if density else counts)


def _density(counts: np.ndarray, edges: list[np.ndarray]) -> np.ndarray:
    """`counts` so that their integral is 1."""
    result = counts / counts.sum()
    for dimension, each in enumerate(edges):
        width = np.diff(each).reshape([-1 if k == dimension else 1 for k in range(counts.ndim)])
        result = result / width
    return result.astype(counts.dtype)


out_forms(SAME, "bincount")
out_forms(
    same(
        "torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
        "{c_result} and hist {c_out}"
    ),
    "histc histogram.bin_ct histogram.bins_tensor",
)
