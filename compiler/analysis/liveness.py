"""Where values die: at a last use, where a branch begins that does not need them, after a loop.

For the bytecode, which frees a register as soon as no later instruction needs it. A value used for
the last time in one branch of an ``if`` dies there, and at the beginning of the other branch. One
from outside of a loop that is used in its body lives until the loop is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tsc.compiler.ir import Block, Graph, Node, Use, Value, prim

Key = TypeVar("Key", Node, Block)


class Liveness:
    """Every value of a graph dies exactly once on every path through it."""

    __slots__ = ("_dead_after", "_dead_at_start", "_last_uses")

    def __init__(
        self,
        last_uses: set[Use],
        dead_at_start: dict[Block, list[Value]],
        dead_after: dict[Node, list[Value]],
    ) -> None:
        self._last_uses = last_uses
        self._dead_at_start = dead_at_start
        self._dead_after = dead_after

    def is_last_use(self, node: Node, offset: int) -> bool:
        """Whether the input of ``node`` at ``offset`` may be moved rather than copied."""
        return node.input_use(offset) in self._last_uses

    def dead_at_start(self, block: Block) -> Sequence[Value]:
        """Values to drop when ``block`` begins: its unused inputs, and what only others needed."""
        return self._dead_at_start.get(block, ())

    def dead_after(self, node: Node) -> Sequence[Value]:
        """Values to drop after ``node``: its unused outputs, and what a loop needed until now."""
        return self._dead_after.get(node, ())


def analyze_liveness(graph: Graph) -> Liveness:
    scan = _BackwardScan(graph)
    scan.scan_block(graph.block)
    return Liveness(scan.last_uses, scan.dead_at_start, scan.dead_after)


class _BackwardScan:
    """Walks backwards; ``used_later`` are the values that something later uses.

    A block is as deep as there are blocks around it, and a value as the block that defines it. One
    from less deep than the body of the innermost loop outlives every iteration.
    """

    def __init__(self, graph: Graph) -> None:
        self.last_uses: set[Use] = set()
        self.dead_at_start: dict[Block, list[Value]] = {}
        self.dead_after: dict[Node, list[Value]] = {}
        self.used_later: set[Value] = set()
        self.depths: dict[Block, int] = {graph.block: 0}
        self.loop_depth = 0
        self.outliving: list[Value] = []

    def scan_block(self, block: Block) -> list[Value]:
        """Returns the values from outside of ``block`` that die in it."""
        died: list[Value] = []
        died += self.scan_inputs(block.return_node)
        for node in block.nodes_reversed():
            self.note(self.dead_after, node, self.end_of(node.outputs))
            if node.kind == prim.If:
                died += self.scan_branches(node)
            elif node.blocks:
                died += self.scan_loop(node)
            died += self.scan_inputs(node)
        self.note(self.dead_at_start, block, self.end_of(block.inputs))
        depth = self.depths[block]
        return [value for value in died if self.depth(value) < depth]

    def scan_inputs(self, node: Node) -> list[Value]:
        """Returns the values that die as inputs of ``node``."""
        died: list[Value] = []
        for offset in range(len(node.inputs) - 1, -1, -1):
            value = node.inputs[offset]
            if value in self.used_later:
                continue
            self.used_later.add(value)
            if self.depth(value) < self.loop_depth:
                self.outliving.append(value)
            else:
                self.last_uses.add(node.input_use(offset))
                died.append(value)
        return died

    def scan_branches(self, node: Node) -> list[Value]:
        """What dies in one branch dies at the beginning of the other, unless it dies there, too."""
        died: list[dict[Value, None]] = []
        for block in node.blocks:
            self.enter(node, block)
            died.append(dict.fromkeys(self.scan_block(block)))
            self.used_later.difference_update(died[-1])
        died_anywhere = {value: None for branch in died for value in branch}
        for block, branch in zip(node.blocks, died):
            elsewhere = [value for value in died_anywhere if value not in branch]
            self.note(self.dead_at_start, block, elsewhere)
        self.used_later.update(died_anywhere)
        return list(died_anywhere)

    def scan_loop(self, node: Node) -> list[Value]:
        """What an iteration needs from outside of the loop dies after it."""
        outer_depth, outer_outliving = self.loop_depth, self.outliving
        self.outliving = []
        for block in node.blocks:
            self.enter(node, block)
            self.loop_depth = self.depths[block]
            self.scan_block(block)
        needed, self.outliving, self.loop_depth = self.outliving, outer_outliving, outer_depth
        self.outliving += [value for value in needed if self.depth(value) < outer_depth]
        died = [value for value in needed if self.depth(value) >= outer_depth]
        self.note(self.dead_after, node, died)
        return died

    def enter(self, owner: Node, block: Block) -> None:
        self.depths[block] = self.depths[owner.owning_block] + 1

    def depth(self, value: Value) -> int:
        return self.depths[value.node.owning_block]

    def end_of(self, values: Sequence[Value]) -> list[Value]:
        """Above their definition, values do not exist; returns those that were not used later."""
        unused = [value for value in values if value not in self.used_later]
        self.used_later.difference_update(values)
        return unused

    @staticmethod
    def note(table: dict[Key, list[Value]], key: Key, dead: list[Value]) -> None:
        if dead:
            table.setdefault(key, []).extend(dead)
