"""Pooling to a given output size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import CATEGORY, DOUBLE, FLOAT, FLOATING, scalar_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import is_large_work
from tsc.runtime.context.native_hooks import native_planes
from tsc.runtime.numerics.neural.pooling import AdaptedWindows, maximum_with_places, pooled_sum
from tsc.runtime.numerics.neural.row_products import row_sums
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _check_input(name: str, a: np.ndarray, spatial: int) -> None:
    """All dimensions but the batch have elements."""
    if a.ndim not in (spatial + 1, spatial + 2):
        _refuse(
            f"{name}(): Expected {spatial + 1}D or {spatial + 2}D tensor, but got: {list(a.shape)}"
        )
    for axis in range(a.ndim - spatial, a.ndim):
        if a.shape[axis] == 0:
            _refuse(
                f"{name}(): Expected input to have non-zero size in all dimensions but the batch's: "
                f"dimension {axis} of {list(a.shape)} is empty"
            )


def _check_row(name: str, a: np.ndarray, output_size: Sequence[int]) -> None:
    """What is special about one dimension."""
    if a.ndim not in (2, 3):
        _refuse(
            f"Expected 2 to 3 dimensions, but got {a.ndim}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )
    if len(output_size) != 1:
        _refuse(f"{name}() argument 'output_size' should contain one int (got {len(output_size)})")


def _axes(a: np.ndarray, output_size: Sequence[int]) -> list[AdaptedWindows]:
    extents = a.shape[a.ndim - len(output_size) :]
    return [AdaptedWindows(extent, count) for extent, count in zip(extents, output_size)]


def adaptive_average(a: np.ndarray, output_size: Sequence[int]) -> np.ndarray:
    """Averages over the windows of the last dimensions."""
    spatial = len(output_size)
    lead = a.shape[: a.ndim - spatial]
    x = widened(a)
    if all(count == 1 for count in output_size):
        area = math.prod(a.shape[a.ndim - spatial :])
        total = row_sums(x.reshape(math.prod(lead), area)).reshape(*lead, *output_size)
        return narrowed(np.true_divide(total, x.dtype.type(area), total), a.dtype)
    if x.dtype in (FLOAT, DOUBLE) and is_large_work(x.size):
        planes = x.reshape(math.prod(lead), *x.shape[a.ndim - spatial :])
        means = native_planes().uneven_means(planes, output_size)
        return narrowed(means.reshape(*lead, *output_size), a.dtype)
    axes = _axes(a, output_size)
    result = pooled_sum(x, axes)
    for position, windows in enumerate(axes):
        sizes = (windows.ends() - windows.starts()).astype(x.dtype)
        sizes = sizes.reshape(-1, *(1,) * (spatial - 1 - position))
        np.true_divide(result, sizes, result)
    return narrowed(result, a.dtype)


def _average(name: str, self: Tensor, output_size: list[int]) -> Tensor:
    a, spatial = self.array, int(name[-2])
    if spatial > 1 and len(output_size) != spatial:
        _refuse(f"{name}: output_size must be {spatial}")
    if min(output_size) < 0:
        first, *others = [1] * (spatial == 1) + output_size
        listed = f"{first}, " + ",".join(map(str, others))
        _refuse(
            f"adaptive_avg_pool{max(spatial, 2)}d: elements of output_size must be greater than "
            f"or equal to 0 but received {{{listed}}}"
        )
    if any(count != 1 for count in output_size):
        _check_input(name, a, spatial)
    elif a.ndim < spatial:
        wrap_dimension(-spatial, a.ndim)
    _check_averaged(a, output_size)
    return Tensor(adaptive_average(a, output_size))


def _check_averaged(a: np.ndarray, output_size: list[int]) -> None:
    if CATEGORY[a.dtype] < FLOATING and all(count == 1 for count in output_size):
        _refuse(
            "mean(): could not infer output dtype. Input dtype must be either a floating "
            f"point or complex dtype. Got: {scalar_name(a.dtype)}"
        )
    if CATEGORY[a.dtype] != FLOATING and any(count != 1 for count in output_size):
        kernel = "adaptive_avg_pool3d_cpu" if len(output_size) == 3 else "adaptive_avg_pool2d"
        raise not_implemented(kernel, a.dtype)


def _maximum(name: str, self: Tensor, output_size: list[int]) -> tuple[Tensor, Tensor]:
    a, spatial = self.array, int(name[-2])
    _check_input(name, a, spatial)
    if len(output_size) != spatial:
        _refuse(f"{name}(): output_size must be {spatial} numbers, not {list(output_size)}")
    if min(output_size) < 0:
        row = [1] if spatial == 1 else []
        shape = [*a.shape[: a.ndim - spatial], *row, *output_size]
        _refuse(f"Trying to create tensor with negative dimension {min(output_size)}: {shape}")
    if CATEGORY[a.dtype] != FLOATING:
        kernel = "adaptive_max_pool3d_cpu" if spatial == 3 else "adaptive_max_pool2d"
        raise not_implemented(kernel, a.dtype)
    values, places = maximum_with_places(widened(a), _axes(a, output_size))
    return Tensor(narrowed(values, a.dtype)), Tensor(places)


@operator(
    "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
    layout=Layout.AS_SEQUENCES,
)
def adaptive_avg_pool1d(self: Tensor, output_size: list[int]) -> Tensor:
    _check_row("adaptive_avg_pool1d", self.array, output_size)
    return _average("adaptive_avg_pool1d", self, output_size)


@operator(
    "aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
    layout=Layout.AS_SEQUENCES,
)
def adaptive_max_pool1d(self: Tensor, output_size: list[int]) -> tuple[Tensor, Tensor]:
    _check_row("adaptive_max_pool1d", self.array, output_size)
    return _maximum("adaptive_max_pool1d", self, output_size)


@operator(
    "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    layout=Layout.AS_IMAGES,
)
@operator(
    "aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    layout=Layout.AS_IMAGES,
)
def adaptive_avg_pool2d(self: Tensor, output_size: list[int]) -> Tensor:
    return _average("adaptive_avg_pool2d", self, output_size)


@operator(
    "aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
    "aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
)
def adaptive_avg_pool3d(self: Tensor, output_size: list[int]) -> Tensor:
    return _average("adaptive_avg_pool3d", self, output_size)


@operator(
    "aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
    layout=Layout.AS_IMAGES,
)
def adaptive_max_pool2d(self: Tensor, output_size: list[int]) -> tuple[Tensor, Tensor]:
    return _maximum("adaptive_max_pool2d", self, output_size)


@operator("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)")
def adaptive_max_pool3d(self: Tensor, output_size: list[int]) -> tuple[Tensor, Tensor]:
    return _maximum("adaptive_max_pool3d", self, output_size)


out_forms(
    SAME,
    """
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d(out,indices)
    adaptive_max_pool3d(out,indices) _adaptive_avg_pool2d _adaptive_avg_pool3d
    """,
)
