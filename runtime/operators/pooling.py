"""Maximum and average pooling, also to a given output size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runtime.dtypes import CATEGORY, FLOATING, LONG
from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.tensor import Tensor, asarray
from runtime.windows import padded, repeated, windows


def _output_size(
    extent: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
) -> int:
    reach = extent + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return reach // stride + 1
    count = -(-reach // stride) + 1
    return count - 1 if (count - 1) * stride >= extent + padding else count


class Pooling:
    """The geometry of one pooling call over the last `spatial` dimensions."""

    __slots__ = ("counts", "dilation", "kernel", "padding", "shape", "stride")

    def __init__(
        self,
        a: np.ndarray,
        spatial: int,
        kernel: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[int],
        dilation: Sequence[int] = (1,),
        ceil_mode: bool = False,
    ) -> None:
        self.kernel = repeated(kernel, spatial)
        self.stride = repeated(stride, spatial) if stride else self.kernel
        self.padding = repeated(padding, spatial)
        self.dilation = repeated(dilation, spatial)
        self.shape = a.shape[a.ndim - spatial :]
        self._check(a, spatial)
        geometry = zip(self.shape, self.kernel, self.stride, self.padding, self.dilation)
        self.counts = [_output_size(*sizes, ceil_mode) for sizes in geometry]
        if any(count <= 0 for count in self.counts):
            size, output = (
                "x".join(map(str, (a.shape[-spatial - 1], *sizes)))
                for sizes in (self.shape, self.counts)
            )
            raise ScriptError(
                "RuntimeError",
                f"Given input size: ({size}). Calculated output size: ({output}). "
                "Output size is too small",
            )

    def _check(self, a: np.ndarray, spatial: int) -> None:
        if a.ndim not in (spatial + 1, spatial + 2):
            raise ScriptError(
                "RuntimeError",
                f"non-empty {spatial + 1}D or {spatial + 2}D (batch mode) tensor expected for "
                "input",
            )
        for k, s, p in zip(self.kernel, self.stride, self.padding):
            if k <= 0:
                raise ScriptError(
                    "RuntimeError",
                    "kernel size should be greater than zero, but got "
                    f"kH: {self.kernel[0]} kW: {self.kernel[-1]}",
                )
            if s <= 0:
                raise ScriptError("RuntimeError", "stride should not be zero")
            if p > k // 2:
                raise ScriptError(
                    "RuntimeError",
                    "pad should be at most half of effective kernel size, but got "
                    f"pad={p}, kernel_size={k} and dilation={self.dilation[0]}",
                )

    def windows(self, a: np.ndarray, fill: float) -> np.ndarray:
        """All windows, (..., *counts, *kernel), with `fill` around the input."""
        margins = []
        geometry = zip(self.shape, self.kernel, self.stride, self.padding, self.dilation)
        for (n, k, s, p, d), count in zip(geometry, self.counts):
            needed = (count - 1) * s + d * (k - 1) + 1
            margins.append((p, max(needed - n - p, 0)))
        around = padded(a, margins, fill)
        found = windows(around, self.kernel, self.stride, self.dilation)
        return found[(..., *(slice(c) for c in self.counts), *(slice(None),) * len(self.kernel))]

    def input_positions(self) -> np.ndarray:
        """For each window element, its index in the flattened input plane."""
        total = np.zeros((1,) * (2 * len(self.shape)), LONG)
        scale = 1
        for axis in reversed(range(len(self.shape))):
            starts = np.arange(self.counts[axis]) * self.stride[axis] - self.padding[axis]
            inside = np.arange(self.kernel[axis]) * self.dilation[axis]
            shape = [1] * (2 * len(self.shape))
            shape[axis], shape[len(self.shape) + axis] = len(starts), len(inside)
            total = total + ((starts[:, None] + inside) * scale).reshape(shape)
            scale *= self.shape[axis]
        return total


def _lowest(dtype: np.dtype) -> float:
    return -np.inf if CATEGORY[dtype] == FLOATING else np.iinfo(dtype).min


def _max_pool(a: np.ndarray, pooling: Pooling) -> tuple[Tensor, Tensor]:
    spatial = len(pooling.kernel)
    found = pooling.windows(a, _lowest(a.dtype))
    flat = found.reshape(*found.shape[:-spatial], -1)
    where = np.argmax(flat, -1)
    values = np.take_along_axis(flat, where[..., None], -1)[..., 0]
    positions = np.broadcast_to(
        pooling.input_positions(), (*pooling.counts, *pooling.kernel)
    ).reshape(*pooling.counts, -1)
    positions = np.broadcast_to(positions, flat.shape)
    indices = np.take_along_axis(positions, where[..., None], -1)[..., 0]
    return Tensor(asarray(values)), Tensor(asarray(indices))


def _declare_max_pool(spatial: int) -> None:
    defaults = ("[]", "[0]", "[1]") if spatial == 1 else ("[]", "0", "1")
    arguments = (
        f"Tensor self, int[{spatial}] kernel_size, int[{spatial}] stride={defaults[0]},"
        f" int[{spatial}] padding={defaults[1]}, int[{spatial}] dilation={defaults[2]},"
        " bool ceil_mode=False"
    )

    def with_indices(
        self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False
    ) -> tuple[Tensor, Tensor]:
        a = self.array
        return _max_pool(a, Pooling(a, spatial, kernel_size, stride, padding, dilation, ceil_mode))

    def pool(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False) -> Tensor:
        a = self.array
        pooling = Pooling(a, spatial, kernel_size, stride, padding, dilation, ceil_mode)
        found = pooling.windows(a, _lowest(a.dtype))
        return Tensor(asarray(found.max(axis=tuple(range(-spatial, 0)))))

    operator(f"aten::max_pool{spatial}d({arguments}) -> Tensor")(pool)
    operator(f"aten::max_pool{spatial}d_with_indices({arguments}) -> (Tensor, Tensor)")(
        with_indices
    )


def _window_sizes(pooling: Pooling, count_include_pad: bool) -> np.ndarray:
    """How many elements each window averages over."""
    total = np.ones((), LONG)
    for axis, (n, k, s, p) in enumerate(
        zip(pooling.shape, pooling.kernel, pooling.stride, pooling.padding)
    ):
        starts = np.arange(pooling.counts[axis]) * s - p
        ends = np.minimum(starts + k, n + p)
        if not count_include_pad:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, n)
        total = total[..., None] * (ends - starts)
    return total


def _declare_average_pool(spatial: int) -> None:
    padding = "[0]" if spatial == 1 else "0"
    arguments = (
        f"Tensor self, int[{spatial}] kernel_size, int[{spatial}] stride=[],"
        f" int[{spatial}] padding={padding}, bool ceil_mode=False, bool count_include_pad=True"
    )

    def pool(
        self,
        kernel_size,
        stride=(),
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ) -> Tensor:
        a = self.array
        pooling = Pooling(a, spatial, kernel_size, stride, padding, (1,), ceil_mode)
        total = pooling.windows(a, 0).sum(axis=tuple(range(-spatial, 0)))
        if divisor_override == 0:
            raise ScriptError("RuntimeError", "divisor must be not zero")
        sizes = divisor_override or _window_sizes(pooling, count_include_pad)
        if CATEGORY[a.dtype] < FLOATING:
            return Tensor(asarray(total // sizes, a.dtype))
        return Tensor(asarray(total / np.asarray(sizes, a.dtype), a.dtype))

    def pool_1d(
        self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True
    ) -> Tensor:
        return pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad)

    if spatial == 1:
        operator(f"aten::avg_pool1d({arguments}) -> Tensor")(pool_1d)
    else:
        operator(f"aten::avg_pool{spatial}d({arguments}, int? divisor_override=None) -> Tensor")(
            pool
        )


def _spans(extent: int, count: int) -> list[tuple[int, int]]:
    """The input range of each output position of adaptive pooling."""
    return [(i * extent // count, -(-(i + 1) * extent // count)) for i in range(count)]


def _check_adaptive(name: str, a: np.ndarray, spatial: int) -> None:
    if a.ndim not in (spatial + 1, spatial + 2):
        raise ScriptError(
            "RuntimeError",
            f"{name}(): Expected {spatial + 1}D or {spatial + 2}D tensor, but got {list(a.shape)}",
        )


def _adaptive_average(a: np.ndarray, spatial: int, output_size: Sequence[int]) -> Tensor:
    _check_adaptive(f"adaptive_avg_pool{spatial}d", a, spatial)
    sizes = repeated(output_size, spatial)
    result = a
    for offset, count in enumerate(sizes):
        axis = a.ndim - spatial + offset
        moved = np.moveaxis(result, axis, -1)
        parts = [moved[..., low:high].mean(-1) for low, high in _spans(a.shape[axis], count)]
        stacked = np.stack(parts, -1) if parts else np.empty((*moved.shape[:-1], 0), a.dtype)
        result = np.moveaxis(stacked, -1, axis)
    return Tensor(np.array(result, a.dtype, order="C"))


def _adaptive_maximum(
    a: np.ndarray, spatial: int, output_size: Sequence[int]
) -> tuple[Tensor, Tensor]:
    _check_adaptive(f"adaptive_max_pool{spatial}d", a, spatial)
    sizes = repeated(output_size, spatial)
    lead, plane = a.shape[: a.ndim - spatial], a.shape[a.ndim - spatial :]
    values, indices = np.empty((*lead, *sizes), a.dtype), np.empty((*lead, *sizes), LONG)
    positions = np.arange(math.prod(plane)).reshape(plane)
    spans = [_spans(extent, count) for extent, count in zip(plane, sizes)]
    for cell in np.ndindex(*sizes):
        inside = tuple(slice(*spans[axis][place]) for axis, place in enumerate(cell))
        block = a[(..., *inside)].reshape(*lead, -1)
        where = np.argmax(block, -1)
        values[(..., *cell)] = np.take_along_axis(block, where[..., None], -1)[..., 0]
        indices[(..., *cell)] = positions[inside].reshape(-1)[where]
    return Tensor(values), Tensor(indices)


def _declare_adaptive(spatial: int) -> None:
    integer = "int" if spatial == 1 else "SymInt"

    def average(self: Tensor, output_size: list[int]) -> Tensor:
        return _adaptive_average(self.array, spatial, output_size)

    def maximum(self: Tensor, output_size: list[int]) -> tuple[Tensor, Tensor]:
        return _adaptive_maximum(self.array, spatial, output_size)

    operator(
        f"aten::adaptive_avg_pool{spatial}d(Tensor self, {integer}[{spatial}] output_size)"
        " -> Tensor"
    )(average)
    operator(
        f"aten::adaptive_max_pool{spatial}d(Tensor self, int[{spatial}] output_size)"
        " -> (Tensor, Tensor)"
    )(maximum)


for _spatial in (1, 2, 3):
    _declare_max_pool(_spatial)
    _declare_average_pool(_spatial)
    _declare_adaptive(_spatial)
