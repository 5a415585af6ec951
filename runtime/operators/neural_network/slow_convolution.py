"""Convolutions under the names of PyTorch's plain kernels, which take the kernel's size as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.windows import repeated, window_counts
from tsc.runtime.operators.neural_network.convolution import (
    array_of,
    convolution_array,
    symmetric,
    transposed_array,
)
from tsc.runtime.operators.neural_network.convolution_checks import (
    check_implemented,
    check_parameters,
)
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


def _check_channels(a: np.ndarray, axis: int, channels: int) -> None:
    if a.shape[axis] != channels:
        raise ScriptError(
            "RuntimeError",
            f"Expected a tensor of dimension {a.ndim} and tensor.size[{axis}] == {channels} but "
            f"got: dimension {a.ndim} and tensor.size[{axis}] = {a.shape[axis]}",
        )


def _weight_of(weight: Tensor, kernel_size: Sequence[int], spatial: int) -> np.ndarray:
    """The weight, also one whose channels and kernel are one dimension."""
    w, kernel = weight.array, repeated(kernel_size, spatial)
    if w.ndim == 2 and w.shape[1] % int(np.prod(kernel)) == 0:
        return w.reshape(len(w), -1, *kernel)
    if w.ndim != spatial + 2 or w.shape[2:] != kernel:
        raise ScriptError(
            "RuntimeError",
            f"Expected a weight with kernel size {list(kernel)}, but got: {list(w.shape)}",
        )
    return w


def _batched(a: np.ndarray, spatial: int, takes_one: bool) -> np.ndarray:
    if takes_one and a.ndim == spatial + 1:
        return a[np.newaxis]
    if a.ndim != spatial + 2:
        kind = (
            "Expected 4D input tensor, but got"
            if spatial == 2
            else ("non-empty 5D input tensor expected but got")
        )
        raise ScriptError("RuntimeError", f"{kind}: {list(a.shape)}")
    return a


def _plain(spatial: int, takes_one: bool = False) -> Callable[..., Tensor]:
    ones, zeros = [1] * spatial, [0] * spatial

    def plain_convolution(
        self, weight, kernel_size, bias=None, stride=ones, padding=zeros, dilation=ones
    ) -> Tensor:
        a, w = _batched(self.array, spatial, takes_one), _weight_of(weight, kernel_size, spatial)
        check_parameters(spatial, stride, padding, dilation, zeros, 1)
        check_implemented(a, spatial, takes_one, transposed=False, decomposed=False)
        _check_channels(a, 1, w.shape[1])
        steps, around, spread = (repeated(each, spatial) for each in (stride, padding, dilation))
        margins = symmetric(around)
        extents = [n + 2 * p for n, p in zip(a.shape[2:], around)]
        counts = window_counts(extents, w.shape[2:], steps, spread)
        if takes_one and min(counts) == 0:
            result = np.empty((len(a), len(w), *counts), a.dtype)
        else:
            result = convolution_array(a, w, array_of(bias), steps, margins, spread, 1)
        return Tensor(result if a is self.array else result[0])

    return plain_convolution


def _without_dilation(convolve: Callable[..., Tensor], spatial: int) -> Callable[..., Tensor]:
    def undilated(
        self, weight, kernel_size, bias=None, stride=[1] * spatial, padding=[0] * spatial
    ) -> Tensor:
        return convolve(self, weight, kernel_size, bias, stride, padding)

    return undilated


def _transposed(spatial: int) -> Callable[..., Tensor]:
    ones, zeros = [1] * spatial, [0] * spatial

    def transposed_convolution(
        self,
        weight,
        kernel_size,
        bias=None,
        stride=ones,
        padding=zeros,
        output_padding=zeros,
        dilation=ones,
    ) -> Tensor:
        a, w = _batched(self.array, spatial, True), _weight_of(weight, kernel_size, spatial)
        numbers = (stride, padding, dilation, output_padding)
        check_parameters(spatial, *numbers, 1)
        check_implemented(a, spatial, False, transposed=True, decomposed=False)
        _check_channels(a, 1, w.shape[0])
        steps, around, spread, extra = (repeated(each, spatial) for each in numbers)
        result = transposed_array(a, w, array_of(bias), steps, around, extra, spread, 1)
        return Tensor(result[0] if spatial == 3 and a is not self.array else result)

    return transposed_convolution


def _declare(spatial: int) -> None:
    n, ones, zeros = spatial, [1] * spatial, [0] * spatial
    head = f"Tensor self, Tensor weight, SymInt[{n}] kernel_size, Tensor? bias"
    undilated = _without_dilation(_plain(spatial), spatial)
    name = "_slow_conv2d_forward" if spatial == 2 else "slow_conv3d_forward"
    operator(f"aten::{name}({head}, SymInt[{n}] stride, SymInt[{n}] padding) -> Tensor")(undilated)
    options = f"SymInt[{n}] stride={ones}, SymInt[{n}] padding={zeros}"
    name = "thnn_conv2d" if spatial == 2 else "slow_conv3d"
    operator(f"aten::{name}({head}=None, {options}) -> Tensor")(undilated)
    operator(
        f"aten::slow_conv_dilated{n}d({head}=None, {options}, SymInt[{n}] dilation={ones})"
        " -> Tensor"
    )(_plain(spatial, takes_one=True))
    operator(
        f"aten::slow_conv_transpose{n}d({head}=None, {options},"
        f" SymInt[{n}] output_padding={zeros}, SymInt[{n}] dilation={ones}) -> Tensor"
    )(_transposed(spatial))


_declare(2)
_declare(3)


@operator("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor")
def conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """Over (time, batch, channels) with (time, channels, outputs)."""
    a, w, b = self.array, weight.array, bias.array
    problem = _tbc_problem(a, w, b)
    if problem:
        raise ScriptError("RuntimeError", problem)
    length = len(a) + 2 * pad - len(w) + 1
    if length < 0:
        shape = [length, a.shape[1], w.shape[2]]
        message = f"Trying to create tensor with negative dimension {length}: {shape}"
        raise ScriptError("RuntimeError", message)
    if length == 0:
        return Tensor(np.empty((0, a.shape[1], w.shape[2]), a.dtype))
    result = convolution_array(
        a.transpose(1, 2, 0), w.transpose(2, 1, 0), b, (1,), symmetric((pad,)), (1,), 1
    )
    return Tensor(np.ascontiguousarray(result.transpose(2, 0, 1)))


def _tbc_problem(a: np.ndarray, w: np.ndarray, b: np.ndarray) -> str | None:
    if a.ndim != 3:
        return f"Input must have 3 dims (time, batch, channels), not {a.ndim}"
    if w.ndim != 3:
        return f"Weight tensor must have 3 dims (width, channels in, channels out), not {w.ndim}"
    if b.ndim != 1:
        return "Bias must be 1-D"
    if a.shape[2] != w.shape[1]:
        return (
            f"Input dim 2 (input channels) is {a.shape[2]}, dimension 1 of the weight {w.shape[1]}"
        )
    if w.shape[2] != len(b):
        return f"Bias size must equal the output channels of the weight: {len(b)} and {w.shape[2]}"
    return None


out_forms(SAME, "conv_tbc slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d")
out_forms(
    same("expected scalar type {result} but found {out}"),
    """
    _slow_conv2d_forward:output(output) slow_conv3d slow_conv3d_forward:output(output)
    slow_conv_transpose3d thnn_conv2d
    """,
)
