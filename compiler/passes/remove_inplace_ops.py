"""Operators that change a tensor in place give way to those that make a new one, whoever else may see the tensor.

Meant for graphs that are handed on to formats without mutation. What else reads the changed tensor by another
name is not looked for: `remove_mutation` is the pass that keeps what a program does.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Graph, Node, Value
from tsc.compiler.passes.replace_after import replace_uses_after
from tsc.compiler.schema import OperatorTable

_OUT_OF_PLACE: Final = {
    "aten::add_": "aten::add",
    "aten::sub_": "aten::sub",
    "aten::div_": "aten::div",
    "aten::mul_": "aten::mul",
    "aten::masked_fill_": "aten::masked_fill",
    "aten::zero_": "aten::zeros_like",
    "aten::fill_": "aten::full_like",
}
_INPUTS: Final = {"aten::zeros_like": 6, "aten::full_like": 7}
"""Of those that take options of tensors, which are left to their defaults."""


def remove_inplace_ops(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was one."""
    changed = False
    for node in graph.all_nodes():
        if node.kind in _OUT_OF_PLACE:
            _replace(node, operators)
            changed = True
    return changed


def _replace(node: Node, operators: OperatorTable) -> None:
    graph, kind = node.graph, _OUT_OF_PLACE[node.kind]
    inputs = list(node.inputs)
    with graph.insert_at(node):
        while len(inputs) < _INPUTS.get(kind, 0):
            inputs.append(graph.insert_constant(None))
    made = graph.create(kind, inputs, range=node.range).insert_before(node)
    made.output.copy_metadata(node.output)
    made.operator = _operator(operators, node, kind, inputs)
    node.output.replace_all_uses_with(made.output)
    replace_uses_after(node.inputs[0], node, made.output)
    node.destroy()


def _operator(operators: OperatorTable, node: Node, kind: str, inputs: list[Value]):
    overload = "" if node.operator is None else node.operator.overload_name
    return operators.find(kind, overload if kind not in _INPUTS else "")
