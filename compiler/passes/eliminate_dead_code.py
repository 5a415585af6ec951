"""Removes what a program computes but nobody needs.

A node is needed when it has effects, when something needed uses its outputs, and when it writes to
memory that something needed reads, or that is visible outside of the graph. Outputs of an If that
are not used are dropped from it, and so are variables that a Loop neither reads nor hands on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.alias_tracker import NOWHERE, Locations
from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.ir import Block, Graph, IfView, LoopView, Node, Value, prim
from tsc.compiler.ir.node_order import enclosing_nodes
from tsc.compiler.schema import Aliasing
from tsc.compiler.source.rewritings import may_rewrite


def eliminate_dead_code(graph: Graph) -> bool:
    """Returns whether anything was removed.

    Like PyTorch's, the pass goes over the graph once: what only a removed loop needed is left to
    the next run.
    """
    changed = _drop_unused_fork_inputs(graph)
    liveness = _Liveness(graph)
    liveness.mark_values(graph.outputs)
    liveness.mark_block(graph.block)
    return _sweep(graph.block, liveness) or changed


class _Liveness:
    """The nodes and the values that are needed."""

    def __init__(self, graph: Graph) -> None:
        self.nodes: set[Node] = set()
        self.values: set[Value] = set()
        self._locations: set[int] = set()
        self._aliases = AliasDb(graph) if any(map(_may_write, graph.all_nodes())) else None
        self._effectful = {
            enclosing
            for node in graph.all_nodes()
            if has_side_effects(node) or self._writes_outside(node)
            for enclosing in enclosing_nodes(node)
        }

    def mark_block(self, block: Block) -> bool:
        """From the last node to the first: users come before what they use. True if any is new.

        Effects come first: what they need counts as read throughout the block.
        """
        anything_new = False
        for node in block.nodes() if self._effectful else ():
            if node in self._effectful and node not in self.nodes:
                self._mark(node)
                anything_new = True
        for node in block.nodes_reversed():
            if node.blocks:
                anything_new |= self._mark_blocks(node)
            if node not in self.nodes and self._is_needed(node):
                self._mark(node)
                anything_new = True
        return anything_new

    def _mark_blocks(self, node: Node) -> bool:
        """A loop's body is gone through until an iteration needs no more from the one before."""
        anything_new = False
        while True:
            new = self.mark_values(self._needed_outputs(node))
            for block in node.blocks:
                new |= self.mark_block(block)
            anything_new |= new
            if not new or node.kind != prim.Loop:
                return anything_new

    def _needed_outputs(self, node: Node) -> list[Value]:
        if node.kind == prim.Loop:
            return self._needed_by_loop(LoopView(node))
        return [
            value
            for block in node.blocks
            for offset, value in enumerate(block.outputs)
            if node.kind != prim.If or node.outputs[offset] in self.values
        ]

    def _needed_by_loop(self, loop: LoopView) -> list[Value]:
        """The condition to go on, and variables that are used later or that the body reads."""
        needed = [loop.next_condition]
        for offset, value in enumerate(loop.body_carried_outputs):
            is_read = loop.body_carried_inputs[offset].has_uses
            if is_read or loop.carried_outputs[offset] in self.values:
                needed.append(value)
        return needed

    def _is_needed(self, node: Node) -> bool:
        if not self.values.isdisjoint(node.outputs):
            return True
        return self._aliases is not None and not self._locations.isdisjoint(self._written(node))

    def _writes_outside(self, node: Node) -> bool:
        return self._aliases is not None and self._aliases.are_wildcards(self._written(node))

    def _written(self, node: Node) -> Locations:
        return NOWHERE if self._aliases is None else self._aliases.written_locations(node)

    def _mark(self, node: Node) -> None:
        """A needed node needs its inputs, and the nodes around it."""
        for enclosing in enclosing_nodes(node):
            if enclosing in self.nodes:
                return
            self.nodes.add(enclosing)
            self.mark_values(enclosing.inputs)

    def mark_values(self, values: Sequence[Value]) -> bool:
        """Returns whether any of them is new."""
        new = [value for value in values if value not in self.values]
        self.values.update(new)
        if self._aliases is not None:
            self._locations.update(*map(self._aliases.reachable_locations, new))
        return bool(new)


def _may_write(node: Node) -> bool:
    """Whether the node needs to be asked what it writes to."""
    operator = node.operator
    if operator is None:
        return node.kind not in _PLAIN_KINDS
    if operator.aliasing in _WRITING_UNSAID:
        return True
    aliases = [each.alias_info for each in operator.schema.arguments if each.alias_info is not None]
    return any(alias.writes for alias in aliases) if aliases else False


_PLAIN_KINDS: Final = frozenset(
    {
        prim.Constant,
        prim.If,
        prim.Loop,
        prim.ListConstruct,
        prim.ListUnpack,
        prim.TupleConstruct,
        prim.TupleUnpack,
        prim.TupleIndex,
        prim.TupleSlice,
        prim.DictConstruct,
        prim.GetAttr,
        prim.Load,
        prim.Store,
        prim.Print,
        prim.RaiseException,
        prim.Uninitialized,
        prim.isinstance,
        prim.unchecked_cast,
        prim.unchecked_unwrap_optional,
    }
)
_WRITING_UNSAID: Final = (Aliasing.WRITES_STATISTICS, Aliasing.LETS_OTHERS_RUN)


_NAME: Final = "eliminate_dead_code"


def _sweep(block: Block, liveness: _Liveness) -> bool:
    changed = False
    for node in block.nodes_reversed():
        if node.blocks:
            changed |= _drop_unused_outputs(node)
            for nested in node.blocks:
                changed |= _sweep(nested, liveness)
        if node not in liveness.nodes and not node.has_uses and may_rewrite(_NAME, node):
            node.destroy()
            changed = True
    return changed


def _drop_unused_outputs(node: Node) -> bool:
    """Those whose users are gone already: users come before what they use here, too."""
    before = len(node.outputs)
    if node.kind == prim.If:
        for offset in reversed(range(before)):
            if not node.outputs[offset].has_uses:
                IfView(node).erase_output(offset)
    elif node.kind == prim.Loop:
        for offset in reversed(range(before)):
            is_read = node.blocks[0].inputs[offset + 1].has_uses
            if not is_read and not node.outputs[offset].has_uses:
                LoopView(node).erase_carried(offset)
    return len(node.outputs) != before


def _drop_unused_fork_inputs(graph: Graph) -> bool:
    """A forked graph need not be given what it does not use."""
    changed = False
    for node in graph.all_nodes():
        subgraph = node.attributes.get("Subgraph") if node.kind == prim.fork else None
        if not isinstance(subgraph, Graph):
            continue
        for offset in reversed(range(len(subgraph.inputs))):
            if not subgraph.inputs[offset].has_uses:
                subgraph.erase_input(offset)
                node.remove_input(offset)
                changed = True
    return changed
