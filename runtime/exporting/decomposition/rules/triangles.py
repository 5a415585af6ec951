"""Triangles and diagonals of matrices."""

from __future__ import annotations

from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import (
    BOOL,
    INT64,
    copied,
    counted,
    dim_of,
    otherwise,
)
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("tril")
def tril(call: Calls, x: Any, diagonal: int) -> Any:
    return _masked(call, x, call("le.Scalar", _places(call, x), diagonal))


@decomposes("triu")
def triu(call: Calls, x: Any, diagonal: int) -> Any:
    return _masked(call, x, call("ge.Scalar", _places(call, x), diagonal))


def _places(call: Calls, x: Any) -> Any:
    """The column of each element without its row."""
    height, width = x.sizes[-2:]
    columns = call("unsqueeze", counted(call, 0, width), -2)
    rows = call("unsqueeze", counted(call, 0, height), -1)
    return call("sub.Tensor", columns, rows)


def _masked(call: Calls, x: Any, inside: Any) -> Any:
    if x.code == BOOL:
        return call("logical_and", inside, x)
    return otherwise(call, inside, x, 0)


@decomposes("diag")
def diag(call: Calls, x: Any, diagonal: int) -> Any:
    if x.dim == 1:
        return call("diag_embed", x, diagonal)
    return copied(call, call("diagonal", x, diagonal))


@decomposes("diagflat")
def diagflat(call: Calls, x: Any, offset: int) -> Any:
    return call("diag", call("reshape", x, [-1]), offset)


@decomposes("diag_embed")
def diag_embed(call: Calls, x: Any, offset: int, first: int, second: int) -> Any:
    """The vector along a diagonal, zeros elsewhere."""
    a, b = dim_of(first, x, 1), dim_of(second, x, 1)
    if a > b:
        a, b, offset = b, a, -offset
    size = x.sizes[-1] + abs(offset)
    lines = call("unsqueeze", x, a) if offset == 0 else _padded(call, x, offset, a)
    turned = call("permute", lines, _order(lines.dim, b))
    rows = counted(call, 0, size, dtype=INT64)
    columns = counted(call, 0, size, dtype=INT64)
    if offset:
        columns = call("add.Tensor", columns, offset)
    here = call("eq.Tensor", rows, call("unsqueeze", columns, -1))
    form = [1] * lines.dim
    form[a], form[b] = size, size
    return otherwise(call, call("view", here, form), turned, 0)


def _order(count: int, place: int) -> list[int]:
    """The vectors' own dimension, which is last, goes to a place."""
    order = list(range(count - 1))
    order.insert(place, count - 1)
    return order


def _padded(call: Calls, x: Any, offset: int, place: int) -> Any:
    zeros = call("new_zeros", x, [*x.sizes[:-1], abs(offset)])
    parts = [zeros, x] if offset > 0 else [x, zeros]
    return call("unsqueeze", call("cat", parts, -1), place)
