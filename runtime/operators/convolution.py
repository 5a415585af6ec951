"""Convolutions of one, two and three dimensions, and their transposes, as matrix products."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runtime.dtypes import BFLOAT16, FLOAT, HALF, scalar_name
from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.storage import inner_view
from runtime.tensor import Tensor, asarray

_LETTER = {1: "1d", 2: "2d", 3: "3d"}


def repeated(value: int | Sequence[int], count: int) -> tuple[int, ...]:
    """One number for every spatial dimension."""
    if type(value) is int:
        return (value,) * count
    return tuple(value) if len(value) == count else (value[0],) * count


def windows(
    a: np.ndarray, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> np.ndarray:
    """A view of all windows of the last dimensions: (batch, channels, *positions, *kernel)."""
    spatial = len(kernel)
    lead = a.ndim - spatial
    counts = [
        (extent - d * (k - 1) - 1) // s + 1
        for extent, k, s, d in zip(a.shape[lead:], kernel, stride, dilation)
    ]
    steps = a.strides[lead:]
    positions = [step * s for step, s in zip(steps, stride)]
    inside = [step * d for step, d in zip(steps, dilation)]
    return inner_view(
        a, (*a.shape[:lead], *counts, *kernel), (*a.strides[:lead], *positions, *inside)
    )


def zero_padded(a: np.ndarray, padding: Sequence[tuple[int, int]], fill: float = 0) -> np.ndarray:
    """`a` with its last dimensions widened by (before, after)."""
    if not any(before or after for before, after in padding):
        return a
    lead = a.ndim - len(padding)
    shape = [
        *a.shape[:lead],
        *(n + before + after for n, (before, after) in zip(a.shape[lead:], padding)),
    ]
    result = np.full(shape, fill, a.dtype)
    inside = [slice(before, before + n) for n, (before, _) in zip(a.shape[lead:], padding)]
    result[(..., *inside)] = a
    return result


def _check(
    a: np.ndarray,
    w: np.ndarray,
    spatial: int,
    groups: int,
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
) -> None:
    """PyTorch's errors for arguments that do not fit together."""
    if a.shape[1] != w.shape[1] * groups:
        raise ScriptError(
            "RuntimeError",
            f"Given groups={groups}, weight of size {list(w.shape)}, expected "
            f"input{list(a.shape)} to have {w.shape[1] * groups} channels, but got "
            f"{a.shape[1]} channels instead",
        )
    padded = [n + before + after for n, (before, after) in zip(a.shape[2:], padding)]
    reach = [d * (k - 1) + 1 for k, d in zip(w.shape[2:], dilation)]
    if any(extent < needed for extent, needed in zip(padded, reach)):
        raise ScriptError(
            "RuntimeError",
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). "
            f"Kernel size: ({' x '.join(map(str, reach))}). "
            "Kernel size can't be greater than actual input size",
        )


def _batched(a: np.ndarray, spatial: int) -> np.ndarray:
    """The input with a batch dimension."""
    if a.ndim == spatial + 2:
        return a
    if a.ndim == spatial + 1:
        return a[np.newaxis]
    raise ScriptError(
        "RuntimeError",
        f"Expected {spatial + 1}D (unbatched) or {spatial + 2}D (batched) input to "
        f"conv{_LETTER[spatial]}, but got input of size: {list(a.shape)}",
    )


def _check_dtypes(a: np.ndarray, w: np.ndarray, bias: Tensor | None) -> None:
    if a.dtype is not w.dtype:
        raise ScriptError(
            "RuntimeError",
            f"Input type ({_type_name(a)}) and weight type ({_type_name(w)}) should be the same",
        )
    if bias is not None and bias.array.dtype is not a.dtype:
        raise ScriptError(
            "RuntimeError",
            f"Input type ({_type_name(a)}) and bias type ({_type_name(bias.array)}) should be "
            "the same",
        )


def _type_name(a: np.ndarray) -> str:
    name = scalar_name(a.dtype)
    return "float" if name == "Float" else f"torch.{name}Tensor" if name != "Double" else "double"


def _grouped_product(columns: np.ndarray, w: np.ndarray, groups: int, spatial: int) -> np.ndarray:
    """Contract the channels and kernel positions of `columns` with the weight."""
    axes = [1, *range(2 + spatial, 2 + 2 * spatial)]
    if groups == 1:
        return np.tensordot(columns, w, (axes, list(range(1, 2 + spatial))))
    channels, outputs = columns.shape[1] // groups, w.shape[0] // groups
    parts = []
    for group in range(groups):
        part = columns[:, group * channels : (group + 1) * channels]
        weight = w[group * outputs : (group + 1) * outputs]
        parts.append(np.tensordot(part, weight, (axes, list(range(1, 2 + spatial)))))
    return np.concatenate(parts, -1)


def convolve(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
    groups: int,
) -> Tensor:
    """The convolution (correlation) of `input` with `weight`."""
    a, w = input.array, weight.array
    spatial = w.ndim - 2
    batch = _batched(a, spatial)
    _check_dtypes(a, w, bias)
    _check(batch, w, spatial, groups, padding, dilation)
    dtype = a.dtype
    if dtype is HALF or dtype is BFLOAT16:
        batch, w = batch.astype(FLOAT), w.astype(FLOAT)
    columns = windows(zero_padded(batch, padding), w.shape[2:], stride, dilation)
    result = _grouped_product(columns, w, groups, spatial)
    if bias is not None:
        result = result + bias.array
    result = np.moveaxis(result, -1, 1)
    return Tensor(np.array(result if a.ndim == batch.ndim else result[0], dtype, order="C"))


def transpose_convolve(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    groups: int,
    dilation: Sequence[int],
) -> Tensor:
    """The transpose of a convolution: every input element adds a scaled kernel to the output."""
    a, w = input.array, weight.array
    spatial = w.ndim - 2
    batch = _batched(a, spatial)
    _check_dtypes(a, w, bias)
    if batch.shape[1] != w.shape[0]:
        raise ScriptError(
            "RuntimeError",
            f"Given transposed=1, weight of size {list(w.shape)}, expected "
            f"input{list(batch.shape)} to have {w.shape[0]} channels, but got "
            f"{batch.shape[1]} channels instead",
        )
    reach = [
        (n - 1) * s + d * (k - 1) + 1
        for n, s, d, k in zip(batch.shape[2:], stride, dilation, w.shape[2:])
    ]
    shape = [size + extra for size, extra in zip(reach, output_padding)]
    outputs = w.shape[1] * groups
    whole = np.zeros((len(batch), outputs, *shape), batch.dtype)
    _add_kernels(whole, batch, w, stride, dilation, groups)
    crop = [slice(p, size - p) for p, size in zip(padding, shape)]
    result = whole[(..., *crop)]
    if bias is not None:
        result = result + bias.array.reshape(-1, *(1,) * spatial)
    return Tensor(np.array(result if a.ndim == batch.ndim else result[0], order="C"))


def _add_kernels(
    whole: np.ndarray,
    batch: np.ndarray,
    w: np.ndarray,
    stride: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> None:
    channels, outputs = w.shape[0] // groups, w.shape[1]
    for group in range(groups):
        part = batch[:, group * channels : (group + 1) * channels]
        weight = w[group * channels : (group + 1) * channels]
        scaled = np.moveaxis(np.tensordot(part, weight, (1, 0)), batch.ndim - 1, 1)
        target = whole[:, group * outputs : (group + 1) * outputs]
        for position in np.ndindex(*w.shape[2:]):
            places = tuple(
                slice(p * d, p * d + (n - 1) * s + 1, s)
                for p, d, n, s in zip(position, dilation, batch.shape[2:], stride)
            )
            target[(..., *places)] += scaled[(..., *position)]


def same_padding(kernel: Sequence[int], dilation: Sequence[int]) -> list[tuple[int, int]]:
    """The padding that keeps sizes; an odd one is longer at the end."""
    totals = [d * (k - 1) for k, d in zip(kernel, dilation)]
    return [(total // 2, total - total // 2) for total in totals]


def _declare_convolution(spatial: int) -> None:
    size, ones, zeros = spatial, [1] * spatial, [0] * spatial
    arguments = f"Tensor input, Tensor weight, Tensor? bias=None, SymInt[{size}] stride={ones}"

    def convolution(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1) -> Tensor:
        pairs = [(p, p) for p in repeated(padding, spatial)]
        steps, spread = repeated(stride, spatial), repeated(dilation, spatial)
        return convolve(input, weight, bias, steps, pairs, spread, groups)

    def padded_by_name(
        input, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1
    ) -> Tensor:
        steps, spread = repeated(stride, spatial), repeated(dilation, spatial)
        pairs = [(0, 0)] * spatial
        if padding == "same":
            if any(step != 1 for step in steps):
                message = "padding='same' is not supported for strided convolutions"
                raise ScriptError("RuntimeError", message)
            pairs = same_padding(weight.array.shape[2:], spread)
        elif padding != "valid":
            message = f"Invalid padding string: '{padding}'"
            raise ScriptError("RuntimeError", message)
        return convolve(input, weight, bias, steps, pairs, spread, groups)

    def transposed(
        input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
    ) -> Tensor:
        return transpose_convolve(
            input,
            weight,
            bias,
            repeated(stride, spatial),
            repeated(padding, spatial),
            repeated(output_padding, spatial),
            groups,
            repeated(dilation, spatial),
        )

    operator(
        f"aten::conv{spatial}d({arguments}, SymInt[{size}] padding={zeros}, SymInt[{size}]"
        f" dilation={ones}, SymInt groups=1) -> Tensor"
    )(convolution)
    operator(
        f'aten::conv{spatial}d.padding({arguments}, str padding="valid", SymInt[{size}]'
        f" dilation={ones}, SymInt groups=1) -> Tensor"
    )(padded_by_name)
    overload = "" if spatial == 1 else ".input"
    operator(
        f"aten::conv_transpose{spatial}d{overload}({arguments}, SymInt[{size}] padding={zeros},"
        f" SymInt[{size}] output_padding={zeros}, SymInt groups=1, SymInt[{size}]"
        f" dilation={ones}) -> Tensor"
    )(transposed)


for _spatial in (1, 2, 3):
    _declare_convolution(_spatial)


@operator(
    "aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride,"
    " SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding,"
    " SymInt groups) -> Tensor"
)
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    transposed: bool,
    output_padding: list[int],
    groups: int,
) -> Tensor:
    spatial = weight.array.ndim - 2
    steps, spread = repeated(stride, spatial), repeated(dilation, spatial)
    around = repeated(padding, spatial)
    if transposed:
        extra = repeated(output_padding, spatial)
        return transpose_convolve(input, weight, bias, steps, around, extra, groups, spread)
    return convolve(input, weight, bias, steps, [(p, p) for p in around], spread, groups)


@operator(
    "aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride,"
    " SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding,"
    " SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32)"
    " -> Tensor"
)
def convolution_with_options(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    transposed: bool,
    output_padding: list[int],
    groups: int,
    benchmark: bool,
    deterministic: bool,
    cudnn_enabled: bool,
    allow_tf32: bool,
) -> Tensor:
    return convolution(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


@operator(
    "aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding,"
    " int[2] stride) -> Tensor"
)
def im2col(
    self: Tensor,
    kernel_size: list[int],
    dilation: list[int],
    padding: list[int],
    stride: list[int],
) -> Tensor:
    a = self.array
    batch = a if a.ndim == 4 else a[np.newaxis]
    kernel = repeated(kernel_size, 2)
    padded = zero_padded(batch, [(p, p) for p in repeated(padding, 2)])
    columns = windows(padded, kernel, repeated(stride, 2), repeated(dilation, 2))
    columns = columns.transpose(0, 1, 4, 5, 2, 3)
    result = columns.reshape(len(batch), batch.shape[1] * math.prod(kernel), -1)
    return Tensor(asarray(result if a.ndim == 4 else result[0]).copy())


@operator(
    "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation,"
    " int[2] padding, int[2] stride) -> Tensor"
)
def col2im(
    self: Tensor,
    output_size: list[int],
    kernel_size: list[int],
    dilation: list[int],
    padding: list[int],
    stride: list[int],
) -> Tensor:
    a = self.array
    batch = a if a.ndim == 3 else a[np.newaxis]
    kernel, around = repeated(kernel_size, 2), repeated(padding, 2)
    steps, spread = repeated(stride, 2), repeated(dilation, 2)
    size = repeated(output_size, 2)
    counts = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, p, d, k, s in zip(size, around, spread, kernel, steps)
    ]
    channels = batch.shape[1] // math.prod(kernel)
    columns = batch.reshape(len(batch), channels, *kernel, *counts)
    whole = np.zeros((len(batch), channels, *(n + 2 * p for n, p in zip(size, around))), a.dtype)
    for position in np.ndindex(*kernel):
        places = tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s)
            for p, d, n, s in zip(position, spread, counts, steps)
        )
        whole[(..., *places)] += columns[:, :, position[0], position[1]]
    crop = tuple(slice(p, p + n) for p, n in zip(around, size))
    result = whole[(..., *crop)]
    return Tensor((result if a.ndim == 3 else result[0]).copy())
