"""Which nodes may give another result when they run again with the same inputs."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Node

_RANDOM: Final = frozenset(
    {
        "aten::bernoulli",
        "aten::binomial",
        "aten::multinomial",
        "aten::normal",
        "aten::poisson",
        "aten::rand",
        "aten::rand_like",
        "aten::randint",
        "aten::randint_like",
        "aten::randn",
        "aten::randn_like",
        "aten::randperm",
        "aten::rrelu",
        "aten::_fused_dropout",
        "aten::_sample_dirichlet",
        "aten::_standard_gamma",
    }
)
_RANDOM_IN_TRAINING: Final = frozenset(
    {
        "aten::alpha_dropout",
        "aten::dropout",
        "aten::feature_alpha_dropout",
        "aten::feature_dropout",
        "aten::native_dropout",
    }
)
_CLOCKS: Final = frozenset({"aten::time_ns", "prim::TimePoint"})


def is_nondeterministic(node: Node) -> bool:
    """Whether the node draws random numbers, or reads a clock."""
    if node.kind in _RANDOM_IN_TRAINING:
        return not node.has_named_input("train") or node.get("train") is not False
    return node.kind in _RANDOM or node.kind in _CLOCKS
