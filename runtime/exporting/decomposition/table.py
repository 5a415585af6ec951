"""The rules by operator: what replaces a call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

Rule = Callable[..., Any]
"""Called with `Calls` and all arguments of the operator; gives what the operator gives."""

_FAMILIES: Final = (
    "activations",
    "arithmetic",
    "conversions",
    "convolutions",
    "creation",
    "einsum",
    "fourier",
    "indexing",
    "interpolation",
    "joins",
    "losses",
    "matrices",
    "normalization",
    "pooling",
    "quantiles",
    "recurrent",
    "reductions",
    "triangles",
    "views",
)
_rules: dict[str, Rule] = {}
_always: set[str] = set()


def decomposes(*names: str, always: bool = False) -> Callable[[Rule], Rule]:
    """Declare what operators (``add.Tensor``, without namespace) are made of.

    `always`: whatever the dialect, as they are no operators of exported programs without writes.
    """

    def declare(rule: Rule) -> Rule:
        for name in names:
            _rules[f"aten::{name}"] = rule
            if always:
                _always.add(f"aten::{name}")
        return rule

    return declare


@cache
def rules() -> dict[str, Rule]:
    """All rules by qualified name."""
    for family in _FAMILIES:
        import_module(f"tsc.runtime.exporting.decomposition.rules.{family}")
    return _rules


@cache
def unconditional() -> frozenset[str]:
    """Operators that are replaced in every dialect."""
    rules()
    return frozenset(_always)


def default_decompositions() -> set[str]:
    """The qualified names of the operators that have a decomposition: a new set, from which one may take out."""
    return set(rules())
