"""Calls of operators that passes insert on their own account."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.value import Value
from tsc.compiler.schema import Operator, OperatorTable


def find_operator(operators: OperatorTable, qualified_name: str) -> Operator:
    """The operator of a name such as "aten::add.int"."""
    name, _, overload_name = qualified_name.partition(".")
    operator = operators.find(name, overload_name)
    if operator is None:
        raise GraphError(f"there is no operator {qualified_name}")
    return operator


def insert_call(
    graph: Graph, operators: OperatorTable, qualified_name: str, inputs: Sequence[Value]
) -> Value:
    """Inserts a call of an operator that returns one value; all its arguments are given."""
    operator = find_operator(operators, qualified_name)
    node = graph.insert_node(graph.create(operator, inputs))
    return node.output.set_type(operator.schema.returns[0].type)
