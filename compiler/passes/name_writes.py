"""What an operator gives that writes in place is the tensor that it has written: who reads that later reads the result.

So edges of the graph say what comes after the write, as they do for new tensors.
"""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir import Block, Graph, Node, Value, prim


class WrittenTensors:
    """The tensors that the nodes seen so far have written, under their last names."""

    def __init__(self) -> None:
        self._first: dict[Value, Value] = {}
        self._last: dict[Value, Value] = {}

    def first_name(self, value: Value) -> Value:
        """The value that a tensor was before it was written to for the first time."""
        return self._first.get(value, value)

    def last_name(self, value: Value) -> Value:
        return self._last.get(self.first_name(value), value)

    def write(self, value: Value, result: Value) -> None:
        """The tensor `value` is known as `result` from now on."""
        first = self._first[result] = self.first_name(value)
        self._last[first] = result

    def items(self) -> list[tuple[Value, Value]]:
        """The first and the last name of each."""
        return list(self._last.items())

    def rename_inputs(self, node: Node) -> None:
        """Let a node read tensors under their last names."""
        if node.kind == prim.with_part_:
            return  # it says by first names which part it is
        for offset, value in enumerate(node.inputs):
            last = self.last_name(value)
            if last is not value:
                node.replace_input(offset, last)


def name_writes(
    graph: Graph,
    *,
    writes: Callable[[Node], bool],
    name_wholes: Callable[[Node, WrittenTensors], None],
) -> None:
    """Of the nodes of which `writes` holds, each of which gives its first input back; `name_wholes` names what that is
    a part of.
    """
    pending = [graph.block]
    while pending:
        block = pending.pop()
        _name_in(block, writes, name_wholes)
        pending += [inner for node in block.nodes() for inner in node.blocks]


def _name_in(
    block: Block,
    writes: Callable[[Node], bool],
    name_wholes: Callable[[Node, WrittenTensors], None],
) -> None:
    """In one block: what its nodes read, and what it returns."""
    written = WrittenTensors()
    for node in list(block.nodes()):
        written.rename_inputs(node)
        if writes(node):
            written.write(node.inputs[0], node.output)
            name_wholes(node, written)
    written.rename_inputs(block.return_node)
