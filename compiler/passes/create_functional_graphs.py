"""Groups what neither writes to memory nor makes any that is written to or returned into `prim::FunctionalGraph` nodes.

From the end of each block on, nodes are merged into the group behind them, with all that is in their blocks, as long as
they can be moved there. Groups of fewer than six nodes are taken apart again. What is in a group may be rearranged
without asking who shares memory with whom.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Graph, Node, prim
from tsc.compiler.passes.pool_constants import pool_constants
from tsc.compiler.passes.subgraphs import (
    create_group,
    inline_subgraph,
    merge_into_group,
    subgraph_of,
)

SMALLEST: Final = 6
"""How many nodes a group has at least, those in blocks included and constants left aside."""
ROUNDS: Final = 4
"""How often the graph is gone over at most: a group that was made may be merged into another one."""


def create_functional_graphs(graph: Graph) -> bool:
    """Returns whether there is a group now that there was not."""
    before = str(graph)
    pool_constants(graph)
    for _ in range(ROUNDS):
        if not _Grouping(graph).group(graph.block):
            break
    pool_constants(graph)
    return str(graph) != before


class _Grouping:
    """One round over a graph. What is functional is found first: merging changes the graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._aliases = AliasDb(graph)
        self._functional: set[Node] = set()
        for node in graph.nodes():
            self._look_at(node)

    def _look_at(self, node: Node) -> bool:
        """Notes whether a node is functional, and those in its blocks."""
        inner = [self._look_at(each) for block in node.blocks for each in block.nodes()]
        aliases = self._aliases
        functional = node.kind == prim.Uninitialized or (
            all(inner)
            and not aliases.is_mutable(node)
            and not aliases.escapes_within(node.outputs)
            and not any(map(aliases.has_writers, node.outputs))
        )
        if functional:
            self._functional.add(node)
        return functional

    def group(self, block: Block) -> bool:
        """Whether a node of the block went into a group, even if the group was taken apart again."""
        changed = False
        group = self._new_group().insert_before(block.return_node)
        groups = [group]
        node = group.previous
        while node is not block.return_node:
            preceding = node.previous
            if node.kind == prim.Constant:
                pass
            elif node not in self._functional:
                for inner in node.blocks:
                    self.group(inner)
            elif node.kind == prim.FunctionalGraph and _is_empty(group):
                groups.pop().destroy()
                groups.append(group := node)
            else:
                changed = True
                if not self._aliases.move_before_topologically_valid(node, group):
                    groups.append(group := self._new_group().insert_after(node))
                merge_into_group(node, group, self._aliases)
            node = preceding
        for each in groups:
            _finish(each)
        return changed

    def _new_group(self) -> Node:
        return create_group(self._graph, prim.FunctionalGraph)


def _is_empty(group: Node) -> bool:
    return not group.inputs and not group.outputs


def _finish(group: Node) -> None:
    body = subgraph_of(group)
    if sum(node.kind != prim.Constant for node in body.all_nodes()) < SMALLEST:
        inline_subgraph(group)
    else:
        pool_constants(body)
