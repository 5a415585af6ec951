"""When the values of a graph are needed, in the order in which its nodes are written down.

Every node has a number; branches, of which only one runs, are numbered from the same one on. What is used in a loop is
needed until the end of the outermost loop that it comes into from outside.
"""

from __future__ import annotations

from tsc.compiler.ir import Block, Graph, Node, Value
from tsc.compiler.ir.symbols import prim
from tsc.runtime.execution.python.ranges import is_python_range

DEEPEST_NESTING = 1000
"""Blocks in blocks: Python's compiler recurses over them on the processor's stack."""
MOST_LOOPS = 19
"""Loops in loops: CPython refuses more than twenty blocks that can be left by a jump."""


class NestedTooDeeply(Exception):
    """Python cannot compile a function that is nested as this graph is."""


class Lifetimes:
    """`start` gives the number of a node, `end` that of its end; `needed` the number up to which a value is needed."""

    __slots__ = ("_depths", "_loops", "_number", "end", "needed", "start")

    def __init__(self, graph: Graph) -> None:
        self.start: dict[Node, int] = {}
        self.end: dict[Node, int] = {}
        self.needed: dict[Value, int] = {}
        self._depths: dict[Value, int] = {}
        self._loops: list[dict[Value, None]] = []
        self._number = 0
        self._visit(graph.block, 0)

    def _visit(self, block: Block, nesting: int) -> None:
        if nesting > DEEPEST_NESTING or len(self._loops) > MOST_LOOPS:
            raise NestedTooDeeply
        start, depths = self.start, self._depths
        depth = len(self._loops)
        for value in block.inputs:
            depths[value] = depth
        for node in block.nodes():
            if node.kind == prim.Constant:
                continue
            self._number += 1
            start[node] = self._number
            self._use(node)
            if node.kind == prim.Loop:
                self._start_loop(node)
            if node.blocks:
                self._visit_blocks(node, nesting)
            for value in node.outputs:
                depths[value] = depth
        self._number += 1
        start[block.return_node] = self._number
        self._use(block.return_node)

    def _start_loop(self, node: Node) -> None:
        """What a loop carries is set before it is asked how often it runs."""
        self._number += 1
        count, condition = node.inputs[:2]
        bounds = count.node.inputs if is_python_range(count.node) else [count]
        for value in (*bounds, condition):
            self._use_value(value, len(self._loops))

    def _visit_blocks(self, node: Node, nesting: int) -> None:
        is_loop = node.kind == prim.Loop
        if is_loop:
            self._loops.append({})
        first = last = self._number
        for block in node.blocks:
            self._number = first
            self._visit(block, nesting + 1)
            last = max(last, self._number)
        self._number = last + 1
        self.end[node] = self._number
        if is_loop:
            for value in self._loops.pop():
                self.needed[value] = max(self._number, self.needed[value])

    def _use(self, node: Node) -> None:
        depth = len(self._loops)
        for value in node.inputs:
            self._use_value(value, depth)

    def _use_value(self, value: Value, depth: int) -> None:
        made_at = self._depths.get(value)
        if made_at is None:
            return  # a constant
        self.needed[value] = max(self._number, self.needed.get(value, 0))
        if made_at < depth:
            self._loops[made_at][value] = None
