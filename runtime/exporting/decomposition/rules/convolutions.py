"""Convolutions as the one operator that all of them are."""

from __future__ import annotations

from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.table import decomposes


def _convolution(dims: int) -> Any:
    def rule(
        call: Calls,
        x: Any,
        weight: Any,
        bias: Any,
        stride: list[int],
        padding: list[int],
        dilation: list[int],
        groups: int,
    ) -> Any:
        spread = [_spread(each, dims) for each in (stride, padding, dilation)]
        return _called(call, x, weight, bias, *spread, False, [0] * dims, groups)

    return rule


def _padded(dims: int) -> Any:
    def rule(
        call: Calls,
        x: Any,
        weight: Any,
        bias: Any,
        stride: list[int],
        padding: str,
        dilation: list[int],
        groups: int,
    ) -> Any:
        stride, dilation = _spread(stride, dims), _spread(dilation, dims)
        if padding == "valid":
            return _called(
                call, x, weight, bias, stride, [0] * dims, dilation, False, [0] * dims, groups
            )
        totals = [d * (k - 1) for d, k in zip(dilation, weight.value.array.shape[2:])]
        sides = [each // 2 for each in totals]
        more = [each % 2 for each in totals]
        if any(more):
            pads = [side for each in reversed(more) for side in (0, each)]
            x = call("constant_pad_nd", x, pads)
        return _called(call, x, weight, bias, stride, sides, dilation, False, [0] * dims, groups)

    return rule


def _transposed(dims: int) -> Any:
    def rule(
        call: Calls,
        x: Any,
        weight: Any,
        bias: Any,
        stride: list[int],
        padding: list[int],
        output_padding: list[int],
        groups: int,
        dilation: list[int],
    ) -> Any:
        spread = [_spread(each, dims) for each in (stride, padding, dilation, output_padding)]
        return _called(call, x, weight, bias, *spread[:3], True, spread[3], groups)

    return rule


def _called(call: Calls, x: Any, weight: Any, *given: Any) -> Any:
    """An input without a batch gets one."""
    if x.dim == weight.dim:
        return call("convolution", x, weight, *given)
    found = call("convolution", call("unsqueeze", x, 0), weight, *given)
    return call("squeeze.dim", found, 0)


def _spread(values: list[int], dims: int) -> list[int]:
    return list(values) * dims if len(values) == 1 else list(values)


for _dims in (1, 2, 3):
    decomposes(f"conv{_dims}d")(_convolution(_dims))
    decomposes(f"conv{_dims}d.padding")(_padded(_dims))
decomposes("conv_transpose1d")(_transposed(1))
decomposes("conv_transpose2d.input")(_transposed(2))
decomposes("conv_transpose3d.input")(_transposed(3))
