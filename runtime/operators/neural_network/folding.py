"""Sliding blocks of images as columns of a matrix, and their sums."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, FLOATING
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.windows import add_windows, columns, padded, window_counts
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

Pair = Sequence[int]


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _check_parameters(kernel: Pair, dilation: Pair, padding: Pair, stride: Pair) -> None:
    named = {"kernel_size": kernel, "dilation": dilation, "padding": padding, "stride": stride}
    for name, values in named.items():
        if len(values) != 2:
            _refuse(f"It is expected {name} equals to 2, but got size {len(values)}")
    positive = {"kernel size": ("kernel", kernel), "dilation": ("dilation", dilation)}
    for name, (short, (height, width)) in positive.items():
        if min(height, width) <= 0:
            _refuse(
                f"{name} should be greater than zero, but got {short}_height: {height} "
                f"{short}_width: {width}"
            )
    if min(padding) < 0:
        _refuse(
            f"padding should be non-negative, not {padding[0]} in height and {padding[1]} in width"
        )
    if min(stride) <= 0:
        _refuse(
            f"stride should be greater than zero, not {stride[0]} in height and {stride[1]} in width"
        )


def _pair(values: Pair) -> str:
    return f"({values[0]}, {values[1]})"


def _geometry(kernel: Pair, dilation: Pair, padding: Pair) -> str:
    return f"kernel_size={_pair(kernel)}, dilation={_pair(dilation)}, padding={_pair(padding)}"


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
    _check_parameters(kernel_size, dilation, padding, stride)
    if a.ndim < 3:
        wrap_dimension(2, a.ndim)
    if a.ndim > 4 or 0 in a.shape[-3:]:
        _refuse(
            "Expected 3D or 4D (batch mode) tensor, in which only the batch may be empty, not one "
            f"of the shape {list(a.shape)}"
        )
    around = padded(a, [(p, p) for p in padding])
    counts = window_counts(around.shape[-2:], kernel_size, stride, dilation)
    if min(counts) < 1:
        _refuse(
            f"Given input with spatial size {_pair(a.shape[-2:])}, "
            f"{_geometry(kernel_size, dilation, padding)}, no sliding block fits: their array "
            f"would be {_pair(counts)}"
        )
    if CATEGORY[a.dtype] < FLOATING and a.dtype is not BOOL:
        raise not_implemented("im2col_out_cpu", a.dtype)
    cells = columns(around, kernel_size, stride, dilation)
    shape = (*a.shape[:-3], a.shape[-3] * math.prod(kernel_size), math.prod(counts))
    return Tensor(np.ascontiguousarray(cells).reshape(shape))


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
    _check_parameters(kernel_size, dilation, padding, stride)
    if a.ndim not in (2, 3) or 0 in a.shape[-2:]:
        _refuse(
            "Expected 2D or 3D (batch mode) tensor, in which only the batch may be empty, not one "
            f"of the shape {list(a.shape)}"
        )
    blocks = math.prod(kernel_size)
    if a.shape[-2] % blocks:
        _refuse(
            f"Expected size of input's dimension {a.ndim - 2}, {a.shape[-2]}, to be divisible by "
            f"{blocks}, the elements of a block of kernel_size={_pair(kernel_size)}"
        )
    extents = [n + 2 * p for n, p in zip(output_size, padding)]
    counts = window_counts(extents, kernel_size, stride, dilation)
    _check_blocks(a, output_size, counts, _geometry(kernel_size, dilation, padding), stride)
    if CATEGORY[a.dtype] < FLOATING and a.dtype is not BOOL:
        raise not_implemented("col2im_out_cpu", a.dtype)
    lead = (*a.shape[:-2], a.shape[-2] // blocks)
    whole = np.zeros((*lead, *extents), a.dtype)
    add_windows(whole, a.reshape(*lead, *kernel_size, *counts), kernel_size, stride, dilation)
    (top, left), (height, width) = padding, output_size
    return Tensor(np.ascontiguousarray(whole[..., top : top + height, left : left + width]))


def _check_blocks(
    a: np.ndarray, output_size: Pair, counts: Pair, geometry: str, stride: Pair
) -> None:
    given = f"Given output_size={_pair(output_size)}, {geometry}, stride={_pair(stride)}"
    found = f"but got input.size({a.ndim - 1})={a.shape[-1]}."
    if a.shape[-1] != math.prod(counts):
        _refuse(
            f"{given}, expected size of input's dimension {a.ndim - 1} to match the calculated "
            f"number of sliding blocks {counts[0]} * {counts[1]} = {math.prod(counts)}, {found}"
        )
    if min(output_size) < 1:
        _refuse(f"{given}, expected output_size to be positive, {found}")


out_forms(SAME, "col2im im2col")
