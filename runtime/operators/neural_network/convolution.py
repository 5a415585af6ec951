"""Convolutions of one, two and three dimensions, and their transposes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Layout, Options
from tsc.runtime.arrays.dtypes import COMPLEX_DOUBLE, DOUBLE, LONG
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.convolving import convolve, convolve_transposed
from tsc.runtime.numerics.neural.native_work import is_native_work
from tsc.runtime.numerics.neural.transposed_phases import convolve_by_phases
from tsc.runtime.numerics.neural.windows import Margins, reach, repeated
from tsc.runtime.operators.neural_network.convolution_checks import (
    check_dtypes,
    check_implemented,
    check_not_empty,
    check_parameters,
    check_transposed_size,
    check_transposed_weight,
    check_weight,
    check_window,
)
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.overloads import overloads_of
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_NEVER_EMPTY = frozenset({DOUBLE, COMPLEX_DOUBLE, LONG})
"""PyTorch's own kernels refuse an empty output; the library it has for other dtypes does not."""
_OF_NANOSECOND = 16
"""Multiplications of transposed convolutions by products, which add up what they make in memory."""
_PLACES_OF_PHASES = 4
"""Where the input has fewer, its phases do not fill vectors."""


def _batched(name: str, a: np.ndarray, spatial: int) -> np.ndarray:
    """The input with a batch dimension."""
    if a.ndim == spatial + 2:
        return a
    if a.ndim == spatial + 1:
        return a[np.newaxis]
    raise ScriptError(
        "RuntimeError",
        f"Expected {spatial + 1}D (unbatched) or {spatial + 2}D (batched) input to "
        f"{name}{spatial}d, but got input of size: {list(a.shape)}",
    )


def array_of(tensor: Tensor | None) -> np.ndarray | None:
    return None if tensor is None else tensor.array


def _add_bias(result: np.ndarray, bias: np.ndarray | None) -> None:
    if bias is not None:
        np.add(result, widened(bias).reshape(-1, *(1,) * (result.ndim - 2)), result)


def convolution_array(
    a: np.ndarray,
    w: np.ndarray,
    bias: np.ndarray | None,
    stride: Sequence[int],
    margins: Margins,
    dilation: Sequence[int],
    groups: int,
) -> np.ndarray:
    """A convolution of a batch, or an error; the numbers have been checked already."""
    check_weight(a, w, bias, groups)
    check_window(a.shape[2:], margins, w.shape[2:], dilation)
    check_not_empty(a, w.shape[2:])
    check_dtypes(a, w, bias)
    check_implemented(a, w.ndim - 2, max(dilation) > 1, transposed=False)
    added = None if bias is None else widened(bias)
    result = convolve(widened(a), widened(w), stride, margins, dilation, groups, added)
    return narrowed(result, a.dtype)


def transposed_array(
    a: np.ndarray,
    w: np.ndarray,
    bias: np.ndarray | None,
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> np.ndarray:
    check_transposed_weight(a, w, bias, groups)
    check_not_empty(a, w.shape[2:])
    least = 1 if a.dtype in _NEVER_EMPTY else 0
    check_transposed_size(
        a.shape[2:], w.shape[2:], stride, padding, output_padding, dilation, least
    )
    check_dtypes(a, w, bias)
    check_implemented(a, w.ndim - 2, max(dilation) > 1, transposed=True)
    wide, weight = widened(a), widened(w)
    few = math.prod(a.shape[2:]) < _PLACES_OF_PHASES
    if not few and is_native_work(wide.dtype, wide.size * w[0].size // _OF_NANOSECOND):
        added = None if bias is None else widened(bias)
        counts = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1 + extra
            for n, s, p, d, k, extra in zip(
                a.shape[2:], stride, padding, dilation, w.shape[2:], output_padding
            )
        ]
        where = stride, padding, dilation, groups, counts
        return narrowed(convolve_by_phases(wide, weight, added, *where), a.dtype)
    result = convolve_transposed(wide, weight, stride, padding, output_padding, dilation, groups)
    _add_bias(result, bias)
    return narrowed(result, a.dtype)


def named_padding(
    padding: str, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> list[tuple[int, int]]:
    """``"same"`` keeps sizes: an odd margin is wider at the end. ``"valid"`` is none."""
    if padding == "valid":
        return [(0, 0)] * len(kernel)
    if padding != "same":
        raise ScriptError("RuntimeError", f"Invalid padding string: '{padding}'")
    if any(step != 1 for step in stride):
        message = "padding='same' is not supported for strided convolutions: the stride is "
        message += f"{list(stride)}; pass the padding in numbers"
        raise ScriptError("RuntimeError", message)
    totals = [size - 1 for size in reach(kernel, dilation)]
    return [(total // 2, total - total // 2) for total in totals]


def symmetric(padding: Sequence[int]) -> list[tuple[int, int]]:
    return [(p, p) for p in padding]


def _with_named_padding(
    a: np.ndarray,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: str,
    dilation: Sequence[int],
    groups: int,
) -> np.ndarray:
    w = weight.array
    spatial = w.ndim - 2
    check_parameters(spatial, stride, (0,), dilation, (0,), groups)
    steps, spread = repeated(stride, spatial), repeated(dilation, spatial)
    margins = named_padding(padding, w.shape[2:], steps, spread)
    return convolution_array(a, w, array_of(bias), steps, margins, spread, groups)


def _declare_convolution(spatial: int) -> None:
    size, ones, zeros = spatial, [1] * spatial, [0] * spatial
    arguments = f"Tensor input, Tensor weight, Tensor? bias=None, SymInt[{size}] stride={ones}"
    output_padding = (0,) * spatial

    def convolution(
        input, weight, bias=None, stride=ones, padding=zeros, dilation=ones, groups=1
    ) -> Tensor:
        batch = _batched("conv", input.array, spatial)
        check_parameters(weight.array.ndim - 2, stride, padding, dilation, output_padding, groups)
        steps, around, spread = (repeated(each, spatial) for each in (stride, padding, dilation))
        result = convolution_array(
            batch, weight.array, array_of(bias), steps, symmetric(around), spread, groups
        )
        return Tensor(result if batch is input.array else result[0])

    def padded_by_name(
        input, weight, bias=None, stride=ones, padding="valid", dilation=ones, groups=1
    ) -> Tensor:
        batch = _batched("conv", input.array, spatial)
        result = _with_named_padding(batch, weight, bias, stride, padding, dilation, groups)
        return Tensor(result if batch is input.array else result[0])

    def transposed(
        input,
        weight,
        bias=None,
        stride=ones,
        padding=zeros,
        output_padding=zeros,
        groups=1,
        dilation=ones,
    ) -> Tensor:
        batch = _batched("conv_transpose", input.array, spatial)
        numbers = (stride, padding, dilation, output_padding)
        check_parameters(weight.array.ndim - 2, *numbers, groups)
        steps, around, spread, extra = (repeated(each, spatial) for each in numbers)
        result = transposed_array(
            batch, weight.array, array_of(bias), steps, around, extra, spread, groups
        )
        return Tensor(result if batch is input.array else result[0])

    layout = Options(layout=Layout.AS_IMAGES) if spatial == 2 else Options()
    operator(
        f"aten::conv{spatial}d({arguments}, SymInt[{size}] padding={zeros}, SymInt[{size}]"
        f" dilation={ones}, SymInt groups=1) -> Tensor",
        **layout,
    )(convolution)
    operator(
        f'aten::conv{spatial}d.padding({arguments}, str padding="valid", SymInt[{size}]'
        f" dilation={ones}, SymInt groups=1) -> Tensor",
        **layout,
    )(padded_by_name)
    overload = "" if spatial == 1 else ".input"
    operator(
        f"aten::conv_transpose{spatial}d{overload}({arguments}, SymInt[{size}] padding={zeros},"
        f" SymInt[{size}] output_padding={zeros}, SymInt groups=1, SymInt[{size}]"
        f" dilation={ones}) -> Tensor",
        **layout,
    )(transposed)


@operator(
    "aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride,"
    " str padding, SymInt[] dilation, SymInt groups) -> Tensor"
)
def convolution_mode(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: list[int],
    padding: str,
    dilation: list[int],
    groups: int,
) -> Tensor:
    check_implemented(
        input.array, weight.array.ndim - 2, max(dilation) > 1, transposed=False, decomposed=False
    )
    return Tensor(_with_named_padding(input.array, weight, bias, stride, padding, dilation, groups))


for _spatial in (1, 2, 3):
    _declare_convolution(_spatial)


@operator(
    "aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride,"
    " SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding,"
    " SymInt groups) -> Tensor",
    layout=Layout.AS_IMAGES,
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
    a, w = input.array, weight.array
    spatial = w.ndim - 2
    if spatial <= 0:
        raise ScriptError("RuntimeError", "weight should have at least three dimensions")
    numbers = (stride, padding, dilation, output_padding)
    check_parameters(spatial, *numbers, groups)
    check_implemented(a, spatial, max(dilation) > 1, transposed=transposed, decomposed=False)
    steps, around, spread, extra = (repeated(each, spatial) for each in numbers)
    if transposed:
        return Tensor(transposed_array(a, w, array_of(bias), steps, around, extra, spread, groups))
    return Tensor(convolution_array(a, w, array_of(bias), steps, symmetric(around), spread, groups))


_OPTIONS = (
    "Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding,"
    " SymInt[] dilation, bool transposed, {}[] output_padding, SymInt groups, bool benchmark,"
    " bool deterministic, bool cudnn_enabled"
)


overloads_of(
    convolution,
    f"aten::_convolution.deprecated({_OPTIONS.format('int')}) -> Tensor",
    f"aten::_convolution({_OPTIONS.format('SymInt')}, bool allow_tf32) -> Tensor",
    options=Options(layout=Layout.AS_IMAGES),
)
out_forms(SAME, "convolution _convolution")
