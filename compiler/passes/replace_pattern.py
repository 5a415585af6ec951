"""Wherever a graph has the nodes of a pattern, those of a replacement stand instead. Both are IR texts.

The inputs of the pattern stand for any values, its other values for those of nodes of the same kinds and
attributes, used in the same way. What is matched must be in one block, and only the outputs of the pattern may be
used outside of it, behind all that is matched. A pattern may return several values; its last node depends on all
others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tsc.compiler.ir import Graph, Node, Value, insert_graph, parse_ir, prim
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.passes.constant_key import constant_key
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source.rewritings import may_rewrite

Match = dict[str, Value]
"""What the values of a pattern stand for, by name."""


def anything(_match: Match) -> bool:
    """The filter that lets every match be replaced."""
    return True


def replace_pattern(
    graph: Graph,
    *,
    operators: OperatorTable,
    pattern: str,
    replacement: str,
    wanted: Callable[[Match], bool] = anything,
) -> bool:
    """Returns whether the pattern was found. Matches that ``wanted`` refuses stay, and so do overlapping ones.

    Raises:
        CompileError: ``pattern`` or ``replacement`` is no graph.
        GraphError: they do not take and return as many values, or the pattern is empty.
    """
    sought, made = parse_ir(pattern, operators), parse_ir(replacement, operators)
    _check(sought, made)
    changed = False
    for node in list(graph.all_nodes()):
        if node.is_attached:
            changed |= _replace_at(node, sought, made, wanted)
    return changed


def _check(sought: Graph, made: Graph) -> None:
    if len(sought.inputs) != len(made.inputs) or len(sought.outputs) != len(made.outputs):
        raise GraphError("a pattern and its replacement must take and return as many values")
    if not sought.outputs or any(value.node.kind == prim.Param for value in sought.outputs):
        raise GraphError("a pattern must return values that nodes of it make")


def _replace_at(anchor: Node, sought: Graph, made: Graph, wanted: Callable[[Match], bool]) -> bool:
    found = _Matching(anchor)
    last = max((value.node for value in sought.outputs), key=lambda each: each.position)
    if not found.node(last, anchor):
        return False
    if any(value not in found.values for value in (*sought.inputs, *sought.outputs)):
        return False
    replaced = [found.values[each] for each in sought.outputs]
    if not found.is_closed(replaced):
        return False
    if not wanted({each.debug_name: value for each, value in found.values.items()}):
        return False
    if not may_rewrite("replace_pattern", anchor):
        return False
    graph = anchor.graph
    with graph.insert_at(anchor):
        values = insert_graph(graph, made, [found.values[each] for each in sought.inputs])
    for value, before in zip(values, replaced, strict=True):
        value.set_type(before.type)
        before.replace_all_uses_with(value)
    for node in sorted(found.nodes.values(), key=lambda each: each.position, reverse=True):
        if not node.has_uses:
            node.destroy()
    return True


class _Matching:
    """What nodes and values of a pattern stand for, from its last node backwards."""

    def __init__(self, anchor: Node) -> None:
        self.anchor = anchor
        self.nodes: dict[Node, Node] = {}
        self.values: dict[Value, Value] = {}

    def node(self, sought: Node, node: Node) -> bool:
        if sought in self.nodes:
            return self.nodes[sought] is node
        if node.block is not self.anchor.block and sought.kind != prim.Constant:
            return False
        if not _looks_like(sought, node):
            return False
        self.nodes[sought] = node
        self.values.update(zip(sought.outputs, node.outputs))
        return all(map(self.value, sought.inputs, node.inputs))

    def value(self, sought: Value, value: Value) -> bool:
        known = self.values.get(sought)
        if known is not None:
            return known is value
        if sought.node.kind == prim.Param:
            self.values[sought] = value
            return True
        return value.offset == sought.offset and self.node(sought.node, value.node)

    def is_closed(self, outputs: Sequence[Value]) -> bool:
        """Whether nobody else uses what is to go, and outputs are used behind the last node only.

        Constants may have other users.
        """
        members = set(self.nodes.values())
        return all(
            use.node in members or (output in outputs and use.node.is_after(self.anchor))
            for node in members
            if node is not self.anchor and node.kind != prim.Constant
            for output in node.outputs
            for use in output.uses
        )


def _looks_like(sought: Node, node: Node) -> bool:
    if sought.kind != node.kind or node.blocks:
        return False
    if len(sought.inputs) != len(node.inputs) or len(sought.outputs) != len(node.outputs):
        return False
    if sought.kind == prim.Constant:
        return constant_key(sought) == constant_key(node)
    return all(node.attributes.get(name) == value for name, value in sought.attributes.items())
