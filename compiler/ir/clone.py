"""Copies of nodes and blocks, within a graph or into another one, however deep the nesting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tsc.compiler.ir.node import Node
from tsc.compiler.ir.value import Value

if TYPE_CHECKING:
    from tsc.compiler.ir.block import Block
    from tsc.compiler.ir.graph import Graph

ValueMap = Callable[[Value], Value]


def clone_node(node: Node, graph: Graph, value_map: ValueMap) -> Node:
    """A copy in ``graph``, unattached; ``value_map`` gives what each value used becomes there."""
    cloning = _Cloning(graph, value_map)
    copy = cloning.copy_without_blocks(node)
    cloning.fill_blocks(node, copy)
    return copy


def clone_block(source: Block, target: Block, value_map: ValueMap) -> dict[Value, Value]:
    """Appends a copy of ``source`` to ``target``; returns what became of its values."""
    cloning = _Cloning(target.graph, value_map)
    cloning.fill(source, target)
    return cloning.copies


class _Cloning:
    """``copies`` are the values copied so far; ``outer`` tells about all others."""

    __slots__ = ("copies", "graph", "outer")

    def __init__(self, graph: Graph, outer: ValueMap) -> None:
        self.graph = graph
        self.outer = outer
        self.copies: dict[Value, Value] = {}

    def lookup(self, value: Value) -> Value:
        copy = self.copies.get(value)
        return self.outer(value) if copy is None else copy

    def copy_without_blocks(self, node: Node) -> Node:
        copy = Node(self.graph, node.kind, node.range)
        copy.operator = node.operator
        copy.scope = node.scope
        copy.call_stack = node.call_stack
        copy.copy_attributes(node)
        for output in node.outputs:
            self.copies[output] = copy.add_output().copy_metadata(output)
        known, outer = self.copies.get, self.outer
        for value in node.inputs:
            copy.add_input(known(value) or outer(value))
        return copy

    def fill_blocks(self, node: Node, copy: Node) -> None:
        for block in node.blocks:
            self.fill(block, copy.add_block())

    def fill(self, source: Block, target: Block) -> None:
        """Nested blocks wait on a stack, so that depth costs no recursion."""
        pending = [(source, target, self.begin(source, target))]
        while pending:
            source, target, nodes = pending[-1]
            node = next(nodes, None)
            if node is None:
                target.return_node.range = source.return_node.range
                for value in source.outputs:
                    target.register_output(self.lookup(value))
                pending.pop()
                continue
            copy = target.append_node(self.copy_without_blocks(node))
            if node.blocks:
                inner = [(block, copy.add_block()) for block in node.blocks]
                pending += [(*pair, self.begin(*pair)) for pair in reversed(inner)]

    def begin(self, source: Block, target: Block) -> Iterator[Node]:
        """Copies the inputs when the first node is asked for; yields the nodes to copy."""
        for value in source.inputs:
            self.copies[value] = target.add_input().copy_metadata(value)
        yield from source.nodes()
