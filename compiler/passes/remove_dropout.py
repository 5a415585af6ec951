"""Dropout that is known not to be in training gives its input as it is, and goes."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Graph, Node, constant_value
from tsc.compiler.source.rewritings import may_rewrite

_KINDS: Final = frozenset(
    f"aten::{name}{suffix}"
    for name in ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout")
    for suffix in ("", "_")
)


def remove_dropout(graph: Graph) -> bool:
    """Returns whether a dropout went."""
    found = [
        node
        for node in graph.all_nodes()
        if node.kind in _KINDS and _rests(node) and may_rewrite("remove_dropout", node)
    ]
    for node in found:
        node.output.replace_all_uses_with(node.inputs[0])
        node.destroy()
    return bool(found)


def _rests(node: Node) -> bool:
    return len(node.inputs) == 3 and constant_value(node.inputs[2]) is False
