"""Operators that show the same elements in other sizes."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.pointwise import broadcast
from tsc.compiler.exir.symbols.shapes.rules import (
    Call,
    Size,
    Sizes,
    listed,
    product,
    rule,
)


@rule("reshape", "view", "_unsafe_view", "reshape_copy", "view_copy")
def _reshape(call: Call) -> Sizes:
    wanted = call.get("shape") if "shape" in call.arguments else call.get("size")
    return _filled(call, call.sizes("self"), list(wanted))


def _filled(call: Call, sizes: Sizes, wanted: Sizes) -> Sizes:
    """With the size that is written -1, and with a check that as many elements are left."""
    elements = product(sizes)
    places = [place for place, each in enumerate(wanted) if _is_minus_one(each)]
    others = product([each for place, each in enumerate(wanted) if place not in places])
    if places:
        remainder = compute("operator.mod", elements, others)
        call.environment.require(compute("operator.eq", remainder, 0))
        wanted[places[0]] = elements // others
    else:
        call.same(elements, others)
    return wanted


def _is_minus_one(size: Size) -> bool:
    return isinstance(size, int) and size == -1


@rule("view_as", "reshape_as", "expand_as")
def _as_other(call: Call) -> Sizes:
    return call.sizes("other")


@rule("flatten")
def _flatten(call: Call) -> Sizes:
    sizes = call.sizes("self")
    first = call.dim("start_dim", len(sizes))
    last = call.dim("end_dim", len(sizes), -1)
    return [*sizes[:first], product(sizes[first : last + 1]), *sizes[last + 1 :]]


@rule("ravel")
def _ravel(call: Call) -> Sizes:
    return [product(call.sizes("self"))]


@rule("unflatten")
def _unflatten(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes))
    parts = _filled(call, [sizes[dim]], list(call.get("sizes")))
    return [*sizes[:dim], *parts, *sizes[dim + 1 :]]


@rule("expand")
def _expand(call: Call) -> Sizes:
    wanted, sizes = list(call.get("size")), call.sizes("self")
    new = len(wanted) - len(sizes)
    kept = [sizes[place - new] if _is_minus_one(one) else one for place, one in enumerate(wanted)]
    return broadcast(call, kept, sizes)


@rule("broadcast_to")
def _broadcast_to(call: Call) -> Sizes:
    return _expand(call)


@rule("permute")
def _permute(call: Call) -> Sizes:
    sizes = call.sizes("self")
    return [sizes[dim] for dim in call.get("dims")]


@rule("transpose", "swapaxes", "swapdims")
def _transpose(call: Call) -> Sizes:
    sizes = call.sizes("self")
    names = [name for name in call.arguments if name != "self"]
    first, second = [call.dim(name, len(sizes)) for name in names[:2]]
    sizes[first], sizes[second] = sizes[second], sizes[first]
    return sizes


@rule("t", "numpy_T", "mT", "adjoint", "mH")
def _t(call: Call) -> Sizes:
    sizes = call.sizes("self")
    return [*sizes[:-2], *reversed(sizes[-2:])]


@rule("movedim")
def _movedim(call: Call) -> Sizes:
    sizes = call.sizes("self")
    names = [name for name in call.arguments if name != "self"]
    source, target = [_listed(call.get(name), len(sizes)) for name in names[:2]]
    moved = dict(zip(target, source, strict=True))
    rest = iter([dim for dim in range(len(sizes)) if dim not in source])
    return [sizes[moved[dim] if dim in moved else next(rest)] for dim in range(len(sizes))]


def _listed(dims: Any, rank: int) -> list[int]:
    return [int(each) % max(rank, 1) for each in listed(dims)]


@rule("unsqueeze")
def _unsqueeze(call: Call) -> Sizes:
    sizes = call.sizes("self")
    sizes.insert(call.dim("dim", len(sizes) + 1), 1)
    return sizes


@rule("squeeze")
def _squeeze(call: Call) -> Sizes:
    sizes = call.sizes("self")
    chosen = _listed(call.get("dim", list(range(len(sizes)))), len(sizes))
    return [
        size for dim, size in enumerate(sizes) if dim not in chosen or not call.is_dropped(size)
    ]


@rule("diagonal")
def _diagonal(call: Call) -> Sizes:
    sizes = call.sizes("self")
    first, second = call.dim("dim1", len(sizes)), call.dim("dim2", len(sizes), 1)
    offset = int(call.get("offset", 0))
    rows, columns = sizes[first] + min(offset, 0), sizes[second] - max(offset, 0)
    rest = [size for dim, size in enumerate(sizes) if dim not in (first, second)]
    return [*rest, rows if rows is columns else call.smaller(rows, columns)]


@rule("rot90")
def _rot90(call: Call) -> Sizes:
    sizes = call.sizes("self")
    if int(call.get("k", 1)) % 2:
        first, second = _listed(call.get("dims", [0, 1]), len(sizes))
        sizes[first], sizes[second] = sizes[second], sizes[first]
    return sizes


@rule("view_as_real")
def _view_as_real(call: Call) -> Sizes:
    return [*call.sizes("self"), 2]


@rule("view_as_complex")
def _view_as_complex(call: Call) -> Sizes:
    return call.sizes("self")[:-1]
