"""Numbers that follow from the sizes of tensors, as shapes of views do: groups can compute them again.

Integers that a function is given, and those that modules hold, are most often the same from call to call: with these
numbers they are known when a group is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.analysis.metadata import UnsteadyTensors
from tsc.compiler.ir import Block, Graph, Value, is_constant, prim
from tsc.compiler.types import INT, ListType

_SIZES: Final = frozenset({"aten::size", "aten::dim", "aten::numel"})
_ARITHMETIC: Final = frozenset(
    {
        *("aten::add", "aten::sub", "aten::mul", "aten::floordiv", "aten::neg"),
        *("prim::min", "prim::max"),
    }
)
_MOST_NODES: Final = 16
"""That one shape is computed by, if it is to be computed again."""


class SizesOfTensors:
    """Of a graph, in which tensors may have other metadata at one point than at another."""

    def __init__(self, graph: Graph, *, with_given: bool = True) -> None:
        """With the integers that the graph is given, or without."""
        self._unsteady = UnsteadyTensors(graph)
        self._block = graph.block
        self._with_given = with_given

    def tell(self, value: Value) -> bool:
        """Whether a value is known when a group is called: a constant, what sizes determine, or what is given."""
        return is_constant(value) or self._is_given(value) or self.determine(value)

    def _is_given(self, value: Value) -> bool:
        """Whether an integer comes from outside, and not turn by turn in a loop."""
        if not self._with_given or value.type != INT:
            return False
        if value.node.kind == prim.GetAttr:
            return self._runs_once(value.node.block)
        return value.node.kind == prim.Param and value.node.block is self._block

    def _runs_once(self, block: Block | None) -> bool:
        """Whether a block is that of the graph, or a branch in it, at any depth."""
        while block is not None and block is not self._block:
            owner = block.owning_node
            if owner is None or owner.kind != prim.If:
                return False
            block = owner.block
        return block is self._block

    def determine(self, value: Value) -> bool:
        """Whether a number or list of numbers follows from sizes and what is given, but is neither, nor a constant, and
        is soon computed.
        """
        if value.node.kind == prim.Constant or not _is_of_numbers(value) or self._is_given(value):
            return False
        if value.type != INT and not _is_only_read(value):
            return False
        seen = 0
        pending = [value]
        while pending:
            node = pending.pop().node
            seen += 1
            if seen > _MOST_NODES or not self._is_known(node.kind, node.inputs):
                return False
            if node.kind not in _SIZES:
                pending += [
                    each
                    for each in node.inputs
                    if each.node.kind != prim.Constant and not self._is_given(each)
                ]
        return True

    def _is_known(self, kind: str, inputs: Sequence[Value]) -> bool:
        if kind in _SIZES:
            constant = all(each.node.kind == prim.Constant for each in inputs[1:])
            return constant and inputs[0] not in self._unsteady
        if kind == prim.ListUnpack:
            return inputs[0].node.kind == "aten::size" and len(inputs[0].uses) == 1
        return (kind in _ARITHMETIC or kind == prim.ListConstruct) and all(
            each.type == INT for each in inputs
        )


def _is_only_read(value: Value) -> bool:
    """Whether all that uses a list is operators that neither change nor keep it."""
    for use in value.uses:
        operator = use.node.operator
        if operator is None or use.offset >= len(operator.schema.arguments):
            return False
        if operator.schema.arguments[use.offset].alias_info is not None:
            return False
    return True


def _is_of_numbers(value: Value) -> bool:
    type = value.type
    return type == INT or (isinstance(type, ListType) and type.element == INT)
