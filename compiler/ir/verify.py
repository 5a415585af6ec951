"""The verifier: every invariant of a graph, checked; the first one broken is shown in its place.

One walk over the graph in the order of its text. It knows which values are in scope, and counts the
uses it meets, so that stale entries of use lists are found as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.verify_kinds import Broken, check_attributes, check_kind
from tsc.compiler.ir.verify_schema import (
    check_graph_schema,
    check_node_schema,
    check_operator,
)
from tsc.compiler.types import Type

if TYPE_CHECKING:
    from tsc.compiler.ir.block import Block
    from tsc.compiler.ir.graph import Graph
    from tsc.compiler.ir.node import Node
    from tsc.compiler.ir.value import Value
    from tsc.compiler.schema import FunctionSchema, OperatorTable

CONTEXT_LINES = 12


class InvalidGraph(GraphError):
    """A broken invariant: what is wrong, with which node, of which graph."""

    def __init__(self, message: str, graph: Graph, node: Node) -> None:
        super().__init__(f"{message}\n{_excerpt(graph, node)}")
        self.message = message
        self.graph = graph
        self.node = node


def verify(
    graph: Graph, schema: FunctionSchema | None = None, operators: OperatorTable | None = None
) -> None:
    """Raises InvalidGraph unless all is well.

    ``schema`` is that of the graph's function; with ``operators``, nodes must have one of them if they need one.
    """
    _Verifier(graph, operators).run()
    if schema is not None:
        with_node = graph.return_node
        try:
            check_graph_schema(graph, schema)
        except Broken as broken:
            raise InvalidGraph(str(broken), graph, with_node) from None


class _Verifier:
    def __init__(self, graph: Graph, operators: OperatorTable | None) -> None:
        self.graph = graph
        self.operators = operators
        self.in_scope: set[Value] = set()
        self.use_counts: dict[Value, int] = {}
        self.uniques: set[int] = set()

    def run(self) -> None:
        node = self.graph.param_node
        try:
            for node in self.walk():
                self.check(node)
            for value, count in self.use_counts.items():
                node = value.node
                self.check_uses(value, count)
        except Broken as broken:
            raise InvalidGraph(str(broken), self.graph, node) from None

    def walk(self) -> Iterator[Node]:
        """Every node in order, param and return nodes included; keeps ``in_scope`` up to date."""
        pending: list[tuple[Block, Iterator[Node]]] = []
        pending.append((self.graph.block, self.walk_block(self.graph.block)))
        while pending:
            block, nodes = pending[-1]
            node = next(nodes, None)
            if node is None:
                pending.pop()
                self.leave(block)
                continue
            yield node
            for inner in reversed(node.blocks):
                self.check_block(node, inner)
                pending.append((inner, self.walk_block(inner)))

    def walk_block(self, block: Block) -> Iterator[Node]:
        """The nodes of one block; a node's outputs come into scope once it has been seen."""
        yield block.param_node
        self.in_scope.update(block.inputs)
        node = block.return_node.next
        while node is not block.return_node:
            self.check_links(block, node)
            yield node
            self.in_scope.update(node.outputs)
            node = node.next
        yield block.return_node

    def leave(self, block: Block) -> None:
        self.in_scope.difference_update(block.inputs)
        node = block.return_node.next
        while node is not block.return_node:
            self.in_scope.difference_update(node.outputs)
            node = node.next

    def check_block(self, owner: Node, block: Block) -> None:
        if block.owning_node is not owner:
            raise Broken(f"a block of {owner.kind} has another node for its owner")
        if block.graph is not self.graph:
            raise Broken(f"a block of {owner.kind} belongs to another graph")

    def check_links(self, block: Block, node: Node) -> None:
        following = node.next
        if node.block is not block or following.block is not block:
            raise Broken(f"{node.kind} is in the list of a block that is not its own")
        if following.previous is not node:
            raise Broken(f"the links between {node.kind} and {following.kind} disagree")
        if following is not block.return_node and node.position >= following.position:
            raise Broken(f"the positions of {node.kind} and {following.kind} are not in order")

    def check(self, node: Node) -> None:
        if node.graph is not self.graph:
            raise Broken(f"{node.kind} belongs to another graph")
        self.check_end(node)
        for offset, value in enumerate(node.inputs):
            self.check_input(node, offset, value)
        for offset, value in enumerate(node.outputs):
            self.check_output(node, offset, value)
        check_attributes(node)
        check_kind(node)
        if self.operators is not None:
            check_operator(node, self.operators)
        check_node_schema(node)

    def check_end(self, node: Node) -> None:
        """Param and return nodes stand at the ends of blocks and nowhere else."""
        block = node.block
        if block is None:
            raise Broken(f"{node.kind} is in no block")
        is_param, is_return = node is block.param_node, node is block.return_node
        if is_param != (node.kind == prim.Param) or is_return != (node.kind == prim.Return):
            raise Broken(f"{node.kind} must be the end of its block, and only that")
        if is_param and node.inputs:
            raise Broken("the param node of a block must not have inputs")
        if is_return and node.outputs:
            raise Broken("the return node of a block must not have outputs")

    def check_input(self, node: Node, offset: int, value: Value) -> None:
        if value not in self.in_scope:
            raise Broken(self.why_out_of_scope(node, value))
        use = node.input_use(offset)
        if use.node is not node or use.offset != offset:
            raise Broken(f"input {offset} of {node.kind} does not know its place")
        self.use_counts[value] += 1

    def why_out_of_scope(self, node: Node, value: Value) -> str:
        where = f"%{value.debug_name}, input of {node.kind},"
        if value.node.graph is not self.graph:
            return f"{where} belongs to another graph"
        if value.node.block is None:
            return f"{where} is defined by a node that is in no block"
        if value not in value.node.outputs:
            return f"{where} is no output of the node that should define it"
        if value.node is node:
            return f"{where} is its own output"
        return f"{where} is used before its definition or out of its scope"

    def check_output(self, node: Node, offset: int, value: Value) -> None:
        if value.node is not node or value.offset != offset:
            raise Broken(f"output {offset} of {node.kind} does not know its place")
        if not isinstance(value.type, Type):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise Broken(f"%{value.debug_name} has no type")
        if value.unique in self.uniques:
            raise Broken(f"two values have the number {value.unique}")
        if value.has_debug_name and self.graph.names.owner(value.debug_name) is not value:
            raise Broken(f"%{value.debug_name} does not own its name")
        self.uniques.add(value.unique)
        self.use_counts[value] = 0

    def check_uses(self, value: Value, count: int) -> None:
        """Every entry of the use list is an input that was met, and there are no others."""
        name, uses = value.debug_name, value.uses
        for use in uses:
            inputs = use.node.inputs
            if use.offset >= len(inputs) or inputs[use.offset] is not value:
                raise Broken(f"the use list of %{name} has an entry for what is no use of it")
        if len(uses) != count or value.use_count != count:
            raise Broken(f"the use list of %{name} has {len(uses)} entries for {count} uses")


def _excerpt(graph: Graph, node: Node) -> str:
    """The graph's text around the marked node."""
    lines = graph.text(mark=node).splitlines()
    marked = next((at for at, line in enumerate(lines) if line.endswith("<--- HERE")), len(lines))
    first, last = max(0, marked - CONTEXT_LINES), marked + CONTEXT_LINES + 1
    shown = lines[first:last]
    if first > 0:
        shown.insert(0, "...")
    if last < len(lines):
        shown.append("...")
    return "\n".join(shown)
