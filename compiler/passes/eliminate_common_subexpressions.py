"""What was computed before, from the same inputs, is not computed again.

Two nodes are the same when kind, inputs, attributes and the types of outputs are. A node in a block
may give way to one before it there, or before one of the blocks around it. Nodes with effects or
random results stay, and so do those whose inputs or outputs are ever written to.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.determinism import is_nondeterministic
from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.ir import Block, Graph, Node, prim
from tsc.compiler.passes.constant_key import constant_key, value_key
from tsc.compiler.source.rewritings import may_rewrite

_NAME: Final = "eliminate_common_subexpressions"


def eliminate_common_subexpressions(graph: Graph) -> bool:
    """Returns whether a node gave way to another."""
    return _Elimination(graph).run(graph.block)


class _Elimination:
    """``known`` holds the first node of every expression that is visible where the walk stands."""

    def __init__(self, graph: Graph) -> None:
        self.aliases = AliasDb(graph)
        self.known: dict[Hashable, Node] = {}

    def run(self, block: Block) -> bool:
        changed = False
        added: list[Hashable] = []
        for node in block.nodes():
            if node.blocks:
                for nested in node.blocks:
                    changed |= self.run(nested)
                continue
            if not self.may_be_shared(node):
                continue
            key = _expression_key(node)
            earlier = self.known.get(key)
            if earlier is None:
                self.known[key] = node
                added.append(key)
            elif self.may_stand_for(earlier, node) and may_rewrite(_NAME, node):
                node.replace_all_uses_with(earlier)
                node.destroy()
                changed = True
        for key in added:
            del self.known[key]
        return changed

    def may_be_shared(self, node: Node) -> bool:
        return not (
            has_side_effects(node)
            or is_nondeterministic(node)
            or self.aliases.is_mutable(node)
            or self.aliases.node_has_writers(node)
        )

    def may_stand_for(self, earlier: Node, node: Node) -> bool:
        """Not both may be visible outside: the caller could tell one value from two."""
        visible = self.aliases.is_returned if _are_views(node) else self.aliases.escapes
        return not (visible(earlier.outputs) and visible(node.outputs))


def _are_views(node: Node) -> bool:
    """Whether what the node gives is memory that was there before, or part of it."""
    return node.schema is not None and all(each.alias_info for each in node.schema.returns)


def _expression_key(node: Node) -> Hashable:
    if node.kind == prim.Constant:
        return constant_key(node)
    attributes = tuple((name, value_key(value)) for name, value in sorted(node.attributes.items()))
    types = tuple(output.type for output in node.outputs)
    return node.kind, node.operator, tuple(node.inputs), attributes, types
