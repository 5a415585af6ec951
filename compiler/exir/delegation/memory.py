"""Which nodes of a graph may lie in the same memory, and which of that memory is written."""

from __future__ import annotations

from tsc.compiler.exir.delegation.effects import shared_nodes, written_nodes
from tsc.compiler.exir.node import Node
from tsc.compiler.schema import OperatorTable


class SharedMemory:
    """Classes of nodes that may be, or look into, each other: by union and find. Nodes are added in their order."""

    def __init__(self, operators: OperatorTable) -> None:
        self._operators = operators
        self._parents: dict[Node, Node] = {}
        self._sizes: dict[Node, int] = {}
        self._written: list[Node] = []

    def add(self, node: Node) -> None:
        """A node behind those that are there."""
        self._parents[node], self._sizes[node] = node, 1
        for each in shared_nodes(node, self._operators):
            self._unite(self._root(each), self._root(node))
        self._written += written_nodes(node, self._operators)

    def __contains__(self, node: Node) -> bool:
        return node in self._parents

    def is_alone(self, node: Node) -> bool:
        """Whether no other node may share its memory."""
        return self._sizes[self._root(node)] == 1

    def written(self) -> set[Node]:
        """All nodes that something writes to what they give, or look into."""
        roots = {self._root(each) for each in self._written}
        return {each for each in self._parents if self._root(each) in roots}

    def _root(self, node: Node) -> Node:
        while (parent := self._parents[node]) is not node:
            self._parents[node] = self._parents[parent]
            node = parent
        return node

    def _unite(self, first: Node, second: Node) -> None:
        if first is not second:
            self._sizes[first] += self._sizes.pop(second)
            self._parents[second] = first
