"""In which order a group is computed, and which of its values are in memory meanwhile.

A matrix product reads and writes memory. What is computed element by element stays in registers, unless a product
reads it, or it is read after a product that it is computed before: values have levels, the number of products on the
way to them, and what is read on a higher level is in memory. So is what would otherwise be computed many times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.schema.scalar_terms import operators_in
from tsc.runtime.native.expression_lowering import COSTLY
from tsc.runtime.native.products import is_product, operands_of
from tsc.runtime.native.recorded_group import RecordedGroup, expression_of, root_of
from tsc.runtime.values.tensor import Tensor

REPEATS: Final = 4
"""How often a costly value may be computed anew, where its elements are broadcast."""


@dataclass(frozen=True, slots=True)
class Loops:
    """Values of one shape that are computed element by element, in one pass."""

    values: tuple[Value, ...]


Step = Loops | Node
"""Of the schedule; a node is a product."""


def is_costly(node: Node) -> bool:
    expression = expression_of(node)
    return expression is not None and not operators_in(expression.term).isdisjoint(COSTLY)


class GroupSchedule:
    """`in_memory` are the values that have memory: results of the group, and what only its steps read."""

    def __init__(self, group: RecordedGroup) -> None:
        self._group = group
        self._levels: dict[Value, int] = {}
        self._costly: set[Value] = set()
        self.in_memory: dict[Value, None] = {}
        for node in group.graph.nodes():
            if is_product(node):
                self._place_product(node)
            elif expression_of(node) is not None:
                self._place_pointwise(node)
        for value in group.graph.outputs:
            self._keep(value)

    def steps(self) -> Iterator[Step]:
        """Each after those that it reads the results of."""
        loops: dict[tuple[int, tuple[int, ...]], list[Value]] = {}
        products: dict[int, list[Node]] = {}
        for value in self.in_memory:
            level = self._levels[value]
            if is_product(value.node):
                products.setdefault(level, []).append(value.node)
            else:
                loops.setdefault((level, self._group.array(value).shape), []).append(value)
        for level in range(max(self._levels.values(), default=0) + 1):
            yield from products.get(level, ())
            yield from (Loops(tuple(values)) for key, values in loops.items() if key[0] == level)

    def is_before(self, value: Value, other: Value) -> bool:
        """Whether a value in memory is there when the other one is computed."""
        return value in self.in_memory and (
            is_product(value.node) or self._levels[value] < self._levels[other]
        )

    def _place_product(self, node: Node) -> None:
        roots = [root_of(each) for each in operands_of(node, self._group)]
        self._levels[node.output] = 1 + max(map(self._level, roots))
        for each in (*roots, node.output):
            self._keep(each)

    def _place_pointwise(self, node: Node) -> None:
        roots = [root_of(each) for each in node.inputs if self._is_tensor(each)]
        size = self._group.array(node.output).size
        level = 0
        for each in roots:
            repeated = each in self._costly and self._group.array(each).size * REPEATS < size
            level = max(level, self._level(each) + repeated)
        for each in roots:
            if self._level(each) < level:
                self._keep(each)
        if is_costly(node) or any(
            each in self._costly and self._level(each) == level for each in roots
        ):
            self._costly.add(node.output)
        self._levels[node.output] = level

    def _is_tensor(self, value: Value) -> bool:
        return isinstance(self._group.value(value), Tensor)

    def _level(self, value: Value) -> int:
        return self._levels.get(value, 0)

    def _keep(self, value: Value) -> None:
        if value.node.kind not in (prim.Param, prim.Constant):
            self.in_memory[value] = None
