"""Guards move to the definition of what they guard, become one where they say the same, and go where it follows.

A guard tells dtype, sizes, strides and device of a tensor, which nothing in the graph changes in place: so
what holds anywhere in a block holds from the definition on, and writes to elements may be passed. The metadata of
what most operators compute is a function of that of their inputs: if all inputs of one are guarded, it computes what
it computed when the program was profiled.
"""

from __future__ import annotations

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.metadata import UnsteadyTensors, follows_from_inputs, is_complete
from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.types import TensorType


def eliminate_redundant_guards(graph: Graph) -> bool:
    """Returns whether a guard was moved or went."""
    changed = _move_guards_to_definitions(graph)
    aliases = AliasDb(graph)
    eliminating = _Eliminating(aliases, UnsteadyTensors(graph, aliases))
    eliminating.visit(graph.block)
    return changed | eliminating.changed


def _move_guards_to_definitions(graph: Graph) -> bool:
    """What is defined outside of a block is guarded at its beginning."""
    changed = False
    last: dict[Node, Node] = {}
    for guard in [node for node in graph.all_nodes() if node.kind == prim.Guard]:
        place = _definition(guard)
        before = last.get(place, place)
        if guard.previous is not before:
            guard.move_after(
                guard.owning_block.param_node if before.kind == prim.Return else before
            )
            changed = True
        last[place] = guard
    return changed


def _definition(guard: Node) -> Node:
    """The node after which a guard may stand; for the beginning of its block, the block's return node."""
    definition, block = guard.input.node, guard.owning_block
    if definition.block is not block or definition.kind == prim.Param:
        return block.return_node
    return definition


class _Eliminating:
    """Keeps the values of which guards tell all, or of which it follows, and the guards by what they guard.

    ``_hidden`` are the guards that were known before those in the blocks at hand.
    """

    def __init__(self, aliases: AliasDb, unsteady: UnsteadyTensors) -> None:
        self.changed = False
        self._aliases = aliases
        self._unsteady = unsteady
        self._known: set[Value] = set()
        self._guarded: dict[Value, Value] = {}
        self._hidden: list[tuple[Value, Value | None]] = []

    def visit(self, block: Block) -> None:
        """Guards outside of a block hold in it, those in it only there."""
        outside = len(self._hidden)
        for node in block.nodes():
            if node.kind == prim.Guard:
                self._visit_guard(node)
                continue
            for nested in node.blocks:
                self.visit(nested)
            if self._follows(node):
                self._known.update(node.outputs)
        while len(self._hidden) > outside:
            value, before = self._hidden.pop()
            if before is None:
                del self._guarded[value]
            else:
                self._guarded[value] = before

    def _visit_guard(self, guard: Node) -> None:
        value, type = guard.input, guard.output.type
        assert isinstance(type, TensorType)
        same = self._guarded.get(value)
        if value in self._known or value.node.kind == prim.Constant:
            value.set_type(type)
            self._replace(guard, value)
        elif all(use.node.kind == prim.Return for use in guard.output.uses):
            self._replace(guard, value)
        elif same is not None and same.type.is_subtype_of(type):
            self._replace(guard, same)
        else:
            self._hidden.append((value, same))
            self._guarded[value] = guard.output
            if is_complete(type):
                self._known.add(guard.output)

    def _replace(self, guard: Node, value: Value) -> None:
        guard.output.replace_all_uses_with(value)
        guard.destroy()
        self.changed = True

    def _follows(self, node: Node) -> bool:
        if not follows_from_inputs(node, self._known):
            return False
        return not any(map(self._may_change, node.outputs))

    def _may_change(self, value: Value) -> bool:
        """Whether what is known of a value may not hold later on."""
        if isinstance(value.type, TensorType):
            return value in self._unsteady
        return self._aliases.has_writers(value)
