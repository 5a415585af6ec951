"""A group that has run once, operator by operator: what its values were tells dtypes, shapes and where results lie.

Nothing about types is told twice: the kernels of the operators say what they make of the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.lib.array_utils import byte_bounds

from tsc.compiler.analysis.effects import may_write_statistics
from tsc.compiler.ir import Graph, Node, Value, constant_value, prim
from tsc.compiler.schema import ScalarExpression
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.type_promotion import NUMBER_DTYPE
from tsc.runtime.execution.node_kernels import kernel_of
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.expressions.pointwise_nodes import (
    CAST,
    CASTS,
    STORED,
    compute_dtype,
    expression_of,
)
from tsc.runtime.native.fusion.composites import expand, is_composite
from tsc.runtime.native.fusion.in_place import UnwrittenGroup
from tsc.runtime.native.fusion.operand_views import View
from tsc.runtime.values.tensor import Tensor

MOST_NODES: Final = 1024
MOST_MULTIPLICATIONS: Final = 1 << 20
"""Of a product in a group: up to here tiles that are read where they lie are as fast as those of large products."""
_LEFT: Final = {
    **dict.fromkeys(("aten::linear", "aten::mm", "aten::bmm", "aten::matmul"), 0),
    "aten::addmm": 1,
}
"""Where products have their left matrices; the right ones follow."""


@dataclass(frozen=True, slots=True)
class Member:
    """A step from a list to one of its elements."""

    offset: int


Path = tuple[View | Member | Node, ...]
"""The steps from a value to what is seen of it, the first one first; a node is one that makes views."""


def is_within(array: Array, base: Array) -> bool:
    """Whether all elements of an array lie where those of another one do."""
    inner, outer = byte_bounds(array), byte_bounds(base)
    return array.size == 0 or (outer[0] <= inner[0] and inner[1] <= outer[1])


class RecordedGroup:
    """The values of a group's graph in one run."""

    def __init__(self, whole: Graph, inputs: Sequence[Any]) -> None:
        """Runs the group, but writes nothing. Raises whatever its operators raise, and NotLowered for a group of very
        many, or that may not be run so.
        """
        self.whole = whole
        self.unwritten = UnwrittenGroup(whole, inputs)
        graph = self.unwritten.graph
        if graph is whole and any(map(is_composite, graph.nodes())):
            graph = graph.copy()
        self.graph = graph
        self.inputs = graph.inputs
        self._values: dict[Value, Any] = dict(zip(graph.inputs, inputs))
        self._own_results: dict[Value, Value] = {}
        self._copies: set[Value] = set()
        try:
            self._run_all()
            self.unwritten.check(self.value)
        except BaseException:
            self.forget()
            raise

    def forget(self) -> None:
        """Let go of all values: whoever still knows the group, as tracebacks do, is not to keep tensors."""
        self._values.clear()

    def _run_all(self) -> None:
        """Each node, and after a composite one its parts. Raises NotLowered for very many."""
        count, end = 0, self.graph.block.return_node
        node = end.next
        while node is not end:
            count += 1
            if count > MOST_NODES:
                raise NotLowered
            self._run(node)
            if is_composite(node):
                self._expand(node)
            node = node.next

    def _expand(self, node: Node) -> None:
        """Put the parts of a composite node behind it, which run next. Raises NotLowered."""
        try:
            own_results = expand(node, self.value)
        except NotLowered:
            raise NotLowered(node.kind) from None
        self._own_results |= own_results
        self.unwritten.rename(own_results)

    def place_of(self, value: Value) -> Value:
        """Where a value is to be: in the argument that it is stored in, or where it is."""
        return value if self.unwritten.stores_last else self.unwritten.stores.get(value, value)

    def _run(self, node: Node) -> None:
        if node.kind == prim.Constant:
            self._values[node.output] = constant_value(node.output)
            return
        if may_write_statistics(node) and self._values[node.inputs[5]]:
            raise NotLowered
        if self._is_large_product(node):
            raise NotLowered(node.kind)
        found = kernel_of(node)(*[self._values[each] for each in node.inputs])
        results = (found,) if len(node.outputs) == 1 else found
        self._values.update(zip(node.outputs, results))
        self._lay_out(node)
        self._lay_out_written(node)
        if self.is_view_kind(node) and len(node.outputs) == 1 and self._has_copied(node):
            self._copies.add(node.output)

    def _is_large_product(self, node: Node) -> bool:
        """Whether a node is too much for a group: known before the rest has run, whose results would all be kept."""
        first = _LEFT.get(node.kind)
        if first is None:
            return False
        left, right = (self._values[each] for each in node.inputs[first : first + 2])
        if not isinstance(left, Tensor) or not isinstance(right, Tensor) or right.array.ndim < 2:
            return False
        columns = right.array.shape[-2 if node.kind == "aten::linear" else -1]
        return left.array.size * columns > MOST_MULTIPLICATIONS

    def _lay_out(self, node: Node) -> None:
        """What parts of an operator make lies as its own result does."""
        for value in self._own_results.keys() & node.outputs:
            own, made = self._own_results[value], self.array(value)
            if self.array(own).dtype != made.dtype or self.array(own).shape != made.shape:
                raise NotLowered
            self._values[value] = self._values[own]

    def _lay_out_written(self, node: Node) -> None:
        """What is stored in a tensor lies as that does."""
        written = self.unwritten.written_value(node)
        if written is not None and isinstance(self._values[written], Tensor):
            old, new = self.array(written), self.array(node.output)
            if old.shape == new.shape and old.strides != new.strides:
                laid = old.astype(new.dtype, order="K", copy=True)
                laid[...] = new
                self._values[node.output] = Tensor(laid)

    def _has_copied(self, node: Node) -> bool:
        """Whether a node that may make a view has made a new tensor."""
        result, viewed = self._values[node.output], self._values[node.inputs[0]]
        if not isinstance(result, Tensor) or not isinstance(viewed, Tensor):
            return False
        return not is_within(result.array, viewed.array)

    def value(self, value: Value) -> Any:
        return self._values[value]

    def array(self, value: Value) -> Array:
        """Of a tensor. Raises NotLowered for what has no elements in an array."""
        tensor = self._values[value]
        if type(tensor) is not Tensor:
            raise NotLowered
        return tensor.array

    def is_view_kind(self, node: Node) -> bool:
        """Whether a node gives its first argument, or part of it, where that is possible."""
        if node.kind in (prim.ListUnpack, prim.ConstantChunk):
            return True
        return node.schema is not None and any(
            each.alias_info is not None for each in node.schema.returns
        )

    def is_copy(self, node: Node) -> bool:
        """Whether a node that may make a view has copied elements instead."""
        return not self._copies.isdisjoint(node.outputs)

    def is_new(self, value: Value) -> bool:
        """Whether a tensor lies where no other one of the group does."""
        node = value.node
        if node.kind in (prim.Param, prim.Constant) or value in self._copies:
            return True
        return not self.is_view_kind(node)

    def root_of(self, value: Value) -> Value:
        """The value that a view is of, or the value itself."""
        while (before := self.producer(value, ())) is not None:
            value = before[0]
        return value

    def producer(self, value: Value, path: Path) -> tuple[Value, Path] | None:
        """The value that a view is of, and the way from there; None for what is no view."""
        node = value.node
        if self.is_new(value):
            return None
        if node.kind == prim.ListUnpack:
            return node.inputs[0], (Member(node.outputs.index(value)), *path)
        if len(node.outputs) > 1:
            return node.inputs[0], (node, Member(node.outputs.index(value)), *path)
        return node.inputs[0], (node, *path)

    def seen(self, value: Value, path: Path) -> Array:
        """The elements of an argument or a constant at the end of a path."""
        found: Any = self._values[value]
        for step in path:
            if isinstance(step, Member):
                found = found[step.offset]
            elif not isinstance(step, Node):
                found = Tensor(step.of(found.array))
            else:
                rest = [self._values[each] for each in step.inputs[1:]]
                made: Any = kernel_of(step)(found, *rest)
                found = made
        return found.array

    def expression(self, node: Node) -> ScalarExpression | None:
        """What a node computes element by element; a cast, where there was something to do."""
        return CAST if node.kind in CASTS and self.is_copy(node) else expression_of(node)

    def operands(self, node: Node) -> dict[str, Value]:
        """What a pointwise node computes with, by the names of arguments; of a cast, the tensor."""
        assert node.schema is not None
        names = [each.name for each in node.schema.arguments]
        given = node.inputs[:1] if node.kind in CASTS else node.inputs
        stored = STORED.get(node.kind)
        return {name: each for name, each in zip(names, given) if stored in (None, name)}

    def compute_dtype(self, node: Node) -> np.dtype:
        """The dtype that a pointwise node computes in."""
        expression = self.expression(node)
        if node.kind == prim.number_as:
            return NUMBER_DTYPE[type(self._values[node.inputs[0]])]
        if expression is None:
            return self.array(node.output).dtype
        operands = [self._values[each] for each in self.operands(node).values()]
        return compute_dtype(expression, operands, self._values[node.output])
