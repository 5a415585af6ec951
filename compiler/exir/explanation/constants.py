"""Which tensors of a graph are the same whatever its arguments are."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.exportable_types import holds_tensors
from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.schema import Effects

_FROM_NUMBERS: Final = frozenset({"aten::tensor", "aten::as_tensor", "prim::NumToTensor"})


class ConstantTensors:
    """Tensors that capture computes itself: constants, and what pure operators make of nothing else."""

    def __init__(self, graph: Graph) -> None:
        self._known: set[Value] = set()
        for node in graph.all_nodes():
            if self._is_constant(node):
                self._known.update(node.outputs)

    def __contains__(self, value: Value) -> bool:
        return value in self._known

    def reads_others(self, node: Node) -> bool:
        """Whether a node is given a tensor that is no constant."""
        return any(holds_tensors(each.type) and each not in self._known for each in node.inputs)

    def _is_constant(self, node: Node) -> bool:
        if node.kind == prim.Constant:
            return True
        given = [each for each in node.inputs if holds_tensors(each.type)]
        if node.kind in _FROM_NUMBERS:
            return all(each in self._known for each in given)
        operator = node.operator
        if operator is None or operator.effects is not Effects.PURE or not given:
            return False
        shares = any(each.alias_info is not None for each in operator.schema.returns)
        return not shares and all(each in self._known for each in given)
