"""Operators that choose elements: by numbers, by masks, by what is in a tensor."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.data_sizes import INDEXING, told_of
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.data_dependence import DataDependentError
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
    if any(_is_mask(indices[place]) for place in places):
        return _masked(call, sizes, indices, places)
    chosen = broadcast(call, *[list(indices[place].size) for place in places])
    rest = [size for place, size in enumerate(sizes) if place not in places]
    together = places == list(range(places[0], places[-1] + 1))
    first = places[0] if together else 0
    return [*rest[:first], *chosen, *rest[first:]]


def _is_mask(index: FakeTensor) -> bool:
    return index.dtype.name in ("bool", "uint8")


def _masked(call: Call, sizes: Sizes, indices: list[Any], places: list[int]) -> Sizes:
    """One mask alone: how many elements it leaves is known when the program runs."""
    if len(places) > 1:
        raise DataDependentError(told_of(INDEXING))
    (place,) = places
    covered = list(indices[place].size)
    end = place + len(covered)
    for size, own in zip(covered, sizes[place:end], strict=True):
        call.same(size, own)
    return [*sizes[:place], call.new_size(place, product(covered)), *sizes[end:]]


@rule("nonzero", "argwhere")
def _nonzero(call: Call) -> Sizes:
    sizes = call.sizes("self")
    return [call.new_size(0, product(sizes)), len(sizes)]


@rule("nonzero_numpy")
def _places(call: Call) -> list[Sizes]:
    """An index tensor for each dimension, all of one size."""
    count = call.new_size(0, product(call.tensors()[0]))
    return [[count] for _ in call.concrete]


@rule("where")
def _where(call: Call) -> Any:
    return broadcast(call, *call.tensors()) if "self" in call.arguments else _places(call)


@rule("masked_select")
def _masked_select(call: Call) -> Sizes:
    return [call.new_size(0, product(broadcast(call, *call.tensors())))]


@rule("bincount")
def _bincount(call: Call) -> Sizes:
    return [call.new_size()]


@rule("_unique", "_unique2", "unique_consecutive", "unique_dim", "unique_dim_consecutive")
def _unique(call: Call) -> list[Sizes]:
    """The elements, where each was, and how often: the latter two are empty where they are not asked for."""
    sizes, dim = call.tensors()[0], call.arguments.get("dim")
    place = 0 if dim is None else call.dim("dim", len(sizes))
    count = call.new_size(place, product(sizes) if dim is None else sizes[place])
    elements = [count] if dim is None else [*sizes[:place], count, *sizes[place + 1 :]]
    inverse = sizes if dim is None else [sizes[place]]
    asked = [call.get("return_inverse"), call.get("return_counts")]
    others = [found if is_asked else [0] for found, is_asked in zip((inverse, [count]), asked)]
    return [elements, *others[: len(call.concrete) - 1]]


@rule("searchsorted", "bucketize")
def _search(call: Call) -> Sizes:
    return call.sizes("self")
