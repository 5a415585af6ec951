"""Images and sequences made larger and smaller, and places on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
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


@decomposes("upsample_bicubic2d.vec")
def upsample_bicubic2d(
    call: Calls, x: Any, output: Sequence[Any] | None, corners: bool, factors: Any
) -> Any:
    """Sums of four by four elements around each place, with the weights of Keys' kernel."""
    if not x.is_floating:
        return call.plain("upsample_bicubic2d.vec", x, output, corners, factors)
    sizes = [call.settled(each) for each in _sizes(call, x, output, factors)]
    lengths = [call.settled(each) for each in x.sizes[2:]]
    numbers = [call("_to_copy", counted(call, 0, size), dtype=x.code) for size in sizes]
    across, down = [
        _place(call, numbers[axis], lengths[axis], sizes[axis], corners, factors and factors[axis])
        for axis in (1, 0)
    ]
    down = call("unsqueeze", down, -1)
    whole_across, whole_down = call("floor", across), call("floor", down)
    share_down = call("clamp", call("sub.Tensor", down, whole_down), 0.0, 1.0)
    share_across = call("clamp", call("sub.Tensor", across, whole_across), 0.0, 1.0)
    first_across = call("_to_copy", whole_across, dtype=INT64)
    rows = _around(call, call("_to_copy", whole_down, dtype=INT64))
    columns = _around(call, first_across)
    weights, row_weights = [_keys_weights(call, each) for each in (share_across, share_down)]

    def line(row: Any) -> Any:
        found: list[Any] = []
        for column in columns:
            places = [
                call("clamp", each, 0, length - 1) for each, length in zip((row, column), lengths)
            ]
            found.append(call("index.Tensor", x, [None, None, *places]))
        return _weighted(call, found, weights)

    return _weighted(call, list(map(line, rows)), row_weights)


def _place(call: Calls, numbers: Any, length: int, size: int, corners: bool, factor: Any) -> Any:
    """Where elements of a result lie among those that are given."""
    if corners:
        scale = (length - 1.0) / (size - 1.0) if size > 1 else 0.0
        return call("mul.Tensor", numbers, scale)
    scale = 1.0 / factor if factor else length / size
    return call("sub.Tensor", call("mul.Tensor", call("add.Tensor", numbers, 0.5), scale), 0.5)


def _around(call: Calls, place: Any) -> list[Any]:
    """The one before a place, the place, and the two behind it."""
    before = call("sub.Tensor", place, 1)
    return [before, place, call("add.Tensor", place, 1), call("add.Tensor", place, 2)]


def _keys_weights(call: Calls, share: Any) -> list[Any]:
    """Of four neighbours, by the distance to the second of them (R. Keys, 1981; with a = -0.75)."""
    a = -0.75
    near = call("stack", [share, call("sub.Tensor", 1.0, share)])
    far = call("stack", [call("add.Tensor", share, 1.0), call("sub.Tensor", 2.0, share)])
    outer = call("sub.Tensor", call("mul.Tensor", far, a), 5.0 * a)
    outer = call("add.Tensor", call("mul.Tensor", outer, far), 8.0 * a)
    outer = call("sub.Tensor", call("mul.Tensor", outer, far), 4.0 * a)
    inner = call("sub.Tensor", call("mul.Tensor", near, a + 2.0), a + 3.0)
    inner = call("mul.Tensor", call("mul.Tensor", inner, near), near)
    inner = call("add.Tensor", inner, 1)
    first, last = call("unbind.int", outer, 0)
    return [first, *call("unbind.int", inner, 0), last]


def _weighted(call: Calls, values: list[Any], weights: list[Any]) -> Any:
    total = call("mul.Tensor", values[0], weights[0])
    for value, weight in zip(values[1:], weights[1:]):
        total = call("add.Tensor", total, call("mul.Tensor", value, weight))
    return total


@decomposes("grid_sampler")
def grid_sampler(call: Calls, x: Any, grid: Any, mode: int, padding: int, corners: bool) -> Any:
    name = "grid_sampler_2d" if x.dim == 4 else "grid_sampler_3d"
    return call(name, x, grid, mode, padding, corners)


@decomposes("affine_grid_generator")
def affine_grid_generator(call: Calls, theta: Any, size: list[Any], corners: bool) -> Any:
    """The corners of a square or cube, mapped."""
    batch, _, *inner = size
    count = len(inner)
    lines: list[Any] = []
    for place, each in enumerate(reversed(inner)):
        shape = [1] * (count + 1)
        shape[count - 1 - place] = each
        lines.append(call("view", _line(call, each, corners, theta.code), shape))
    lines.append(full(call, [1] * (count + 1), 1, theta.code))
    parts = [
        call("constant_pad_nd", each, [place, count - place], 0.0)
        for place, each in enumerate(lines)
    ]
    whole = reduce(lambda a, b: call("add.Tensor", a, b), parts)
    points = call("view", whole, [-1, count + 1, 1])
    turned = call("unsqueeze", call("mT", theta), 1)
    found = call("sum.dim_IntList", call("mul.Tensor", points, turned), [-2])
    return call("view", found, [batch, *inner, count])


def _line(call: Calls, size: int, corners: bool, code: int) -> Any:
    low, high = (-1.0, 1.0) if corners else (-(size - 1) / size, (size - 1) / size)
    return call("linspace", low, high, size, dtype=code)
