"""What PyTorch says about arguments of convolutions that do not fit together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, COMPLEX, FLOATING, LONG, c_name, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.windows import Margins, reach
from tsc.runtime.operators.elementwise import not_implemented

_DIMENSIONS = {1: ("width",), 2: ("height", "width"), 3: ("depth", "height", "width")}


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def by_extents(sizes: Sequence[int]) -> str:
    return " x ".join(map(str, sizes))


def check_parameters(
    spatial: int,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    output_padding: Sequence[int],
    groups: int,
) -> None:
    """The numbers alone: as many as there are dimensions, or one, and none out of range."""
    named = {"stride": stride, "padding": padding, "dilation": dilation}
    for name, values in (named | {"output_padding": output_padding}).items():
        if len(values) not in (1, spatial):
            _refuse(
                f"expected {name} to be a single integer value or a list of {spatial} values to "
                f"match the convolution dimensions, but got {name}={list(values)}"
            )
    if min(padding) < 0:
        _refuse("negative padding is not supported")
    if min(output_padding) < 0:
        _refuse("negative output_padding is not supported")
    if min(stride) <= 0:
        _refuse("non-positive stride is not supported")
    if min(dilation) <= 0:
        _refuse(f"dilation should be greater than zero, not {list(dilation)}")
    if groups <= 0:
        _refuse("non-positive groups is not supported")


def check_dtypes(a: np.ndarray, w: np.ndarray, bias: np.ndarray | None) -> None:
    if a.dtype is not w.dtype:
        _refuse(f"expected scalar type {scalar_name(a.dtype)} but found {scalar_name(w.dtype)}")
    if bias is not None and bias.dtype is not a.dtype:
        _refuse(
            f"Input type ({c_name(a.dtype)}) and bias type ({c_name(bias.dtype)}) should be the same"
        )


def check_implemented(
    a: np.ndarray, spatial: int, dilated: bool, *, transposed: bool, decomposed: bool = True
) -> None:
    """PyTorch has kernels for floating-point numbers and int64, and plain ones for integers.

    `decomposed`: a complex convolution is made of real ones.
    """
    category = CATEGORY[a.dtype]
    if category == FLOATING or a.dtype is LONG or (category == COMPLEX and decomposed):
        return
    if transposed:
        raise not_implemented(f"slow_conv_transpose{max(spatial, 2)}d_out_cpu", a.dtype)
    if dilated:
        raise not_implemented("slow_conv_dilated<>", a.dtype)
    if a.dtype is BOOL or category == COMPLEX:
        raise not_implemented("compute_columns3d" if spatial == 3 else "slow_conv2d_cpu", a.dtype)


def check_weight(a: np.ndarray, w: np.ndarray, bias: np.ndarray | None, groups: int) -> None:
    """The weight of a convolution and the channels of its input."""
    _check_ndim(a, w)
    if w.shape[0] < groups:
        _refuse(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but "
            f"got weight of size {list(w.shape)} instead"
        )
    _check_divisible(w, groups)
    if a.shape[1] != w.shape[1] * groups:
        _refuse(
            f"Given groups={groups}, weight of size {list(w.shape)}, expected "
            f"input{list(a.shape)} to have {w.shape[1] * groups} channels, but got "
            f"{a.shape[1]} channels instead"
        )
    _check_bias(bias, w.shape[0], f"Given weight of size {list(w.shape)}")


def check_transposed_weight(
    a: np.ndarray, w: np.ndarray, bias: np.ndarray | None, groups: int
) -> None:
    _check_ndim(a, w)
    _check_divisible(w, groups)
    if a.shape[1] != w.shape[0]:
        _refuse(
            f"Given transposed=1, weight of size {list(w.shape)}, expected "
            f"input{list(a.shape)} to have {w.shape[0]} channels, but got "
            f"{a.shape[1]} channels instead"
        )
    given = f"Given transposed=1, weight of size {list(w.shape)}"
    _check_bias(bias, w.shape[1] * groups, given)


def _check_ndim(a: np.ndarray, w: np.ndarray) -> None:
    if a.ndim != w.ndim:
        _refuse(
            f"Expected {w.ndim}-dimensional input for {w.ndim}-dimensional weight "
            f"{list(w.shape)}, but got {a.ndim}-dimensional input of size {list(a.shape)} instead"
        )


def _check_divisible(w: np.ndarray, groups: int) -> None:
    if w.shape[0] % groups:
        _refuse(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{list(w.shape)}] instead"
        )


def _check_bias(bias: np.ndarray | None, outputs: int, given: str) -> None:
    if bias is not None and bias.shape != (outputs,):
        _refuse(
            f"{given}, expected bias to be 1-dimensional with {outputs} elements, but got bias of "
            f"size {list(bias.shape)} instead"
        )


def check_window(
    extents: Sequence[int], margins: Margins, kernel: Sequence[int], dilation: Sequence[int]
) -> None:
    """The kernel fits into the input."""
    sizes = [n + before + after for n, (before, after) in zip(extents, margins)]
    needed = reach(kernel, dilation)
    if any(extent < size for extent, size in zip(sizes, needed)):
        _refuse(
            f"Kernel size can't be greater than the input: the kernel takes ({by_extents(needed)}), "
            f"dilation counted, and the input is ({by_extents(sizes)}), padding counted"
        )


def check_not_empty(a: np.ndarray, kernel: Sequence[int]) -> None:
    if 0 in kernel:
        _refuse(f"kernel size should be greater than zero, not {list(kernel)}")
    if a.size == 0 and a.shape[0] and a.shape[1]:
        _refuse(
            "Only zero batch or zero channel inputs may be empty, not an input of the shape "
            f"{list(a.shape)}"
        )


def check_transposed_size(
    extents: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    least: int,
) -> None:
    """Output padding adds less than one step, and no less than `least` is left of the output."""
    if len(extents) == 1:
        names = _DIMENSIONS[2]
        padding, output_padding = (0, *padding), (0, *output_padding)
        extents, kernel, stride, dilation = (
            (1, *values) for values in (extents, kernel, stride, dilation)
        )
    else:
        names = _DIMENSIONS[len(extents)]
    if any(p >= s and p >= d for p, s, d in zip(output_padding, stride, dilation)):
        values = {"output_padding": output_padding, "stride": stride, "dilation": dilation}
        listed = " ".join(
            f"{key}_{name}: {value}"
            for key, numbers in values.items()
            for name, value in zip(names, numbers)
        )
        _refuse("output padding must be smaller than stride or dilation, not " + listed)
    sizes = [
        (n - 1) * s - 2 * p + size + extra
        for n, s, p, size, extra in zip(
            extents, stride, padding, reach(kernel, dilation), output_padding
        )
    ]
    if min(sizes) < least:
        _refuse(
            f"Given input size per channel: ({by_extents(extents)}). "
            f"Calculated output size per channel: ({by_extents(sizes)}). "
            "Output size is too small"
        )
