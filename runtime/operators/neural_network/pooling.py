"""Maximum and average pooling, by windows of one size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Layout, Options
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import CATEGORY, DOUBLE, FLOAT, FLOATING, LONG
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.pooling import (
    EvenWindows,
    maximum_with_places,
    pooled_maximum,
    pooled_mean,
    pooled_sum,
)
from tsc.runtime.numerics.neural.windows import repeated
from tsc.runtime.operators.elementwise import BOOL_AND_COMPLEX, not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_WORD = {1: "one", 2: "two", 3: "three"}


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _check_numbers(name: str, spatial: int, kernel: Sequence[int], **others: Sequence[int]) -> None:
    """As many as there are dimensions, or one; the stride may be missing."""
    for key, values in {"kernel_size": kernel, **others}.items():
        if len(values) in (1, spatial) or (key == "stride" and not values):
            continue
        if spatial == 1:
            _refuse(f"{name}() argument '{key}' should contain one int (got {len(values)})")
        omitted = "be omitted, " if key == "stride" else "be "
        _refuse(
            f"{name}: {key} must either {omitted}a single int, or a tuple of {_WORD[spatial]} ints"
        )


def _check_window(kernel: int, stride: int, padding: int, dilation: int) -> None:
    if stride == 0:
        _refuse("stride should not be zero")
    if padding < 0:
        _refuse(f"pad must be non-negative, but got pad: {padding}")
    if padding > (dilation * (kernel - 1) + 1) // 2:
        _refuse(
            "pad should be at most half of effective kernel size: pad is "
            f"{padding}, kernel_size {kernel}, dilation {dilation}"
        )
    if kernel <= 0:
        _refuse(f"kernel size should be greater than zero, not {kernel}")
    if stride < 0:
        _refuse(f"stride should be greater than zero, but got {stride}")
    if dilation <= 0:
        _refuse(f"dilation should be greater than zero, not {dilation}")


def _window_count(
    extent: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
) -> int:
    room = extent + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - 1 if (count - 1) * stride >= extent + padding else count


def _check_input(name: str, a: np.ndarray, spatial: int) -> None:
    if spatial == 1:
        if a.ndim not in (2, 3):
            _refuse(
                f"Expected 2 to 3 dimensions, but got {a.ndim}-dimensional tensor for argument #1 "
                f"'self' (while checking arguments for {name})"
            )
        if 0 in a.shape[-2:]:
            shape = [*a.shape[:-1], 1, a.shape[-1]]
            _refuse(
                "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input: "
                f"another dimension of {shape} is empty"
            )
        return
    if a.ndim not in (spatial + 1, spatial + 2):
        if name == "avg_pool2d" and a.ndim < 3:
            wrap_dimension(-3, a.ndim)
        _refuse(
            f"non-empty {spatial + 1}D or {spatial + 2}D (batch mode) tensor expected for input"
        )
    if 0 in a.shape[-spatial - 1 :]:
        _refuse(
            f"Expected {spatial + 1}D or {spatial + 2}D (batch mode) tensor with optional 0 dim "
            f"batch size for input: another dimension of {list(a.shape)} is empty"
        )


def _even_windows(
    name: str,
    a: np.ndarray,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> list[EvenWindows]:
    """The windows along each of the last dimensions, or PyTorch's error."""
    spatial = int(name[-2])
    _check_numbers(name, spatial, kernel, stride=stride, padding=padding, dilation=dilation)
    _check_input(name, a, spatial)
    extents = a.shape[a.ndim - spatial :]
    numbers = [repeated(each, spatial) for each in (kernel, stride or kernel, padding, dilation)]
    axes = []
    for extent, size, step, around, spread in zip(extents, *numbers):
        _check_window(size, step, around, spread)
        count = _window_count(extent, size, step, around, spread, ceil_mode)
        axes.append(EvenWindows(extent, size, step, around, spread, count))
    if name == "avg_pool3d" and any(n < k for n, k in zip(extents, numbers[0])):
        image, window = (
            " ".join(f"{letter}: {size}" for letter, size in zip(letters, sizes))
            for letters, sizes in (("THW", extents), (("kT", "kH", "kW"), numbers[0]))
        )
        _refuse(f"input image ({image}) smaller than kernel size ({window})")
    counts = [windows.count for windows in axes]
    if min(counts) <= 0:
        row = [1] if spatial == 1 else []
        size, output = (
            "x".join(map(str, (a.shape[-spatial - 1], *row, *sizes))) for sizes in (extents, counts)
        )
        _refuse(
            f"Given input size: ({size}). Calculated output size: ({output}). "
            "Output size is too small"
        )
    return axes


def _check_row_maximum(
    a: np.ndarray, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
) -> None:
    """Raise what ``max_pool1d`` says by itself; with indices it is ``max_pool2d`` over one row."""
    if a.ndim not in (2, 3) or 0 in a.shape[-2:]:
        _refuse(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, not one of shape {list(a.shape)}"
        )
    for name, number in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if number <= 0:
            _refuse(f"max_pool1d() {name} must be greater than zero, but got {number}")
    if padding < 0:
        _refuse(f"max_pool1d() padding must be non-negative, but got {padding}")
    if padding > kernel // 2:
        _refuse(
            "max_pool1d() padding should be at most half of kernel size, but got padding="
            f"{padding} and kernel_size={kernel}"
        )
    count = _window_count(a.shape[-1], kernel, stride, padding, dilation, ceil_mode)
    if count <= 0:
        _refuse(
            f"max_pool1d() Invalid computed output size: {count}: a row of {a.shape[-1]} elements "
            f"is shorter than a window of {dilation * (kernel - 1) + 1}"
        )


def _declare_max_pool(spatial: int) -> None:
    defaults = ("[]", "[0]", "[1]") if spatial == 1 else ("[]", "0", "1")
    arguments = (
        f"Tensor self, int[{spatial}] kernel_size, int[{spatial}] stride={defaults[0]},"
        f" int[{spatial}] padding={defaults[1]}, int[{spatial}] dilation={defaults[2]},"
        " bool ceil_mode=False"
    )
    name = f"max_pool{spatial}d"

    def with_indices(
        self, kernel_size, stride=(), padding=(0,), dilation=(1,), ceil_mode=False
    ) -> tuple[Tensor, Tensor]:
        a = self.array
        axes = _even_windows(name, a, kernel_size, stride, padding, dilation, ceil_mode)
        if a.dtype in BOOL_AND_COMPLEX:
            raise not_implemented(f"max_pool{max(spatial, 2)}d", a.dtype)
        values, places = maximum_with_places(widened(a), axes)
        return Tensor(narrowed(values, a.dtype)), Tensor(places)

    def pool(self, kernel_size, stride=(), padding=(0,), dilation=(1,), ceil_mode=False) -> Tensor:
        a = self.array
        numbers = (kernel_size, stride or kernel_size, padding, dilation)
        if spatial == 1 and all(len(each) == 1 for each in numbers):
            kernel, step, around, spread = (each[0] for each in numbers)
            _check_row_maximum(a, kernel, step, around, spread, ceil_mode)
        axes = _even_windows(name, a, kernel_size, stride, padding, dilation, ceil_mode)
        if spatial == 1 and CATEGORY[a.dtype] != FLOATING:
            raise not_implemented("max_pool1d_impl", a.dtype)
        if a.dtype in BOOL_AND_COMPLEX:
            raise not_implemented(name, a.dtype)
        return Tensor(narrowed(pooled_maximum(widened(a), axes), a.dtype))

    layout = Options(layout=Layout.AS_IMAGES) if spatial == 2 else Options()
    operator(f"aten::{name}({arguments}) -> Tensor", **layout)(pool)
    operator(f"aten::{name}_with_indices({arguments}) -> (Tensor, Tensor)", **layout)(with_indices)


def _window_sizes(axes: Sequence[EvenWindows], count_include_pad: bool) -> np.ndarray:
    """How many elements each window averages over."""
    total = np.ones((), LONG)
    for windows in axes:
        starts = windows.starts()
        ends = np.minimum(starts + windows.kernel, windows.extent + windows.padding)
        if not count_include_pad:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, windows.extent)
        total = total[..., np.newaxis] * (ends - starts)
    return total


def _divided(total: np.ndarray, sizes: np.ndarray | int) -> np.ndarray:
    """As in C, towards zero."""
    return np.sign(total) * np.sign(sizes) * (np.abs(total) // np.abs(sizes))


def _check_averaged(name: str, dtype: np.dtype) -> None:
    if name == "avg_pool3d":
        if dtype not in (FLOAT, DOUBLE, LONG):
            raise not_implemented("avg_pool3d_out_frame", dtype)
    elif CATEGORY[dtype] != FLOATING and dtype is not LONG:
        raise not_implemented("avg_pool2d", dtype)


def _average_pool(
    name: str,
    a: np.ndarray,
    numbers: tuple[Sequence[int], Sequence[int], Sequence[int]],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None,
) -> Tensor:
    if divisor == 0:
        _refuse("divisor must be not zero")
    axes = _even_windows(name, a, *numbers, (1,), ceil_mode)
    _check_averaged(name, a.dtype)
    sizes = _window_sizes(axes, count_include_pad) if divisor is None else divisor
    if a.dtype is LONG:
        return Tensor(_divided(pooled_sum(a, axes), sizes))
    return Tensor(narrowed(pooled_mean(widened(a), axes, sizes), a.dtype))


def _declare_average_pool(spatial: int) -> None:
    padding = "[0]" if spatial == 1 else "0"
    arguments = (
        f"Tensor self, int[{spatial}] kernel_size, int[{spatial}] stride=[],"
        f" int[{spatial}] padding={padding}, bool ceil_mode=False, bool count_include_pad=True"
    )
    name = f"avg_pool{spatial}d"

    def pool(
        self,
        kernel_size,
        stride=(),
        padding=(0,),
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ) -> Tensor:
        numbers = (kernel_size, stride, padding)
        return _average_pool(
            name, self.array, numbers, ceil_mode, count_include_pad, divisor_override
        )

    def pool_1d(
        self, kernel_size, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True
    ) -> Tensor:
        numbers = (kernel_size, stride, padding)
        return _average_pool(name, self.array, numbers, ceil_mode, count_include_pad, None)

    if spatial == 1:
        operator(f"aten::{name}({arguments}) -> Tensor", layout=Layout.AS_SEQUENCES)(pool_1d)
    else:
        layout = Options(layout=Layout.AS_IMAGES) if spatial == 2 else Options()
        operator(f"aten::{name}({arguments}, int? divisor_override=None) -> Tensor", **layout)(pool)


for _spatial in (1, 2, 3):
    _declare_max_pool(_spatial)
    _declare_average_pool(_spatial)

out_forms(
    SAME,
    """
    avg_pool1d avg_pool2d avg_pool3d max_pool2d_with_indices(out,indices)
    max_pool3d_with_indices(out,indices)
    """,
)
