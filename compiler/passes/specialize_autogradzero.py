"""Takes away what undefined gradients make needless: `prim::GradOf` and `prim::AutogradAdd` of nothing.

What a `prim::AutogradZero` gives is undefined; inputs are defined if the option says so. A `prim::GradOf` of defined
gradients becomes what is in its block, a `prim::AutogradAdd` of two defined ones an addition. Beside defined gradients,
an undefined one that the block expands is zeros; defined ones have their sizes already.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import TENSOR

_BOOL = 11


def specialize_autogradzero(
    graph: Graph, *, operators: OperatorTable, inputs_are_defined: bool = False
) -> bool:
    """Returns whether anything was found out."""
    specializing = _Specializing(graph, operators)
    if inputs_are_defined:
        specializing.defined.update(graph.inputs)
    for node in list(graph.nodes()):
        specializing.visit(node)
    return specializing.changed


class _Specializing:
    """`undefined` and `defined` are the values of which it is known."""

    def __init__(self, graph: Graph, operators: OperatorTable) -> None:
        self.graph, self.operators = graph, operators
        self.undefined: set[Value] = set()
        self.defined: set[Value] = set()
        self.changed = False

    def visit(self, node: Node) -> None:
        if node.kind == prim.AutogradZero:
            self.undefined.add(node.output)
        elif node.kind == prim.GradOf:
            self._gradient(node)
        elif node.kind == prim.AutogradAdd:
            self._addition(node)
        else:
            self.defined.update(node.outputs)

    def _gradient(self, node: Node) -> None:
        if all(value in self.undefined for value in node.inputs):
            with self.graph.insert_at(node):
                self._replace(node, [self._zero() for _ in node.outputs])
        elif all(value in self.defined or value in self.undefined for value in node.inputs):
            block = node.blocks[0]
            self._zeros_for_undefined(node)
            for inner in list(block.nodes()):
                inner.move_before(node)
            self.defined.update(block.outputs)
            self._replace(node, list(block.outputs))

    def _zeros_for_undefined(self, node: Node) -> None:
        """Zeros in the places of undefined gradients, of the dtype that changes no other."""
        for expanding in list(node.blocks[0].nodes()):
            if len(node.inputs) < 2 or expanding.kind != "aten::expand":
                continue
            value = expanding.inputs[0]
            if value in self.undefined:
                with self.graph.insert_at(expanding):
                    of_bool = [
                        self.graph.insert_constant(each) for each in (_BOOL, None, None, None)
                    ]
                    inputs = [expanding.inputs[1], *of_bool]
                    zeros = insert_call(self.graph, self.operators, "aten::zeros", inputs)
                expanding.output.replace_all_uses_with(zeros)
                expanding.destroy()
            elif value in node.inputs:
                expanding.output.replace_all_uses_with(value)
                expanding.destroy()

    def _addition(self, node: Node) -> None:
        a, b = node.inputs
        if a in self.undefined or b in self.undefined:
            self._replace(node, [b if a in self.undefined else a])
        elif a in self.defined and b in self.defined:
            with self.graph.insert_at(node):
                one = self.graph.insert_constant(1)
                total = insert_call(self.graph, self.operators, "aten::add.Tensor", [a, b, one])
            self.defined.add(total)
            self._replace(node, [total])

    def _zero(self) -> Value:
        node = self.graph.insert_node(self.graph.create(prim.AutogradZero, [], 1))
        self.undefined.add(node.output.set_type(TENSOR))
        return node.output

    def _replace(self, node: Node, values: list[Value]) -> None:
        for old, new in zip(node.outputs, values):
            old.replace_all_uses_with(new)
        node.destroy()
        self.changed = True
