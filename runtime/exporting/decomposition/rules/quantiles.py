"""Quantiles: elements of what is sorted, or something between two of them."""

from __future__ import annotations

from math import prod
from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import (
    INT64,
    broadcast_sizes,
    full_like,
    scalar,
)
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("quantile")
def quantile(call: Calls, x: Any, q: Any, dim: int | None, keepdim: bool, *how: str) -> Any:
    return _quantile(call, x, q, dim, keepdim, how[0], skips=False)


@decomposes("nanquantile")
def nanquantile(call: Calls, x: Any, q: Any, dim: int | None, keepdim: bool, *how: str) -> Any:
    return _quantile(call, x, q, dim, keepdim, how[0], skips=True)


@decomposes("quantile.scalar")
def quantile_scalar(call: Calls, x: Any, q: float, *options: Any) -> Any:
    return quantile(call, x, scalar(call, q, x.code), *options)


@decomposes("nanquantile.scalar")
def nanquantile_scalar(call: Calls, x: Any, q: float, *options: Any) -> Any:
    return nanquantile(call, x, scalar(call, q, x.code), *options)


def _quantile(
    call: Calls, x: Any, q: Any, dim: int | None, keepdim: bool, how: str, *, skips: bool
) -> Any:
    sizes = [call.settled(each) for each in x.sizes]
    others = _left(sizes, dim, keepdim)
    ordered = call("sort", _last(call, x, dim))[0]
    ordered = call("view", ordered, [*others, ordered.sizes[-1]])
    ranks = _ranks(call, ordered, q, skips=skips)
    if how in _ROUNDED:
        ranks = call(_ROUNDED[how], ranks)
    below = call("_to_copy", ranks, dtype=INT64)
    found = call("gather", ordered, -1, below)
    if how in ("linear", "midpoint"):
        share = (
            full_like(call, ranks, 0.5) if how == "midpoint" else call("sub.Tensor", ranks, below)
        )
        above = call("_to_copy", call("ceil", ranks), dtype=INT64)
        found = call("lerp.Tensor", found, call("gather", ordered, -1, above), share)
    if q.dim == 0:
        return call("squeeze.dims", found, [-1])
    found = call("transpose.int", call("unsqueeze", found, 0), 0, -1)
    return call("squeeze.dims", found, [-1])


_ROUNDED = {"lower": "floor", "higher": "ceil", "nearest": "round"}


def _left(sizes: list[int], dim: int | None, keepdim: bool) -> list[int]:
    """The sizes that are left."""
    if dim is None or not sizes:
        return [1] * len(sizes) if keepdim else []
    place = dim % len(sizes)
    return [*sizes[:place], *([1] if keepdim else []), *sizes[place + 1 :]]


def _last(call: Calls, x: Any, dim: int | None) -> Any:
    """With the dimension that is ordered at the end."""
    if dim is None:
        return call("view", x, [prod(x.sizes)])
    if dim % max(x.dim, 1) == x.dim - 1:
        return x
    return call("transpose.int", call("unsqueeze", x, -1), dim % x.dim, -1)


def _ranks(call: Calls, ordered: Any, q: Any, *, skips: bool) -> Any:
    """Places among the elements, of which those that are no numbers come last: they do not count, or are the result."""
    if skips:
        there = call("logical_not", call("isnan", ordered))
        count = call("sum.dim_IntList", there, [-1], True)
        ranks = call("mul.Tensor", q, call("sub.Scalar", count, 1))
        return call("where.self", call("lt.Scalar", ranks, 0), scalar(call, 0.0, ranks.code), ranks)
    last = ordered.sizes[-1] - 1
    ranks = call("mul.Scalar", q, last)
    missing = call("any.dim", call("isnan", ordered), -1, True)
    sizes = broadcast_sizes([ranks, missing])
    ranks, missing = [
        each if each.sizes == sizes else call("expand", each, sizes) for each in (ranks, missing)
    ]
    return call("where.self", missing, scalar(call, float(last), ranks.code), ranks)
