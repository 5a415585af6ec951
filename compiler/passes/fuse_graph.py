"""Groups pointwise operators, and the views between them, into `prim::FusionGroup` nodes: each runs as one kernel.

Nodes move together only where nothing notices. What a view shows is read where it lies, so a view is in a group only
if nobody else looks through it. A group of a single operator is not worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Graph, Node, is_constant, prim
from tsc.compiler.passes.subgraph_groups import GrowingGroups, Wanted
from tsc.compiler.passes.subgraphs import inline_subgraph, size_of, subgraph_of

_VIEWS: Final = frozenset(
    {
        *("aten::chunk", "aten::split", "aten::unbind", "aten::select", "aten::slice"),
        *("aten::unsqueeze", "aten::transpose", "aten::permute", "aten::t"),
        *("aten::expand", "aten::expand_as", prim.ConstantChunk, prim.ListUnpack),
    }
)
"""They tell where elements lie, by sizes, strides and numbers alone."""

_MOST_INPUTS: Final = 24
"""Of a group; more addresses than that do not stay in the registers of a processor."""
_MOST_NODES: Final = 64
"""Of a group: the time to make code of it grows with them."""


def fuse_graph(graph: Graph, *, is_fusible: Callable[[Node], bool]) -> bool:
    """Returns whether there is a group now that there was not."""
    wanted = Wanted(
        prim.FusionGroup, is_fusible, lambda node, group: _may_join(node, group, is_fusible)
    )
    aliases = AliasDb(graph)
    changed = False
    pending = [graph.block]
    while pending:
        block = pending.pop()
        changed |= _group(block, aliases, wanted)
        pending += [inner for node in block.nodes() for inner in node.blocks]
    return changed


def _group(block: Block, aliases: AliasDb, wanted: Wanted) -> bool:
    """Groups the nodes of one block; those of a single operator are taken apart again."""
    groups = GrowingGroups(block, aliases, wanted)
    groups.grow_all()
    small = [each for each in groups.new if _operators_in(each, wanted.may_begin) < 2]
    for group in small:
        inline_subgraph(group)
    return len(small) < len(groups.new)


def _may_join(node: Node, group: Node, is_fusible: Callable[[Node], bool]) -> bool:
    if len(group.inputs) + len(node.inputs) > _MOST_INPUTS or size_of(group) >= _MOST_NODES:
        return False
    return is_fusible(node) or _is_view_for(node, group)


def _is_view_for(node: Node, group: Node) -> bool:
    """Whether a node makes views that nothing uses but the group, by numbers that do not depend on the call."""
    if node.kind not in _VIEWS or any(
        use.node is not group for output in node.outputs for use in output.uses
    ):
        return False
    return all(is_constant(value) for value in node.inputs[1:])


def _operators_in(group: Node, is_fusible: Callable[[Node], bool]) -> int:
    return sum(is_fusible(node) for node in subgraph_of(group).nodes())
