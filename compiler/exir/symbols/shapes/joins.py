"""Operators that put tensors together, repeat or pad them."""

from __future__ import annotations

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.rules import (
    Call,
    Sizes,
    product,
    rule,
)


@rule("cat", "concat", "concatenate")
def _cat(call: Call) -> Sizes:
    shapes = [each for each in call.tensors() if not _is_empty(each)]
    dim = call.dim("dim", len(shapes[0]))
    found = shapes[0]
    for other in shapes[1:]:
        found = [
            size + more if place == dim else call.same(size, more)
            for place, (size, more) in enumerate(zip(found, other, strict=True))
        ]
    return found


def _is_empty(sizes: Sizes) -> bool:
    """Tensors of no elements and one dimension are left out, whatever sizes the others have."""
    return len(sizes) == 1 and isinstance(sizes[0], int) and sizes[0] == 0


@rule("stack")
def _stack(call: Call) -> Sizes:
    shapes = call.tensors()
    found = shapes[0]
    for other in shapes[1:]:
        found = [call.same(size, more) for size, more in zip(found, other, strict=True)]
    dim = call.dim("dim", len(found) + 1)
    return [*found[:dim], len(shapes), *found[dim:]]


@rule("repeat", "tile")
def _repeat(call: Call) -> Sizes:
    sizes = call.sizes("self")
    times = list(call.get("repeats") if "repeats" in call.arguments else call.get("dims"))
    rank = max(len(sizes), len(times))
    padded = [[1] * (rank - len(each)) + each for each in (sizes, times)]
    return [size * time for size, time in zip(*padded, strict=True)]


@rule("repeat_interleave")
def _repeat_interleave(call: Call) -> Sizes:
    if isinstance(call.get("repeats"), FakeTensor):
        return _repeated_by_data(call)
    sizes, times = call.sizes("self"), call.get("repeats")
    if call.get("dim") is None:
        return [product(sizes) * times]
    dim = call.dim("dim", len(sizes))
    return [*sizes[:dim], sizes[dim] * times, *sizes[dim + 1 :]]


def _repeated_by_data(call: Call) -> Sizes:
    if "self" not in call.arguments or call.get("dim") is None:
        return [call.new_size()]
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes))
    return [*sizes[:dim], call.new_size(dim), *sizes[dim + 1 :]]


@rule("pad", "constant_pad_nd", "reflection_pad1d", "reflection_pad2d", "replication_pad1d",
      "replication_pad2d", "replication_pad3d")  # fmt: skip
def _pad(call: Call) -> Sizes:
    sizes = call.sizes("self")
    pad = list(call.get("pad") if "pad" in call.arguments else call.get("padding"))
    reflects = "reflect" in (call.get("mode"), call.operator.removeprefix("aten::")[:7])
    for number in range(len(pad) // 2):
        if reflects:
            for width in pad[2 * number : 2 * number + 2]:
                call.environment.require(compute("operator.lt", width, sizes[-1 - number]))
        sizes[-1 - number] = sizes[-1 - number] + pad[2 * number] + pad[2 * number + 1]
    return sizes


@rule("meshgrid")
def _meshgrid(call: Call) -> list[Sizes]:
    sizes = [product(each) for each in call.tensors()]
    if call.get("indexing") == "xy":
        sizes[:2] = reversed(sizes[:2])
    return [list(sizes) for _ in call.concrete]
