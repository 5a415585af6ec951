"""Which nodes have gradients that can be written down as graphs, and which values gradients go through."""

from __future__ import annotations

import functools
from typing import Final

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.lower_simple_tuples import lower_simple_tuples
from tsc.compiler.schema import Operator
from tsc.compiler.types import NONE, ListType, OptionalType, TensorType, Type
from tsc.runtime.autograd.formulas import Group, formula_of
from tsc.runtime.autograd.operator_steps import OperatorStep, step_of

_WITHOUT: Final = frozenset(
    (*(f"aten::{name}.Scalar" for name in ("eq", "ne", "lt", "le", "gt", "ge")), "aten::nonzero")
)
"""Operators of which PyTorch knows that no gradient goes through them: they are in its groups."""
_EXPANDING: Final = frozenset(("aten::expand", "aten::expand_as", "aten::broadcast_to"))
_FLOATING: Final = frozenset(
    ("Half", "BFloat16", "Float", "Double", "ComplexHalf", "ComplexFloat", "ComplexDouble")
)


def is_differentiable(node: Node) -> bool:
    """Whether a gradient of the node can be written down, or none is needed: it has formulas, and writes nothing."""
    if node.kind == prim.ConstantChunk:
        return True
    operator = node.operator
    if operator is None or operator.schema.is_mutable or not node.outputs:
        return False
    if not all(isinstance(each.type, TensorType) for each in node.outputs):
        return False
    if operator.qualified_name in _WITHOUT or graph_of_body(operator) is not None:
        return True
    formula, step = formula_of(operator), step_of(operator)
    if formula is None or not formula.groups or _differentiable_results(node, step) != [0]:
        return False
    return all(
        formula.group_of(step.arguments[k].name) is not None and _takes_gradient(node.inputs[k])
        for k in operands_of(node, step)
    )


def operands_of(node: Node, step: OperatorStep) -> list[int]:
    """The places of the operands of an operator that gradients go to: tensors, and lists of them.

    Where a formula says nothing of an operand that may be missing (statistics, weights of classes), none goes there.
    """
    reached = sorted((*step.tensors, *step.lists))
    return [k for k in reached if node.inputs[k].type != NONE and not _is_left_out(step, k)]


def _is_left_out(step: OperatorStep, place: int) -> bool:
    argument, formula = step.arguments[place], step.formula
    is_optional = isinstance(argument.type, OptionalType)
    return is_optional and formula is not None and formula.group_of(argument.name) is None


def requiring_values(graph: Graph) -> set[Value]:
    """The values that may require gradients."""
    found = {value for value in graph.inputs if _may_require(value.type)}
    for node in graph.nodes():
        if node.kind != prim.Constant and any(value in found for value in node.inputs):
            results = [node.outputs[k] for k in _differentiable_results(node)]
            found.update(value for value in results if _may_require(value.type))
    return found


def may_broadcast(step: OperatorStep) -> bool:
    """Whether the result of an operator may be larger than an operand: one operand is so in few."""
    if len(step.tensors) > 1:
        return True
    is_view = any(each.alias_info is not None for each in step.operator.schema.returns)
    return step.operator.name in _EXPANDING if is_view else step.operator.expression is None


@functools.cache
def graph_of_body(operator: Operator) -> Graph | None:
    """What an operator is in other terms, if it has gradients only so, and these are nodes that have some."""
    formula = formula_of(operator)
    if formula is None or formula.body is None or formula.runs_operator:
        return None
    step = step_of(operator)
    function, parameters = step.function(Group(("",), formula.body))
    graph: Graph = function.inlined_graph.copy()
    lower_simple_tuples(graph)
    eliminate_dead_code(graph)
    nodes = [node for node in graph.nodes() if node.kind != prim.Constant]
    if not nodes or not all(map(is_differentiable, nodes)):
        return None
    return _with_inputs(graph, parameters, [each.name for each in step.arguments])


def _with_inputs(graph: Graph, parameters: tuple[str, ...], names: list[str]) -> Graph:
    """The graph, made to take all arguments of the operator in their order."""
    given = dict(zip(parameters, list(graph.inputs)))
    for name in names:
        value = graph.add_input()
        if name in given:
            given[name].replace_all_uses_with(value.copy_metadata(given[name]))
    for _ in parameters:
        graph.erase_input(0)
    return graph


def _differentiable_results(node: Node, step: OperatorStep | None = None) -> list[int]:
    """The outputs of a node that may require gradients."""
    if node.operator is None:
        return list(range(len(node.outputs)))
    if node.operator.qualified_name in _WITHOUT:
        return []
    withheld = (step or step_of(node.operator)).withheld
    return [k for k in range(len(node.outputs)) if k not in withheld]


def _takes_gradient(value: Value) -> bool:
    """Whether one gradient can be written down for an operand. That of a list is a list, of which there is no sum."""
    if isinstance(value.type, ListType):
        return isinstance(value.type.element, TensorType) and value.use_count == 1
    inner = value.type.element if isinstance(value.type, OptionalType) else value.type
    return isinstance(inner, TensorType)


def _may_require(type: Type) -> bool:
    inner = type.element if isinstance(type, OptionalType | ListType) else type
    if not isinstance(inner, TensorType) or inner.requires_grad is False:
        return False
    return inner.dtype is None or inner.dtype in _FLOATING
