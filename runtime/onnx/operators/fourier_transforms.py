"""Fourier transforms: `DFT` along one dimension after the other, on pairs, as of complex numbers."""

from __future__ import annotations

import math
from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts, converts_complex
from tsc.runtime.onnx.operators.complex_numbers import conjugated, part, part_dtype
from tsc.runtime.onnx.refusals import Refused

_OPSET_OF_AXES: Final = 20
_BY_ROOT, _BY_COUNT = 1, 2
"""What a transform of n elements is divided by, in numbers of PyTorch's."""


@converts_complex("aten::_fft_r2c")
def of_reals(call: Call) -> ir.Value:
    """Along the last of the dimensions first, where half of the results says all."""
    dims = call.pair("dim", 1)
    value = call.op("Unsqueeze", call.value(), call.ints([-1]))
    for place, dim in enumerate(reversed(dims)):
        is_half = int(place == 0 and bool(call.constant("onesided")))
        value = _transformed(call, value, dim, onesided=is_half)
    return _scaled(call, value, dims, call.constant("normalization"))


@converts_complex("aten::_fft_c2c")
def of_complex(call: Call) -> ir.Value:
    dims, forward = call.pair("dim", 1), bool(call.constant("forward"))
    value = call.value()
    for dim in dims:
        value = _transformed(call, value, dim, inverse=int(not forward))
    return _scaled(call, value, dims, call.constant("normalization"), is_divided=not forward)


@converts_complex("aten::_fft_c2r")
def to_reals(call: Call) -> ir.Value:
    """What is left out of the last dimension is the conjugate of what is there, in the other order."""
    *others, last = call.pair("dim", 1)
    size, value = int(call.constant("last_dim_size")), call.value()
    for dim in others:
        value = _transformed(call, value, dim, inverse=1)
    dim = last % call.rank()
    half = _slice(call, value, dim, 0, size // 2 + 1)
    rest = _slice(call, half, dim, 1, size - size // 2)
    turned = call.op(
        "Slice", rest, call.ints([-1]), call.ints([-(1 << 62)]), call.ints([dim]), call.ints([-1])
    )
    whole = call.op("Concat", half, conjugated(call, turned, call.dtype), axis=dim)
    result = part(call, _transformed(call, whole, dim, inverse=1), 0)
    sizes = [*(call.fixed_size(each) for each in others), size]
    return _by_sizes(call, result, sizes, call.constant("normalization"), is_divided=True)


def _slice(call: Call, value: ir.Value, dim: int, start: int, end: int) -> ir.Value:
    return call.op("Slice", value, call.ints([start]), call.ints([end]), call.ints([dim]))


def _transformed(
    call: Call, value: ir.Value, dim: int, *, inverse: int = 0, onesided: int = 0
) -> ir.Value:
    axis = dim % call.rank()
    options = {"inverse": inverse, "onesided": onesided}
    if call.builder.opset < _OPSET_OF_AXES:
        return call.op("DFT", value, axis=axis, **options)
    return call.op("DFT", value, None, call.ints(axis), **options)


def _scaled(
    call: Call, value: ir.Value, dims: list[int], how: int, *, is_divided: bool = False
) -> ir.Value:
    sizes = [call.fixed_size(each) for each in dims]
    return _by_sizes(call, value, sizes, how, is_divided=is_divided)


def _by_sizes(
    call: Call, value: ir.Value, sizes: list[int], how: int, *, is_divided: bool
) -> ir.Value:
    """ONNX divides what it transforms back by its size."""
    count = math.prod(sizes)
    factor = {_BY_ROOT: count**-0.5, _BY_COUNT: 1 / count}.get(how, 1.0) * (
        count if is_divided else 1
    )
    if factor == 1:
        return value
    return call.op("Mul", value, call.number(factor, part_dtype(call.result)))


@converts("aten::stft")
@converts_complex("aten::stft")
def short_time_transform(call: Call) -> ir.Value:
    """Windows of the signal as rows, each transformed: (batch, frequencies, windows), in pairs."""
    if call.known("self").dtype.name not in ("float32", "float64"):
        raise Refused("the signal is complex, or has half precision", "transform its real part")
    count, dtype = int(call.constant("n_fft")), call.known("self").dtype.name
    step = call.constant("hop_length") or count // 4
    rows = _windows(call, count, int(step))
    if call.given("window"):
        rows = call.op("Mul", rows, _window(call, count))
    pairs = call.op("Unsqueeze", rows, call.ints([-1]))
    half = call.constant("onesided")
    axis, options = call.rank(), {"inverse": 0, "onesided": int(half is None or bool(half))}
    if call.builder.opset < _OPSET_OF_AXES:
        found = call.op("DFT", pairs, axis=axis, **options)
    else:
        found = call.op("DFT", pairs, None, call.ints(axis), **options)
    if call.constant("normalized"):
        found = call.op("Mul", found, call.number(count**-0.5, dtype))
    lead = list(range(call.rank() - 1))
    return call.op("Transpose", found, perm=[*lead, axis, axis - 1, axis + 1])


def _windows(call: Call, count: int, step: int) -> ir.Value:
    """(…, windows, count) of (…, length)."""
    length = call.op("Shape", call.value(), start=-1)
    left = call.op("Sub", call.op("Reshape", length, call.ints([])), call.ints(count - 1))
    starts = call.op("Range", call.ints(0), left, call.ints(step))
    places = call.op(
        "Add", call.op("Unsqueeze", starts, call.ints([1])), call.ints(list(range(count)))
    )
    return call.op("Gather", call.value(), places, axis=-1)


def _window(call: Call, count: int) -> ir.Value:
    """With zeros on both sides, if it is shorter than what is transformed."""
    window, width = call.value("window"), call.fixed_size(0, "window")
    before = (count - width) // 2
    if width == count:
        return window
    return call.op("Pad", window, call.ints([before, count - width - before]))


@converts_complex("aten::istft")
def inverse_short_time_transform(call: Call) -> ir.Value:
    """Windows are transformed back, added where they overlap, and divided by what the squares of windows add up to."""
    if call.constant("return_complex") or call.constant("onesided") is False:
        raise Refused(
            "all frequencies are given, or complex numbers are wanted", "use half of them"
        )
    count, rank = int(call.constant("n_fft")), call.rank()
    step = int(call.constant("hop_length") or count // 4)
    turned = call.op("Transpose", call.value(), perm=[*range(rank - 2), rank - 1, rank - 2, rank])
    rows = _real_rows(call, turned, count)
    if call.constant("normalized"):
        rows = call.op("Mul", rows, call.number(count**0.5))
    ones = call.op("Expand", call.number(1), call.ints([count]))
    window = _window(call, count) if call.given("window") else ones
    rows = call.op("Mul", rows, window)
    squares = call.op("Expand", call.op("Mul", window, window), call.op("Shape", rows))
    total, weight = (_overlapping(call, each, count, step) for each in (rows, squares))
    start = count // 2 if call.constant("center") else 0
    last = -start if start else (1 << 62)
    end = last if call.constant("length") is None else start + int(call.constant("length"))
    cut = [call.ints([start]), call.ints([end]), call.ints([-1])]
    parts = [call.op("Slice", each, *cut) for each in (total, weight)]
    return call.op("Div", *parts)


def _real_rows(call: Call, half: ir.Value, count: int) -> ir.Value:
    """(…, windows, count) of the half of each spectrum."""
    axis = call.rank() - 1
    rest = _slice(call, half, axis, 1, count - count // 2)
    bounds = [call.ints([-1]), call.ints([-(1 << 62)]), call.ints([axis]), call.ints([-1])]
    turned = conjugated(call, call.op("Slice", rest, *bounds), call.dtype)
    whole = call.op("Concat", half, turned, axis=axis)
    return part(call, _transformed(call, whole, axis, inverse=1), 0)


def _overlapping(call: Call, rows: ir.Value, count: int, step: int) -> ir.Value:
    """(…, length) of (…, windows, count), each of which begins so many steps behind the one before."""
    shape = call.op("Shape", rows)
    lead, windows = call.op("Slice", shape, call.ints([0]), call.ints([-2])), _size(call, shape, -2)
    starts = call.op(
        "Range", call.ints(0), call.op("Mul", windows, call.ints(step)), call.ints(step)
    )
    column = call.op("Unsqueeze", starts, call.ints([1]))
    places = call.op("Add", column, call.ints(list(range(count))))
    places = call.op(
        "Reshape", call.op("Expand", places, shape), _joined(call, lead, call.ints([-1]))
    )
    values = call.op("Reshape", rows, _joined(call, lead, call.ints([-1])))
    length = call.op("Add", call.op("Mul", windows, call.ints(step)), call.ints(count - step))
    length = call.op("Reshape", length, call.ints([1]))
    start = call.op("Expand", call.number(0), _joined(call, lead, length))
    return call.op("ScatterElements", start, places, values, axis=-1, reduction="add")


def _size(call: Call, shape: ir.Value, place: int) -> ir.Value:
    return call.op("Gather", shape, call.ints(place))


def _joined(call: Call, *parts: ir.Value) -> ir.Value:
    return call.op("Concat", *parts, axis=0)
