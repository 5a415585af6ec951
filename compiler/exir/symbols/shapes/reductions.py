"""Operators that make one element of many: sums, norms, extrema, losses."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.pointwise import broadcast
from tsc.compiler.exir.symbols.shapes.rules import RULES, Call, Sizes, listed, rule

_REDUCTIONS: Final = """
sum mean prod amax amin any all argmax argmin logsumexp nansum nanmean var std var_mean std_mean norm max min median
nanmedian mode count_nonzero aminmax kthvalue linalg_vector_norm quantile nanquantile
"""

_LOSSES: Final = """
mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div
soft_margin_loss poisson_nll_loss hinge_embedding_loss
"""
_NO_REDUCTION: Final = 0


def _reduced(call: Call) -> Sizes:
    """Without the dimensions over which it goes, or with 1 in their place."""
    if "other" in call.arguments:
        return broadcast(call, *call.tensors())
    sizes = call.tensors()[0]
    chosen = _dimensions(call, len(sizes))
    if call.get("keepdim", False):
        return [1 if dim in chosen else size for dim, size in enumerate(sizes)]
    return [size for dim, size in enumerate(sizes) if dim not in chosen]


def _dimensions(call: Call, rank: int) -> set[int]:
    given = listed(call.get("dim", _last_if_needed(call)))
    chosen = {int(each) % max(rank, 1) for each in given if each is not None}
    return chosen or set(range(rank))


def _last_if_needed(call: Call) -> list[int]:
    return [-1] if call.operator in ("aten::kthvalue", "aten::mode") else []


def _loss(call: Call) -> Sizes:
    if call.get("reduction", 1) != _NO_REDUCTION:
        return []
    return broadcast(call, *call.tensors()[:2])


RULES.update({f"aten::{name}": _reduced for name in _REDUCTIONS.split()})
RULES.update({f"aten::{name}": _loss for name in _LOSSES.split()})


@rule("cross_entropy_loss", "nll_loss", "nll_loss_nd")
def _class_loss(call: Call) -> Sizes:
    sizes = call.sizes("self")
    if call.get("reduction", 1) != _NO_REDUCTION:
        return []
    return [sizes[0], *sizes[2:]] if len(sizes) > 1 else []


@rule("topk")
def _topk(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim, count = call.dim("dim", len(sizes), -1), call.get("k")
    call.check(compute("operator.ge", count, 0))
    call.check(compute("operator.le", count, sizes[dim]))
    return [*sizes[:dim], count, *sizes[dim + 1 :]]


@rule("cosine_similarity", "pairwise_distance")
def _along_one(call: Call) -> Sizes:
    sizes = broadcast(call, *call.tensors())
    dim = call.dim("dim", len(sizes), 1 if call.operator == "aten::cosine_similarity" else -1)
    return sizes[:dim] + sizes[dim + 1 :]
