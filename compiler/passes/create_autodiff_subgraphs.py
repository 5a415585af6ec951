"""Groups adjacent nodes whose gradients are known into `prim::DifferentiableGraph` nodes.

From the end of each block on, producers are merged into the groups that consume them, wherever they can be moved there.
What gives views of a group's inputs, or of its other results, leaves it again with all that follows from it: who writes
to such a view must find what it looks into. Groups of fewer than `threshold` nodes are taken apart: entering one costs
something.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Graph, Node, prim
from tsc.compiler.passes.eliminate_common_subexpressions import eliminate_common_subexpressions
from tsc.compiler.passes.subgraphs import (
    create_group,
    inline_subgraph,
    merge_into_group,
    size_of,
    subgraph_of,
    taken_apart,
)


def create_autodiff_subgraphs(
    graph: Graph, *, is_differentiable: Callable[[Node], bool], threshold: int = 2
) -> bool:
    """Returns whether there is a group now that there was not."""
    aliases = AliasDb(graph)
    changed = False
    pending = [graph.block]
    while pending:
        block = pending.pop()
        changed |= _Grouping(block, aliases, is_differentiable, threshold).run()
        pending += [inner for node in block.nodes() for inner in node.blocks]
    return changed


class _Grouping:
    """Groups the nodes of one block."""

    def __init__(
        self,
        block: Block,
        aliases: AliasDb,
        is_differentiable: Callable[[Node], bool],
        threshold: int,
    ) -> None:
        self._block, self._aliases = block, aliases
        self._is_differentiable, self._threshold = is_differentiable, threshold
        self._new: list[Node] = []

    def run(self) -> bool:
        while self._grow_all():
            pass
        groups = list(filter(None, map(self._without_views, list(self._new))))
        large = [group for group in groups if size_of(group) >= self._threshold]
        for group in groups:
            if group in large:
                eliminate_common_subexpressions(subgraph_of(group))
            else:
                inline_subgraph(group)
        return bool(large)

    def _grow_all(self) -> bool:
        """Goes through the block once; says whether anything was merged, which may have moved what was passed."""
        merged = False
        node = self._block.return_node.previous
        while node is not self._block.return_node:
            if self._may_be_merged(node):
                group = self._grown(node)
                merged |= group is not node
                node = group
            node = node.previous
        return merged

    def _may_be_merged(self, node: Node) -> bool:
        return node.kind == prim.DifferentiableGraph or self._is_differentiable(node)

    def _grown(self, node: Node) -> Node:
        """The group that a node becomes, with all producers that can be merged into it."""
        group = node if node.kind == prim.DifferentiableGraph else self._group_of(node)
        while (producer := self._mergeable(group)) is not None:
            merge_into_group(producer, group, self._aliases)
        return group

    def _group_of(self, node: Node) -> Node:
        group = create_group(node.graph, prim.DifferentiableGraph).insert_after(node)
        group.range = node.range
        merge_into_group(node, group, self._aliases)
        self._new.append(group)
        return group

    def _mergeable(self, group: Node) -> Node | None:
        """A producer of an input that was moved before the group; the last one first."""
        producers = [each.node for each in group.inputs if each.node.block is self._block]
        wanted = [each for each in producers if self._may_be_merged(each)]
        for producer in sorted(dict.fromkeys(wanted), key=cmp_to_key(_latest_first)):
            if self._aliases.move_before_topologically_valid(producer, group):
                if producer in self._new:
                    self._new.remove(producer)
                return producer
        return None

    def _without_views(self, group: Node) -> Node | None:
        """The group without what gives views, and what follows from it; None if nothing else is in it."""
        body = list(subgraph_of(group).nodes())
        leaving = self._leaving(group, body)
        if not any(leaving):
            return group
        nodes = taken_apart(group, self._aliases)
        behind = nodes[-1].next
        stay = [node for node, leaves in zip(nodes, leaving) if not leaves]
        for node, leaves in zip(nodes, leaving):
            if leaves:
                node.move_before(behind)
        constants = [node for node in stay if node.kind == prim.Constant]
        stay = [node for node in stay if node.kind != prim.Constant]
        made = self._group_of(stay[-1]) if stay else None
        for node in reversed(stay[:-1]):
            assert made is not None
            merge_into_group(node, made, self._aliases)
        for node in constants:
            if not node.output.has_uses:
                node.destroy()
        return None if made is None else self._without_views(made)

    def _leaving(self, group: Node, body: list[Node]) -> list[bool]:
        """Of each node in a group, whether a result may look into an input or into an earlier result because of it."""
        place = {node: number for number, node in enumerate(body)}
        results = zip(group.outputs, subgraph_of(group).outputs)
        known = list(group.inputs)
        leaving = [False] * len(body)
        for value, produced in sorted(results, key=lambda pair: place[pair[1].node]):
            if any(self._aliases.may_alias(value, each) for each in known):
                leaving[place[produced.node]] = True
            known.append(value)
        for number, node in enumerate(body):
            leaving[number] |= any(
                leaving[place[value.node]] for value in node.inputs if value.node in place
            )
        return leaving


def _latest_first(a: Node, b: Node) -> int:
    return -1 if a.is_after(b) else 1
