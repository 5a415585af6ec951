"""In which order a group is computed, and which of its values are in memory meanwhile.

A matrix product reads and writes memory; a copy and an operator on rows write it. What is computed element by element
stays in registers, unless a product reads it, or it is read after something that it is computed before: values have
levels, the number of such steps on the way to them, and what is read on a higher level is in memory. So is what would
otherwise be computed many times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.passes.fuse_graph import CREATIONS
from tsc.compiler.schema import ScalarExpression
from tsc.compiler.schema.scalar_terms import operators_in
from tsc.runtime.native.expressions.expression_lowering import COSTLY
from tsc.runtime.native.fusion.copies import copied, is_copy
from tsc.runtime.native.fusion.memory_steps import memory_step
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.row_operators import RowProgram, is_on_rows, tensors_of
from tsc.runtime.values.tensor import Tensor

REPEATS: Final = 4
"""How often a costly value may be computed anew, where its elements are broadcast."""


@dataclass(frozen=True, slots=True)
class Loops:
    """Values of one shape that are computed element by element, in one pass."""

    values: tuple[Value, ...]


Step = Loops | Node
"""Of the schedule; a node is one that reads and writes memory, copies, or goes through rows."""

_RESHAPING: Final = frozenset({"aten::view", "aten::reshape", "aten::flatten", "aten::unflatten"})
"""Views that only show elements that are in memory."""


def is_costly(expression: ScalarExpression | None) -> bool:
    return expression is not None and not operators_in(expression.term).isdisjoint(COSTLY)


class GroupSchedule:
    """`in_memory` are the values that have memory: results of the group, and what only its steps read."""

    def __init__(self, group: RecordedGroup) -> None:
        self._group = group
        self._levels: dict[Value, int] = {}
        self._costly: set[Value] = set()
        self.in_memory: dict[Value, None] = {}
        for node in group.graph.nodes():
            self._place(node)
        for value in group.graph.outputs:
            if group.value(value) is not None:
                self._keep(value)

    def steps(self) -> Iterator[Step]:
        """Each after those that it reads the results of."""
        loops: dict[tuple[int, tuple[int, ...]], list[Value]] = {}
        nodes: dict[int, dict[Node, None]] = {}
        for value in self.in_memory:
            level = self._levels[value]
            if self._group.expression(value.node) is None:
                nodes.setdefault(level, {})[value.node] = None
            else:
                loops.setdefault((level, self._group.array(value).shape), []).append(value)
        for level in range(max(self._levels.values(), default=0) + 1):
            yield from nodes.get(level, ())
            yield from (Loops(tuple(values)) for key, values in loops.items() if key[0] == level)

    def is_before(self, value: Value, other: Value) -> bool:
        """Whether a value in memory is there when the other one is computed."""
        if value not in self.in_memory or value is other:
            return False
        return (
            self._group.expression(value.node) is None or self._levels[value] < self._levels[other]
        )

    def _place(self, node: Node) -> None:
        of_memory = memory_step(node)
        if of_memory is not None:
            operands = of_memory.operands(node, self._group)
            for each in operands:
                self._keep(self._group.root_of(each))
            for value in node.outputs:
                self._place_above(value, operands)
        elif self._group.expression(node) is not None:
            self._place_pointwise(node)
        elif is_on_rows(node):
            self._place_rows(node)
        elif is_copy(node, self._group):
            self._place_above(node.output, copied(node))
        elif node.kind in _RESHAPING:
            self._keep(self._group.root_of(node.output))
            self._levels[node.output] = 1 + self._level(node.inputs[0])

    def _place_rows(self, node: Node) -> None:
        """Operands are computed anew in every pass over a row, unless that takes long."""
        program = RowProgram(node, self._group)
        operands = [each.value for each in tensors_of(node, self._group)]
        for root in map(self._group.root_of, operands):
            size = self._group.array(root).size
            if root in self._costly and (program.passes > 1 or size < prod(program.shape)):
                self._keep(root)
        self._place_above(node.output, operands)

    def _place_above(self, value: Value, operands: Sequence[Value]) -> None:
        """A value in memory, which is computed after all that is read for it."""
        self._levels[value] = 1 + max(map(self._level, operands), default=0)
        for each in operands:
            self._keep_below(each, self._levels[value] - 1)
        self._keep(value)

    def _keep_below(self, value: Value, level: int) -> None:
        """What is computed on a lower level is in memory on this one."""
        root = self._group.root_of(value)
        if self._level(root) < level:
            self._keep(root)

    def _place_pointwise(self, node: Node) -> None:
        operands = [each for each in self._group.operands(node).values() if self._is_tensor(each)]
        size = self._group.array(node.output).size
        level = max(map(self._level, operands), default=0)
        roots = [self._group.root_of(each) for each in operands]
        if any(self._is_repeated(each, level, size) for each in roots):
            level += 1
        for each in operands:
            self._keep_below(each, level)
        if is_costly(self._group.expression(node)) or any(
            each in self._costly and self._level(each) == level for each in roots
        ):
            self._costly.add(node.output)
        self._levels[node.output] = level

    def _is_repeated(self, root: Value, level: int, size: int) -> bool:
        """Whether something costly would be computed again and again for a larger value."""
        if root not in self._costly or self._level(root) < level:
            return False
        return self._group.array(root).size * REPEATS < size

    def _is_tensor(self, value: Value) -> bool:
        return isinstance(self._group.value(value), Tensor)

    def _level(self, value: Value) -> int:
        """Of a value, as it is seen through views."""
        level = self._levels.get(value, 0)
        while (before := self._group.producer(value, ())) is not None:
            value = before[0]
            level = max(level, self._levels.get(value, 0))
        return level

    def _keep(self, value: Value) -> None:
        if value.node.kind not in (prim.Param, prim.Constant, *CREATIONS):
            self.in_memory[value] = None
