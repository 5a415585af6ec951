"""Sums, differences, products and quotients with a constant tensor of no dimensions are taken with its number.

A traced program has its numbers as such tensors. As numbers again they do not take part in type promotion:
``n * 0.5`` of an integer tensor is of the default dtype, not a double.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir.constants import NOT_CONSTANT, constant_value
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.passes.operator_calls import find_operator
from tsc.compiler.schema import OperatorTable

NumberOf = Callable[[object], complex | None]
"""The number in a constant tensor of no dimensions; None for any other constant."""

OVERLOADS: Final = {
    "aten::add.Tensor": "aten::add.Scalar",
    "aten::sub.Tensor": "aten::sub.Scalar",
    "aten::mul.Tensor": "aten::mul.Scalar",
    "aten::div.Tensor": "aten::div.Scalar",
}
"""With a tensor, and with a number."""


def canonicalize_ops(graph: Graph, *, operators: OperatorTable, number_of: NumberOf) -> bool:
    """Returns whether there was such an operation."""
    changed = False
    for node in graph.all_nodes():
        changed |= _canonicalize(node, operators, number_of)
    return changed


def _canonicalize(node: Node, operators: OperatorTable, number_of: NumberOf) -> bool:
    overload = OVERLOADS.get(node.operator.qualified_name) if node.operator else None
    constant = NOT_CONSTANT if overload is None else constant_value(node.inputs[1])
    number = None if constant is NOT_CONSTANT else number_of(constant)
    if overload is None or number is None:
        return False
    with node.graph.insert_at(node):
        node.replace_input(1, node.graph.insert_constant(number, range=node.range))
    node.operator = find_operator(operators, overload)
    return True
