"""Operators that others are decomposed into: normalizations with their statistics, writes into copies, transforms."""

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


@rule("native_layer_norm")
def _layer_norm(call: Call) -> list[Sizes]:
    """The result, then mean and deviation of each row, of size 1 where rows are."""
    sizes = call.sizes("input")
    inner = len(call.get("normalized_shape"))
    rows = [*sizes[: len(sizes) - inner], *([1] * inner)]
    return [sizes, rows, rows]


@rule("native_group_norm")
def _group_norm(call: Call) -> list[Sizes]:
    statistics = [call.get("N"), call.get("group")]
    return [call.sizes("input"), statistics, statistics]


@rule("_native_batch_norm_legit", "_native_batch_norm_legit_functional")
def _batch_norm(call: Call) -> list[Sizes]:
    """The result, then statistics of each channel."""
    sizes = call.sizes("input")
    return [sizes, *([[sizes[1]]] * (len(call.concrete) - 1))]


@rule("_native_batch_norm_legit_no_training")
def _batch_norm_in_use(call: Call) -> list[Sizes]:
    """The statistics are empty."""
    return [call.sizes("input"), *map(list, call.concrete[1:])]


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


@rule("_fft_r2c")
def _real_transform(call: Call) -> Sizes:
    sizes = call.sizes("self")
    if call.get("onesided", False):
        last = call.get("dim")[-1]
        sizes[last] = sizes[last] // 2 + 1
    return sizes


@rule("_fft_c2c")
def _complex_transform(call: Call) -> Sizes:
    return call.sizes("self")


@rule("_fft_c2r")
def _real_result(call: Call) -> Sizes:
    sizes: list[Any] = call.sizes("self")
    sizes[call.get("dim")[-1]] = call.get("last_dim_size")
    return sizes


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
