"""Which values are needed after given nodes, in whatever comes of the program from there.

In the body of a loop, that is what the rest of the turn, the turns to come and what follows the loop need: the number
of turns and which this one is, too. Constants are left aside.
"""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.ir import Block, Graph, Node, Value, prim

Live = dict[Value, None]
REMADE = (prim.Constant, prim.Uninitialized)
"""Kinds of nodes that may be made anew anywhere."""


class LiveValues:
    """`at` gives the values that are needed after each of the nodes, but for its outputs and its first input.

    It is None where there are more than `most` of them together.
    """

    def __init__(self, graph: Graph, nodes: set[Node], most: int) -> None:
        self._nodes = nodes
        self._owners = {owner for node in nodes for owner in _owners(node)}
        self._room = most
        self.at: dict[Node, list[Value]] | None = {}
        self._scan(graph.block, {})

    def _scan(self, block: Block, after: Live) -> Live:
        """What is needed at the beginning of a block, if `after` is at its end."""
        live = after | dict.fromkeys(block.outputs)
        for node in block.nodes_reversed():
            for value in node.outputs:
                live.pop(value, None)
            if node in self._nodes:
                self._note(node, live)
            if node in self._owners:
                live = self._scan_blocks(node, live)
            elif node.blocks:
                live.update(dict.fromkeys(used_from_outside(node)))
            live.update(dict.fromkeys(node.inputs))
        for value in block.inputs:
            live.pop(value, None)
        return live

    def _note(self, node: Node, live: Live) -> None:
        needed = [
            value for value in live if value.node.kind not in REMADE and value is not node.inputs[0]
        ]
        self._room -= len(needed)
        if self._room < 0:
            self.at = None
        if self.at is not None:
            self.at[node] = needed

    def _scan_blocks(self, node: Node, live: Live) -> Live:
        if node.kind != prim.Loop:
            before: Live = {}
            for block in node.blocks:
                before |= self._scan(block, live)
            return before
        inside = dict.fromkeys(used_from_outside(node))
        body = node.blocks[0]
        self._scan(body, {**live, **inside, node.inputs[0]: None, body.inputs[0]: None})
        return live | inside


def _owners(node: Node) -> Iterator[Node]:
    """The nodes in whose blocks a node is."""
    owner = node.owning_block.owning_node
    while owner is not None:
        yield owner
        owner = owner.owning_block.owning_node


def used_from_outside(node: Node) -> Iterator[Value]:
    """The values that the blocks of a node use, and that are defined outside of it."""
    inside = [inner for block in node.blocks for inner in block.all_nodes()]
    blocks = [*node.blocks, *(block for inner in inside for block in inner.blocks)]
    defined = {value for block in blocks for value in block.inputs}
    defined.update(value for inner in inside for value in inner.outputs)
    for user in (*inside, *(block.return_node for block in blocks)):
        yield from (value for value in user.inputs if value not in defined)
