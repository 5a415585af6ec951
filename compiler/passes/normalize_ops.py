"""Operators that are other operators under a second name get their first one."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import aten
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.types import BOOL

_BOOL_COMPARISONS: Final = {aten.is_: aten.eq, aten.isnot: aten.ne}


def normalize_ops(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was such an operator. ``operators`` has those with first names."""
    changed = False
    for node in graph.all_nodes():
        changed |= _normalize(node, operators)
    return changed


def _normalize(node: Node, operators: OperatorTable) -> bool:
    first_name = None if node.operator is None else node.operator.first_name
    if first_name is not None:
        return _rename(node, first_name, operators)
    if node.kind == "aten::rsub" and node.operator is not None:
        return node.operator.overload_name == "Tensor" and _swap_subtraction(node, operators)
    if node.kind in _BOOL_COMPARISONS and [value.type for value in node.inputs] == [BOOL, BOOL]:
        return _rename(node, _BOOL_COMPARISONS[node.kind], operators)
    return False


def _swap_subtraction(node: Node, operators: OperatorTable) -> bool:
    """``rsub(a, b)`` is ``sub(b, a)``."""
    if not _rename(node, aten.sub, operators):
        return False
    subtrahend = node.replace_input(0, node.inputs[1])
    node.replace_input(1, subtrahend)
    return True


def _rename(node: Node, kind: str, operators: OperatorTable) -> bool:
    """An operator that has no implementation under its first name keeps its second."""
    operator = _same_overload(node, kind, operators)
    if operator is None:
        return False
    node.kind = kind
    node.operator = operator
    return True


def _same_overload(node: Node, kind: str, operators: OperatorTable) -> Operator | None:
    """The overload of the same name if it takes the inputs, or else the first one that does."""
    if node.operator is not None:
        same = operators.find(kind, node.operator.overload_name)
        if same is not None and _takes_inputs(same, node):
            return same
    overloads = operators.operators_for(kind)
    return next((operator for operator in overloads if _takes_inputs(operator, node)), None)


def _takes_inputs(operator: Operator, node: Node) -> bool:
    arguments = operator.schema.arguments
    return len(arguments) == len(node.inputs) and all(
        value.type.is_subtype_of(argument.type) for value, argument in zip(node.inputs, arguments)
    )
