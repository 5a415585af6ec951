"""Operators that choose elements: by numbers, by masks, by what is in a tensor."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.shapes.pointwise import broadcast
from tsc.compiler.exir.symbols.shapes.rules import Call, Sizes, product, rule


@rule("gather", "take_along_dim", "take")
def _gather(call: Call) -> Sizes:
    return call.sizes("index" if "index" in call.arguments else "indices")


@rule("index_select")
def _index_select(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes))
    return [*sizes[:dim], product(call.sizes("index")), *sizes[dim + 1 :]]


@rule("embedding")
def _embedding(call: Call) -> Sizes:
    return [*call.sizes("indices"), *call.sizes("weight")[1:]]


@rule("one_hot")
def _one_hot(call: Call) -> Sizes:
    """With as many classes as are named; how many there are in data is not known."""
    classes = call.get("num_classes", -1)
    if isinstance(classes, int) and classes < 0:
        classes = call.environment.unbacked_size(call.concrete[0][-1])
    return [*call.sizes("self"), classes]


@rule("index")
def _index(call: Call) -> Sizes:
    sizes, indices = call.sizes("self"), list(call.get("indices"))
    indices += [None] * (len(sizes) - len(indices))
    places = [place for place, each in enumerate(indices) if isinstance(each, FakeTensor)]
    if any(
        each.dtype.name in ("bool", "uint8") for each in indices if isinstance(each, FakeTensor)
    ):
        return _masked(call, sizes, indices)
    chosen = broadcast(call, *[list(indices[place].size) for place in places])
    rest = [size for place, size in enumerate(sizes) if place not in places]
    together = places == list(range(places[0], places[-1] + 1))
    first = places[0] if together else 0
    return [*rest[:first], *chosen, *rest[first:]]


def _masked(call: Call, sizes: Sizes, indices: list[Any]) -> Sizes:
    """One mask alone: how many elements it leaves is known when the program runs."""
    masks = [each for each in indices if isinstance(each, FakeTensor)]
    place = indices.index(masks[0])
    if len(masks) > 1:
        return list(call.concrete[0])
    count = call.environment.unbacked_size(call.concrete[0][place])
    return [*sizes[:place], count, *sizes[place + len(masks[0].size) :]]


@rule("nonzero", "argwhere")
def _nonzero(call: Call) -> Sizes:
    return [call.environment.unbacked_size(call.concrete[0][0]), len(call.sizes("self"))]


@rule("masked_select")
def _masked_select(call: Call) -> Sizes:
    broadcast(call, *call.tensors())
    return [call.environment.unbacked_size(call.concrete[0][0])]


@rule("searchsorted", "bucketize")
def _search(call: Call) -> Sizes:
    return call.sizes("self")


@rule("tril_indices", "triu_indices")
def _indices(call: Call) -> Sizes:
    return list(call.concrete[0])
