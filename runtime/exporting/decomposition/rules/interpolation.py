"""Images and sequences made larger and smaller, and places on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import FLOAT32, INT64, counted, full
from tsc.runtime.exporting.decomposition.table import decomposes


def _nearest(dims: int, exact: bool) -> Any:
    def rule(call: Calls, x: Any, output: Sequence[Any] | None, factors: Any) -> Any:
        sizes = _sizes(call, x, output, factors)
        return _picked(call, x, sizes, factors or [None] * dims, 0.5 if exact else 0.0)

    return rule


def _sizes(call: Calls, x: Any, output: Sequence[Any] | None, factors: Any) -> list[Any]:
    """By a whole factor, sizes that may change stay so."""
    if output is not None:
        return list(output)
    return [
        size * int(factor) if factor == int(factor) else int(call.settled(size) * factor)
        for size, factor in zip(x.sizes[2:], factors)
    ]


def _picked(call: Calls, x: Any, sizes: list[Any], factors: Sequence[Any], shift: float) -> Any:
    """The element that lies nearest, by index along each dimension."""
    index: list[Any] = [None, None]
    count = len(sizes)
    for place, (size, factor) in enumerate(zip(sizes, factors)):
        if factor is None:
            scale = call.settled(x.sizes[2 + place]) / call.settled(size)
        else:
            scale = 1.0 / factor
        numbers = counted(call, 0, size, dtype=FLOAT32)
        found = call("mul.Tensor", call("add.Tensor", numbers, shift), scale)
        found = call("_to_copy", found, dtype=INT64)
        for _ in range(count - place - 1):
            found = call("unsqueeze", found, -1)
        index.append(found)
    return call("index.Tensor", x, index)


for _name, _exact in (("upsample_nearest", False), ("_upsample_nearest_exact", True)):
    decomposes(f"{_name}1d.vec")(_nearest(1, _exact))
decomposes("_upsample_nearest_exact2d.vec")(_nearest(2, True))
decomposes("_upsample_nearest_exact3d.vec")(_nearest(3, True))


@decomposes("upsample_linear1d.vec")
def upsample_linear1d(
    call: Calls, x: Any, output: Sequence[Any] | None, corners: bool, factors: Any
) -> Any:
    """Between the two elements on both sides."""
    size = call.settled(_sizes(call, x, output, factors)[0])
    length = call.settled(x.sizes[2])
    if corners:
        scale = (length - 1.0) / (size - 1.0) if size > 1 else 0.0
    else:
        scale = length / size if not factors or factors[0] is None else 1.0 / factors[0]
    places = call("_to_copy", counted(call, 0, size), dtype=x.code)
    if corners:
        places = call("mul.Tensor", places, scale)
    else:
        half = call("mul.Tensor", call("add.Tensor", places, 0.5), scale)
        places = call("sub.Tensor", half, 0.5)
    places = call("view", call("clamp", places, 0.0), [size])
    first = call("_to_copy", places, dtype=INT64)
    second = call("clamp", call("add.Tensor", first, 1), None, length - 1)
    left = call("index.Tensor", x, [None, None, first])
    right = call("index.Tensor", x, [None, None, second])
    share = call("clamp", call("sub.Tensor", places, first), 0.0, 1.0)
    step = call("mul.Tensor", call("sub.Tensor", right, left), share)
    return call("add.Tensor", left, step)


@decomposes("grid_sampler")
def grid_sampler(call: Calls, x: Any, grid: Any, mode: int, padding: int, corners: bool) -> Any:
    name = "grid_sampler_2d" if x.dim == 4 else "grid_sampler_3d"
    return call(name, x, grid, mode, padding, corners)


@decomposes("affine_grid_generator")
def affine_grid_generator(call: Calls, theta: Any, size: list[Any], corners: bool) -> Any:
    """The corners of a square, mapped."""
    batch, _, *inner = size
    if len(inner) != 2:
        return call.plain("affine_grid_generator", theta, size, corners)
    height, width = inner
    across = call("view", _line(call, width, corners, theta.code), [1, width, 1])
    down = call("view", _line(call, height, corners, theta.code), [height, 1, 1])
    ones = full(call, [1, 1, 1], 1, theta.code)
    parts = [
        call("constant_pad_nd", each, pads, 0.0)
        for each, pads in ((across, [0, 2]), (down, [1, 1]), (ones, [2, 0]))
    ]
    whole = call("add.Tensor", call("add.Tensor", parts[0], parts[1]), parts[2])
    points = call("view", whole, [-1, 3, 1])
    turned = call("unsqueeze", call("mT", theta), 1)
    found = call("sum.dim_IntList", call("mul.Tensor", points, turned), [-2])
    return call("view", found, [batch, height, width, 2])


def _line(call: Calls, size: int, corners: bool, code: int) -> Any:
    low, high = (-1.0, 1.0) if corners else (-(size - 1) / size, (size - 1) / size)
    return call("linspace", low, high, size, dtype=code)
