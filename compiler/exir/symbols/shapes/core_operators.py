"""Operators that others are decomposed into: writes into copies, samples, distances, sums of bags."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.shapes.rules import Call, Sizes, product, rule


@rule(
    *("select_scatter", "slice_scatter", "diagonal_scatter", "as_strided_scatter", "copy"),
    *("_conj_physical", "fill"),
)
def _of_first(call: Call) -> Sizes:
    """The tensor that is written into."""
    return call.sizes("self")


@rule("native_dropout")
def _dropout(call: Call) -> list[Sizes]:
    return [call.sizes("input")] * 2


@rule("empty_permuted")
def _empty(call: Call) -> Sizes:
    return list(call.get("size"))


@rule("grid_sampler_2d", "grid_sampler_3d")
def _grid_sampler(call: Call) -> Sizes:
    sizes, grid = call.sizes("input"), call.sizes("grid")
    return [*sizes[:2], *grid[1:-1]]


@rule("_cdist_forward")
def _distances(call: Call) -> Sizes:
    first, second = call.sizes("x1"), call.sizes("x2")
    return [*first[:-2], first[-2], second[-2]]


@rule("_embedding_bag", "_embedding_bag_forward_only")
def _bags(call: Call) -> list[Sizes]:
    """The sum of each bag, then of which bag each index is, and how many there are; these may be left empty."""
    bags = call.sizes("offsets")[0]
    if call.get("include_last_offset", False):
        bags = bags - 1
    known = [bags, call.sizes("weight")[1]]
    counts = {0: 0, call.concrete[0][0]: bags}
    counts.setdefault(_concrete(call, "indices"), product(call.sizes("indices")))
    return [known, *[[counts.get(each, each) for each in own] for own in call.concrete[1:]]]


def _concrete(call: Call, name: str) -> int:
    found: Any = product(call.sizes(name))
    return found if isinstance(found, int) else int(found.hint)
