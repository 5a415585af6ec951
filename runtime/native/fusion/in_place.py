"""Groups that write in place, as groups that make new tensors, which are stored where the old ones lie.

That is the same as long as what is written is read in the group under its own names only. How the arguments lie to
each other is therefore a part of what code is made for: one may be another one, or lie apart from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from numpy.lib.array_utils import byte_bounds

from tsc.compiler.ir import Graph, Node, Value, constant_value, prim
from tsc.compiler.passes.name_writes import WrittenTensors
from tsc.runtime.arrays.array import Array
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.expressions.pointwise_nodes import new_tensor_form, writes_elements
from tsc.runtime.native.fusion.looks import check_looks
from tsc.runtime.values.tensor import Tensor


class Relation(Enum):
    """How a tensor that is written lies to another one."""

    APART = 0
    SAME = 1
    OVERLAPPING = 2


@dataclass(frozen=True, slots=True)
class Related:
    """Two arguments, by their numbers; the first is written."""

    written: int
    other: int
    kind: Relation


def relations(inputs: Sequence[Any], written: Sequence[int]) -> list[Related]:
    """Of each argument that is written with all tensors, and with itself."""
    return [
        Related(number, other, _relation(inputs[number].array, value.array))
        for number in written
        for other, value in enumerate(inputs)
        if isinstance(value, Tensor)
    ]


def _relation(a: Array, b: Array) -> Relation:
    if a is b:
        return Relation.OVERLAPPING if _overlaps_itself(a) else Relation.SAME
    (begin_a, end_a), (begin_b, end_b) = byte_bounds(a), byte_bounds(b)
    if end_a <= begin_b or end_b <= begin_a:
        return Relation.APART
    same = (begin_a, a.dtype, a.shape, a.strides) == (begin_b, b.dtype, b.shape, b.strides)
    return Relation.SAME if same else Relation.OVERLAPPING


def _overlaps_itself(array: Array) -> bool:
    """Whether elements may lie in one place: each axis has to step over all that lies along those of smaller steps."""
    end = array.itemsize
    for step, extent in sorted(zip(map(abs, array.strides), array.shape)):
        if extent > 1:
            if step < end:
                return True
            end += step * (extent - 1)
    return False


def written_inputs(graph: Graph) -> tuple[int, ...]:
    """The numbers of the arguments that a group writes to."""
    firsts = {first for first, _ in _written_by(graph).items()}
    return tuple(number for number, value in enumerate(graph.inputs) if value in firsts)


def _written_by(graph: Graph) -> WrittenTensors:
    tensors = WrittenTensors()
    for node in graph.nodes():
        if writes_elements(node):
            tensors.write(node.inputs[0], node.output)
    return tensors


class UnwrittenGroup:
    """A group's graph without writes. `stores` are its last outputs, with the arguments that they are stored in;
    With `stores_last` results are copied there after all else is computed.
    `given` has for each output of the group the number of the argument that it is, or None for a new tensor.
    """

    def __init__(self, graph: Graph, inputs: Sequence[Any]) -> None:
        """For arguments that lie to each other as these do. Raises NotLowered."""
        self.written = written_inputs(graph)
        self.relations = relations(inputs, self.written)
        self.stores: dict[Value, Value] = {}
        self.stores_last = False
        self.graph = graph
        tensors, numbers = _written_by(graph), {each: k for k, each in enumerate(graph.inputs)}
        self.given = [numbers.get(tensors.first_name(each)) for each in graph.outputs]
        self._written_values: dict[Value, Value] = {}
        if any(map(writes_elements, graph.nodes())):
            self.graph = graph.copy()
            self._join_same()
            self._take_writes_out()

    def written_value(self, node: Node) -> Value | None:
        """What the result of a node is stored in; None if it is a new tensor."""
        return self._written_values.get(node.outputs[0]) if node.outputs else None

    def rename(self, names: Mapping[Value, Value]) -> None:
        """What is stored is from now on the results of parts; `names` tells of these which values they stand for."""
        parts = {own: part for part, own in names.items()}
        self.stores = {parts.get(last, last): first for last, first in self.stores.items()}

    def check(self, value: Callable[[Value], Any]) -> None:
        """Raises NotLowered where a write changes a dtype or size; `value` tells what a value is."""
        for after, before in self._written_values.items():
            old, new = value(before).array, value(after).array
            if old.dtype != new.dtype or old.shape != new.shape:
                raise NotLowered
        if self.stores and any(
            isinstance(constant_value(each.output), Tensor)
            for each in self.graph.find_all_nodes(prim.Constant)
        ):
            raise NotLowered  # an argument may be a constant of the program

    def _join_same(self) -> None:
        """What lies in one place has one name."""
        values = list(self.graph.inputs)
        for each in self.relations:
            if each.kind is Relation.OVERLAPPING:
                raise NotLowered
            first, last = sorted((each.written, each.other))
            if each.kind is Relation.SAME and values[first] is not values[last]:
                values[last].replace_all_uses_with(values[first])
                values[last] = values[first]

    def _take_writes_out(self) -> None:
        tensors = WrittenTensors()
        for node in list(self.graph.nodes()):
            tensors.rename_inputs(node)
            if writes_elements(node):
                new = self._new_tensor(node)
                self._written_values[new] = node.inputs[0]
                tensors.write(node.inputs[0], new)
                node.output.replace_all_uses_with(new)
                node.destroy()
        check_looks(self.graph, tensors, self._written_values)
        self._return(tensors)

    def _new_tensor(self, node: Node) -> Value:
        operator = new_tensor_form(node)
        assert operator is not None
        return self.graph.create(operator, node.inputs, range=node.range).insert_before(node).output

    def _return(self, tensors: WrittenTensors) -> None:
        """New tensors, as they are after the last write, and then what is stored in arguments."""
        graph = self.graph
        for place, output in reversed(list(enumerate(graph.outputs))):
            if self.given[place] is None:
                graph.replace_output(place, tensors.last_name(output))
            else:
                graph.erase_output(place)
        for first, last in tensors.items():
            if first.node.kind == prim.Param:
                graph.register_output(last)
                self.stores[last] = first
