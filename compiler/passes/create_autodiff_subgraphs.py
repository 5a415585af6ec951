"""Groups adjacent nodes whose gradients are known into `prim::DifferentiableGraph` nodes.

From the end of each block on, producers are merged into the groups that consume them, wherever they can be moved there.
What gives views of a group's inputs, or of its other results, leaves it again with all that follows from it: who writes
to such a view must find what it looks into. Groups of fewer than `threshold` nodes are taken apart: entering one costs
something. What is computed twice then, in groups and around them, is computed once.
"""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Graph, Node, prim
from tsc.compiler.passes.eliminate_common_subexpressions import eliminate_common_subexpressions
from tsc.compiler.passes.subgraph_groups import GrowingGroups, Wanted
from tsc.compiler.passes.subgraphs import (
    inline_subgraph,
    merge_into_group,
    size_of,
    subgraph_of,
    taken_apart,
)


def create_autodiff_subgraphs(
    graph: Graph,
    *,
    is_differentiable: Callable[[Node], bool],
    threshold: int = 2,
    merge: bool = True,
) -> bool:
    """Returns whether anything changed. With `merge`, of two things that are equal there is one in the end."""
    aliases = AliasDb(graph)
    changed = False
    pending = [graph.block]
    while pending:
        block = pending.pop()
        changed |= _Grouping(block, aliases, is_differentiable, threshold).run(merge=merge)
        pending += [inner for node in block.nodes() for inner in node.blocks]
    merged = merge and eliminate_common_subexpressions(graph)
    return merged or changed


class _Grouping(GrowingGroups):
    """Groups the nodes of one block."""

    def __init__(
        self,
        block: Block,
        aliases: AliasDb,
        is_differentiable: Callable[[Node], bool],
        threshold: int,
    ) -> None:
        wanted = Wanted(
            prim.DifferentiableGraph,
            is_differentiable,
            lambda node, _group: is_differentiable(node),
        )
        super().__init__(block, aliases, wanted)
        self._threshold = threshold

    def run(self, *, merge: bool) -> bool:
        self.grow_all()
        groups = list(filter(None, map(self._without_views, list(self.new))))
        large = [group for group in groups if size_of(group) >= self._threshold]
        for group in groups:
            if group not in large:
                inline_subgraph(group)
            elif merge:
                eliminate_common_subexpressions(subgraph_of(group))
        return bool(large)

    def _without_views(self, group: Node) -> Node | None:
        """The group without what gives views, and what follows from it; None if nothing else is in it."""
        body = list(subgraph_of(group).nodes())
        leaving = self._leaving(group, body)
        if not any(leaving):
            return group
        nodes = taken_apart(group, self.aliases)
        behind = nodes[-1].next
        stay = [node for node, leaves in zip(nodes, leaving) if not leaves]
        for node, leaves in zip(nodes, leaving):
            if leaves:
                node.move_before(behind)
        constants = [node for node in stay if node.kind == prim.Constant]
        stay = [node for node in stay if node.kind != prim.Constant]
        made = self.group_of(stay[-1]) if stay else None
        for node in reversed(stay[:-1]):
            assert made is not None
            merge_into_group(node, made, self.aliases)
        for node in constants:
            if not node.output.has_uses:
                node.destroy()
        return None if made is None else self._without_views(made)

    def _leaving(self, group: Node, body: list[Node]) -> list[bool]:
        """Of each node in a group, whether a result may look into an input or into an earlier result because of it."""
        place = {node: number for number, node in enumerate(body)}
        graph = subgraph_of(group)
        aliases = AliasDb(graph)
        known = list(graph.inputs)
        leaving = [False] * len(body)
        for value in sorted(graph.outputs, key=lambda each: place[each.node]):
            if any(aliases.may_alias(value, each) for each in known):
                leaving[place[value.node]] = True
            known.append(value)
        for number, node in enumerate(body):
            leaving[number] |= any(
                leaving[place[value.node]] for value in node.inputs if value.node in place
            )
        return leaving
