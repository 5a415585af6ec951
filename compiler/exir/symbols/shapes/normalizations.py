"""Normalizations, and what they are made of, which gives statistics as well."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.shapes.rules import Call, Sizes, rule


@rule("layer_norm", "rms_norm")
def _of_last(call: Call) -> Sizes:
    """The last dimensions are those that are told."""
    sizes, wanted = call.sizes("input"), list[Any](call.get("normalized_shape"))
    known = len(sizes) - len(wanted)
    return [*sizes[:known], *[call.same(a, b) for a, b in zip(sizes[known:], wanted)]]


@rule("batch_norm", "instance_norm", "group_norm")
def _of_channels(call: Call) -> Sizes:
    """The second dimension is that of weights and statistics."""
    sizes = call.sizes("input")
    for name in ("weight", "bias", "running_mean", "running_var"):
        given = call.get(name)
        if isinstance(given, FakeTensor):
            sizes[1] = call.same(sizes[1], given.size[0])
    return sizes


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
