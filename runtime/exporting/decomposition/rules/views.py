"""Views: other sizes and strides of the same elements."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from tsc.runtime.exporting.data_numbers import hinted
from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.memory_formats import lies_as
from tsc.runtime.exporting.decomposition.rules.forms import broadcast_sizes, copied, dim_of, product
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("reshape", always=True)
def reshape(call: Calls, x: Any, sizes: list[Any]) -> Any:
    """A view where the strides allow one, and otherwise a view of a copy."""
    sizes = _without_open_place(sizes, product(x.sizes)) if -1 in hinted(sizes) else sizes
    if _can_be_viewed(x, [each if isinstance(each, int) else each.hint for each in sizes]):
        return call("view", x, sizes)
    return call("_unsafe_view", copied(call, x), sizes)


def _without_open_place(sizes: list[Any], elements: Any) -> list[Any]:
    """The size that is written -1 is what the others leave of the elements."""
    others = product([each for each in sizes if hinted(each) != -1])
    left = elements // others if hinted(others) else 0
    return [left if hinted(each) == -1 else each for each in sizes]


def _can_be_viewed(x: Any, sizes: list[int]) -> bool:
    """Whether NumPy gives these sizes without a copy."""
    array = x.value.array
    if array.flags.c_contiguous or array.size == 0:
        return True
    found = array.reshape(sizes)
    return (
        bool(np.shares_memory(found[..., :1] if found.ndim else found, array))
        and found.base is not None
    )


@decomposes("_unsafe_view")
def unsafe_view(call: Calls, x: Any, sizes: list[Any]) -> Any:
    return call("view", x, sizes)


@decomposes("view_as", "reshape_as", always=True)
def view_as(call: Calls, x: Any, other: Any) -> Any:
    return call("view", x, other.sizes)


@decomposes("flatten.using_ints", always=True)
def flatten(call: Calls, x: Any, start: int, end: int) -> Any:
    """One dimension in the place of several."""
    if x.dim == 0:
        return call("reshape", x, [1])
    first, last = dim_of(start, x), dim_of(end, x)
    if first == last:
        return x
    sizes = x.sizes
    return call(
        "reshape", x, [*sizes[:first], product(sizes[first : last + 1]), *sizes[last + 1 :]]
    )


@decomposes("unflatten.int", always=True)
def unflatten(call: Calls, x: Any, dim: int, sizes: list[Any]) -> Any:
    place = dim_of(dim, x)
    own = x.sizes
    if -1 in hinted(sizes):
        sizes = _without_open_place(sizes, own[place])
    return call("view", x, [*own[:place], *sizes, *own[place + 1 :]])


@decomposes("contiguous", always=True)
def contiguous(call: Calls, x: Any, memory_format: int) -> Any:
    """Itself, if its elements lie as they are wanted."""
    return (
        x
        if lies_as(x.value.array, memory_format)
        else call("clone", x, memory_format=memory_format)
    )


@decomposes("positive", "resolve_conj", "resolve_neg", "cpu", always=True)
def positive(call: Calls, x: Any) -> Any:
    return x


@decomposes("transpose.int")
def transpose(call: Calls, x: Any, first: int, second: int) -> Any:
    order = list(range(x.dim))
    if order:
        a, b = dim_of(first, x), dim_of(second, x)
        order[a], order[b] = order[b], order[a]
    return call("permute", x, order)


@decomposes("t")
def t(call: Calls, x: Any) -> Any:
    return call("permute", x, [1, 0]) if x.dim == 2 else x


@decomposes("swapaxes", "swapdims", always=True)
def swapaxes(call: Calls, x: Any, first: int, second: int) -> Any:
    return call("transpose.int", x, first, second)


@decomposes("adjoint", "mT", always=True)
def matrix_transpose(call: Calls, x: Any) -> Any:
    return call("transpose.int", x, -2, -1)


@decomposes("numpy_T", "numpy_T.a", always=True)
def numpy_t(call: Calls, x: Any) -> Any:
    return call("permute", x, list(reversed(range(x.dim))))


@decomposes("movedim.int", "moveaxis.int", always=True)
def movedim(call: Calls, x: Any, source: int, destination: int) -> Any:
    return moved(call, x, [source], [destination])


@decomposes("movedim.intlist", "moveaxis.intlist", always=True)
def moved(call: Calls, x: Any, source: list[int], destination: list[int]) -> Any:
    places = {dim_of(to, x): dim_of(each, x) for each, to in zip(source, destination, strict=True)}
    others = iter([each for each in range(x.dim) if each not in places.values()])
    order = [places[place] if place in places else next(others) for place in range(x.dim)]
    return call("permute", x, order)


@decomposes("expand_as", always=True)
def expand_as(call: Calls, x: Any, other: Any) -> Any:
    return call("expand", x, other.sizes)


@decomposes("broadcast_to", always=True)
def broadcast_to(call: Calls, x: Any, sizes: list[Any]) -> Any:
    return call("expand", x, sizes)


@decomposes("broadcast_tensors")
def broadcast_tensors(call: Calls, tensors: list[Any]) -> list[Any]:
    sizes = broadcast_sizes(tensors)
    shape = tuple(map(hinted, sizes))
    return [
        each if each.value.array.shape == shape else call("expand", each, sizes) for each in tensors
    ]


@decomposes("narrow", always=True)
def narrow(call: Calls, x: Any, dim: int, start: Any, length: Any) -> Any:
    if isinstance(start, int) and start < 0:
        start = start + x.sizes[dim]
    return call("slice.Tensor", x, dim, start, start + length, 1)


@decomposes("squeeze")
def squeeze(call: Calls, x: Any) -> Any:
    return call("squeeze.dims", x, list(range(x.dim)))


@decomposes("squeeze.dim")
def squeeze_dim(call: Calls, x: Any, dim: int) -> Any:
    return call("squeeze.dims", x, [dim])


@decomposes("chunk", always=True)
def chunk(call: Calls, x: Any, chunks: int, dim: int) -> list[Any]:
    size = x.sizes[dim]
    return call("split.Tensor", x, (size + chunks - 1) // chunks, dim)


@decomposes("split.Tensor")
def split(call: Calls, x: Any, size: Any, dim: int) -> list[Any]:
    """Parts of one size, of which the last one may be smaller; how many there are is as in this run."""
    whole, length = x.value.array.shape[dim], hinted(size)
    count = max(-(-whole // length), 1) if length else 1
    last = size - (size * count - x.sizes[dim])
    return call("split_with_sizes", x, [*[size] * (count - 1), last], dim)


@decomposes("split.sizes", always=True)
def split_sizes(call: Calls, x: Any, sizes: list[Any], dim: int) -> list[Any]:
    return call("split_with_sizes", x, sizes, dim)


@decomposes("unbind.int")
def unbind(call: Calls, x: Any, dim: int) -> list[Any]:
    count = call.settled(x.sizes[dim])
    slices = [call("slice.Tensor", x, dim, place, place + 1, 1) for place in range(count)]
    return [call("squeeze.dims", each, [dim]) for each in slices]


@decomposes("tensor_split.sections", always=True)
def tensor_split(call: Calls, x: Any, sections: int, dim: int) -> list[Any]:
    whole = call.settled(x.sizes[dim])
    least, more = divmod(whole, sections)
    ends = [place * least + min(place, more) for place in range(sections + 1)]
    return [call("slice.Tensor", x, dim, a, b, 1) for a, b in pairwise(ends)]


@decomposes("tensor_split.indices", always=True)
def tensor_split_at(call: Calls, x: Any, indices: list[Any], dim: int) -> list[Any]:
    ends = [0, *indices, x.sizes[dim]]
    return [call("slice.Tensor", x, dim, a, b, 1) for a, b in pairwise(ends)]


@decomposes("atleast_1d", always=True)
def atleast_1d(call: Calls, x: Any) -> Any:
    return call("reshape", x, [1]) if x.dim == 0 else x


@decomposes("atleast_2d", always=True)
def atleast_2d(call: Calls, x: Any) -> Any:
    if x.dim == 0:
        return call("reshape", x, [1, 1])
    return call("unsqueeze", x, 0) if x.dim == 1 else x


@decomposes("atleast_3d", always=True)
def atleast_3d(call: Calls, x: Any) -> Any:
    if x.dim == 0:
        return call("reshape", x, [1, 1, 1])
    if x.dim == 1:
        return call("unsqueeze", call("unsqueeze", x, 0), -1)
    return call("unsqueeze", x, -1) if x.dim == 2 else x


@decomposes("detach")
def detach(call: Calls, x: Any) -> Any:
    return call("alias", x)


@decomposes("detach_", always=True)
def detach_in_place(call: Calls, x: Any) -> Any:
    return x


@decomposes("lift_fresh_copy", always=True)
def lift_fresh_copy(call: Calls, x: Any) -> Any:
    return call("clone", x)


@decomposes("real", always=True)
def real(call: Calls, x: Any) -> Any:
    if not x.value.dtype.is_complex:
        return x
    return call("select.int", call("view_as_real", x), x.dim, 0)


@decomposes("imag", always=True)
def imag(call: Calls, x: Any) -> Any:
    return call("select.int", call("view_as_real", x), x.dim, 1)
