"""Blocks: inputs, a list of nodes run in order, outputs.

Two dummy nodes stand for the ends. The param node's outputs are the block's inputs; it is not in
the list. The return node's inputs are the block's outputs; it closes the circular list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tsc.compiler.ir.clone import clone_block
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.types import TENSOR, Type

if TYPE_CHECKING:
    from tsc.compiler.ir.graph import Graph


class Block:
    """A scope: its values are visible to the rest of it and to the blocks nested there."""

    __slots__ = ("graph", "owning_node", "param_node", "return_node")

    def __init__(self, graph: Graph, owning_node: Node | None) -> None:
        self.graph = graph
        self.owning_node = owning_node
        self.param_node = Node(graph, prim.Param)
        self.return_node = Node(graph, prim.Return)
        self.param_node.block = self
        self.return_node.block = self

    @property
    def owning_graph(self) -> Graph:
        return self.graph

    # -- Inputs and outputs ------------------------------------------------------------------

    @property
    def inputs(self) -> Sequence[Value]:
        return self.param_node.outputs

    def add_input(self, name: str | None = None, type: Type = TENSOR) -> Value:
        return self.param_node.add_output(type, name)

    def insert_input(self, offset: int, name: str | None = None, type: Type = TENSOR) -> Value:
        return self.param_node.insert_output(offset, type, name)

    def erase_input(self, offset: int) -> None:
        self.param_node.erase_output(offset)

    def remove_all_inputs(self) -> None:
        while self.inputs:
            self.erase_input(len(self.inputs) - 1)

    @property
    def outputs(self) -> Sequence[Value]:
        return self.return_node.inputs

    def register_output(self, value: Value) -> int:
        """Adds an output, and returns its offset."""
        self.return_node.add_input(value)
        return len(self.outputs) - 1

    def insert_output(self, offset: int, value: Value) -> None:
        self.return_node.insert_input(offset, value)

    def replace_output(self, offset: int, value: Value) -> Value:
        """Returns the value that was there."""
        return self.return_node.replace_input(offset, value)

    def erase_output(self, offset: int) -> None:
        self.return_node.remove_input(offset)

    def remove_all_outputs(self) -> None:
        self.return_node.remove_all_inputs()

    # -- Nodes -------------------------------------------------------------------------------

    def nodes(self) -> Iterator[Node]:
        """In order. The current node may be moved or destroyed; nodes put after it are not seen."""
        node = self.return_node.next
        while node is not self.return_node:
            following = node.next
            yield node
            node = following if following.block is self else self._neighbour(node, node.next)

    def nodes_reversed(self) -> Iterator[Node]:
        """From the last to the first, with the same guarantees as ``nodes``."""
        node = self.return_node.previous
        while node is not self.return_node:
            preceding = node.previous
            yield node
            node = preceding if preceding.block is self else self._neighbour(node, node.previous)

    def _neighbour(self, current: Node, neighbour: Node) -> Node:
        """Where a walk goes on when the node that was to come has left the block."""
        if current.block is self:
            return neighbour
        raise GraphError("both the current and the next node left the block during a walk")

    def all_nodes(self) -> Iterator[Node]:
        """Every node, nested ones included, in the order of the text."""
        pending = [self.nodes()]
        while pending:
            for node in pending[-1]:
                yield node
                if node.blocks:
                    pending.extend(block.nodes() for block in reversed(node.blocks))
                    break
            else:
                pending.pop()

    def find_all_nodes(self, kind: str, recurse: bool = True) -> list[Node]:
        """The nodes of a kind in the order of the text, with `recurse` also those in nested blocks."""
        return list(self._nodes_of(kind, recurse))

    def find_node(self, kind: str, recurse: bool = True) -> Node | None:
        """The first of them, if there is one."""
        return next(self._nodes_of(kind, recurse), None)

    def _nodes_of(self, kind: str, recurse: bool) -> Iterator[Node]:
        nodes = self.all_nodes() if recurse else self.nodes()
        return (node for node in nodes if node.kind == kind)

    @property
    def is_empty(self) -> bool:
        return self.return_node.next is self.return_node

    def append_node(self, node: Node) -> Node:
        return node.insert_before(self.return_node)

    def prepend_node(self, node: Node) -> Node:
        return node.insert_before(self.return_node.next)

    # -- Whole blocks ------------------------------------------------------------------------

    def clone_from(self, source: Block, value_map: Callable[[Value], Value]) -> dict[Value, Value]:
        """Appends a copy of ``source``; ``value_map`` gives what its outer values become here."""
        return clone_block(source, self, value_map)

    def destroy_contents(self) -> None:
        """Empties the block for good; refused while something outside uses a value of it."""
        nodes = list(self.all_nodes())
        blocks = [self, *(block for node in nodes for block in node.blocks)]
        nodes += [block.param_node for block in blocks]
        returns = [block.return_node for block in blocks]
        _check_unused_outside(nodes, {*nodes, *returns})
        for node in [*nodes, *returns]:
            node.abandon()
        self.return_node.next = self.return_node.previous = self.return_node

    def __repr__(self) -> str:
        owner = "graph" if self.owning_node is None else self.owning_node.kind
        return f"<Block of {owner}>"


def _check_unused_outside(nodes: list[Node], doomed: set[Node]) -> None:
    for node in nodes:
        for value in node.outputs:
            if any(use.node not in doomed for use in value.uses):
                raise GraphError(
                    f"cannot destroy a block: %{value.debug_name} is used outside of it"
                )
