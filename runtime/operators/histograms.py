"""Counting elements by their value: bincount and histograms."""

from __future__ import annotations

import numpy as np

from runtime.dtypes import FLOAT, LONG
from runtime.errors import ScriptError
from runtime.operators.elementwise import FLOATING_DTYPES, not_implemented
from runtime.operators.out_variants import C_NAMES
from runtime.operators.registration import operator
from runtime.tensor import Tensor
from runtime.type_promotion import Number


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


_HISTOGRAM = "*, float[]? range=None, Tensor? weight=None, bool density=False"


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
    a = self.array
    weights = None if weight is None else weight.array
    counts, edges = np.histogram(a, bins, range, density, weights)
    return Tensor(counts.astype(a.dtype)), Tensor(edges.astype(a.dtype))


@operator(
    "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None,"
    " bool density=False) -> (Tensor hist, Tensor bin_edges)"
)
def histogram_between(
    self: Tensor, bins: Tensor, weight: Tensor | None = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """Counts between given edges, the last of which belongs to its bin."""
    a, edges = self.array, bins.array
    if edges.ndim != 1:
        raise ScriptError(
            "RuntimeError",
            f"torch.histogramdd: bins tensor should have one dimension, but got {edges.ndim} "
            "dimensions in the bins tensor for dimension 0",
        )
    if a.dtype is not edges.dtype:
        raise ScriptError(
            "RuntimeError",
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
            f"input with dtype {C_NAMES[a.dtype.name]} and bins for dimension 0 with dtype "
            f"{C_NAMES[edges.dtype.name]}",
        )
    weights = None if weight is None else weight.array
    counts, _ = np.histogram(a, edges, None, density, weights)
    return Tensor(counts.astype(a.dtype)), Tensor(edges.copy())
