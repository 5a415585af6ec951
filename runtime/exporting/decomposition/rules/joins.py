"""Tensors put together, repeated, turned and rolled."""

from __future__ import annotations

from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import copied, counted, dim_of, full
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("stack")
def stack(call: Calls, tensors: list[Any], dim: int) -> Any:
    place = dim_of(dim, tensors[0], 1)
    sizes = tensors[0].sizes
    if place == len(sizes):
        return call("cat", [call("unsqueeze", each, place) for each in tensors], place)
    joined = call("cat", tensors, place)
    return call("view", joined, [*sizes[:place], len(tensors), *sizes[place:]])


@decomposes("concat", "concatenate", always=True)
def concat(call: Calls, tensors: list[Any], dim: int) -> Any:
    return call("cat", tensors, dim)


@decomposes("hstack")
def hstack(call: Calls, tensors: list[Any]) -> Any:
    found = [call("atleast_1d", each) for each in tensors]
    return call("cat", found, 0 if found[0].dim == 1 else 1)


@decomposes("vstack", "row_stack")
def vstack(call: Calls, tensors: list[Any]) -> Any:
    return call("cat", [call("atleast_2d", each) for each in tensors], 0)


@decomposes("dstack")
def dstack(call: Calls, tensors: list[Any]) -> Any:
    return call("cat", [call("atleast_3d", each) for each in tensors], 2)


@decomposes("column_stack")
def column_stack(call: Calls, tensors: list[Any]) -> Any:
    columns = [
        call("reshape", each, [each.sizes[0] if each.dim else 1, 1]) if each.dim <= 1 else each
        for each in tensors
    ]
    return call("hstack", columns)


@decomposes("block_diag")
def block_diag(call: Calls, tensors: list[Any]) -> Any:
    blocks = [call("atleast_2d", each) for each in tensors]
    width = sum(each.sizes[1] for each in blocks)
    rows, before = [], 0
    for each in blocks:
        height, own = each.sizes
        left = full(call, [height, before], 0, each.code) if before or len(blocks) > 1 else None
        after = width - before - own
        right = full(call, [height, after], 0, each.code) if after or len(blocks) > 1 else None
        rows.append(call("cat", [part for part in (left, each, right) if part is not None], 1))
        before += own
    return call("cat", rows)


@decomposes("tile")
def tile(call: Calls, x: Any, counts: list[Any]) -> Any:
    return call("repeat", x, [1] * (x.dim - len(counts)) + list(counts))


@decomposes("repeat_interleave.self_int")
def repeat_interleave(call: Calls, x: Any, repeats: Any, dim: int | None, *_: Any) -> Any:
    if dim is None:
        x, dim = call("flatten.using_ints", x), 0
    place = dim_of(dim, x)
    sizes = x.sizes
    wide = call(
        "expand",
        call("unsqueeze", x, place + 1),
        [*sizes[: place + 1], repeats, *sizes[place + 1 :]],
    )
    whole = copied(call, wide)
    return call("flatten.using_ints", whole, place, place + 1)


@decomposes("fliplr")
def fliplr(call: Calls, x: Any) -> Any:
    return call("flip", x, [1])


@decomposes("flipud")
def flipud(call: Calls, x: Any) -> Any:
    return call("flip", x, [0])


@decomposes("roll")
def roll(call: Calls, x: Any, shifts: list[int], dims: list[int]) -> Any:
    if not dims:
        flat = call("view", x, [-1]) if x.dim != 1 else x
        return call("view", roll(call, flat, shifts, [0]), x.sizes)
    for shift, dim in zip(shifts, dims, strict=True):
        size = x.sizes[dim]
        start = (size - shift) % size
        order = call("fmod.Scalar", call("add.Tensor", counted(call, 0, size), start), size)
        x = call("index_select", x, dim, order)
    return x


@decomposes("rot90")
def rot90(call: Calls, x: Any, k: int, dims: list[int]) -> Any:
    first, second = dims
    turns = k % 4
    if turns == 1:
        return call("transpose.int", call("flip", x, [second]), first, second)
    if turns == 2:
        return call("flip", x, [first, second])
    if turns == 3:
        return call("transpose.int", call("flip", x, [first]), first, second)
    return call("clone", x, memory_format=0)


@decomposes("meshgrid", "meshgrid.indexing")
def meshgrid(call: Calls, tensors: list[Any], indexing: str = "ij") -> list[Any]:
    swaps = indexing == "xy" and len(tensors) >= 2
    given = [tensors[1], tensors[0], *tensors[2:]] if swaps else list(tensors)
    sizes = [each.sizes[0] if each.dim else 1 for each in given]
    found: list[Any] = []
    for place, each in enumerate(given):
        form = [1] * len(given)
        form[place] = -1
        found.append(call("expand", call("view", each, form), sizes))
    return [found[1], found[0], *found[2:]] if swaps else found


@decomposes("cartesian_prod", always=True)
def cartesian_prod(call: Calls, tensors: list[Any]) -> Any:
    if len(tensors) == 1:
        return tensors[0]
    grids = call("meshgrid.indexing", tensors, indexing="ij")
    return call("stack", [call("flatten.using_ints", each) for each in grids], 1)


@decomposes("pixel_shuffle")
def pixel_shuffle(call: Calls, x: Any, factor: int) -> Any:
    *batch, channels, height, width = x.sizes
    count = len(batch)
    whole = call("view", x, [*batch, channels // factor**2, factor, factor, height, width])
    order = [count, count + 3, count + 1, count + 4, count + 2]
    turned = copied(call, call("permute", whole, [*range(count), *order]))
    sizes = [*batch, channels // factor**2, height * factor, width * factor]
    return copied(call, call("view", turned, sizes))


@decomposes("pixel_unshuffle")
def pixel_unshuffle(call: Calls, x: Any, factor: int) -> Any:
    *batch, channels, height, width = x.sizes
    count = len(batch)
    sizes = [*batch, channels, height // factor, factor, width // factor, factor]
    order = [count, count + 2, count + 4, count + 1, count + 3]
    turned = copied(call, call("permute", call("view", x, sizes), [*range(count), *order]))
    sizes = [*batch, channels * factor**2, height // factor, width // factor]
    return copied(call, call("view", turned, sizes))


@decomposes("channel_shuffle", "native_channel_shuffle")
def channel_shuffle(call: Calls, x: Any, groups: int) -> Any:
    batch, channels, *inner = x.sizes
    whole = call("view", x, [batch, groups, channels // groups, *inner])
    order = [0, 2, 1, *range(3, whole.dim)]
    turned = copied(call, call("permute", whole, order))
    return call("view", turned, x.sizes)
