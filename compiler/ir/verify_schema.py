"""What the verifier expects of operator nodes by their schema, and of a graph by its function's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.verify_kinds import Broken
from tsc.compiler.types import (
    NONE,
    OptionalType,
    TensorType,
    Type,
    match_type_variables,
    substitute_type_variables,
    without_shapes,
)

if TYPE_CHECKING:
    from tsc.compiler.ir.graph import Graph
    from tsc.compiler.ir.node import Node
    from tsc.compiler.schema import FunctionSchema, Operator, OperatorTable


SPECIAL: Final = "prim::"
"""Most kinds of this namespace are constructs of the language, which have no schema."""


_MOST_LISTED: Final = 6  # schemas that a node does not fit


def resolve_operator(node: Node, operators: OperatorTable) -> None:
    """Gives a new node the first operator that its inputs fit, and its outputs the types that this returns."""
    if node.kind.startswith(SPECIAL):
        return
    for operator in operators.operators_for(node.kind):
        bindings: dict[str, Type] = {}
        returns = operator.schema.returns
        if len(returns) != len(node.outputs) or _check_inputs(node, operator.schema, bindings):
            continue
        node.operator = operator
        for output, result in zip(node.outputs, returns):
            output.set_type(substitute_type_variables(result.type, bindings) or output.type)
        return


def fitting_operator(node: Node, operators: OperatorTable) -> Operator | None:
    """The first operator whose schema a node fits with its inputs and outputs."""
    for operator in operators.operators_for(node.kind):
        if why_schema_does_not_fit(node, operator.schema) is None:
            return operator
    return None


def check_operator(node: Node, operators: OperatorTable) -> None:
    """Whether a node has an operator, or is a construct of the language; it gets the one that it fits now."""
    if node.operator is not None or node.kind.startswith(SPECIAL):
        return
    node.operator = fitting_operator(node, operators)
    if node.operator is None:
        given = ", ".join(str(value.type) for value in node.inputs)
        known = operators.operators_for(node.kind)
        listed = "".join(f"\n  {each.schema}" for each in known[:_MOST_LISTED]) or " none"
        more = f"\n  and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
        raise Broken(f"no schema fits {node.kind}({given}); there are:{listed}{more}")


def check_node_schema(node: Node) -> None:
    schema = node.schema
    if schema is None:
        return
    if schema.name != node.kind:
        raise Broken(f"{node.kind} has the operator of {schema.name}")
    reason = why_schema_does_not_fit(node, schema)
    if reason is not None:
        raise Broken(f"{node.kind} does not fit its schema {schema}: {reason}")


def why_schema_does_not_fit(node: Node, schema: FunctionSchema) -> str | None:
    """Compares number and types of inputs and outputs; None when all is well.

    A cast tells its own result: where calls were inlined, one that is never reached may be to what its input cannot be.
    """
    bindings: dict[str, Type] = {}
    reason = _check_inputs(node, schema, bindings)
    if reason is None and node.kind != prim.unchecked_cast:
        reason = _check_outputs(node, schema, bindings)
    return reason


def _check_inputs(node: Node, schema: FunctionSchema, bindings: dict[str, Type]) -> str | None:
    given, wanted = len(node.inputs), len(schema.arguments)
    if given < wanted or (given > wanted and not schema.is_vararg):
        return f"it has {given} inputs, not {wanted}"
    for value, argument in zip(node.inputs, schema.arguments):
        if value.type == NONE and isinstance(argument.type, OptionalType):
            continue  # it fits, and tells nothing of type variables
        reason = match_type_variables(argument.type, value.type, bindings)
        if reason is not None:
            return reason
        formal = substitute_type_variables(argument.type, bindings)
        if formal is not None and not value.type.is_subtype_of(formal):
            return f"'{argument.name}' must be {formal}, but %{value.debug_name} is {value.type}"
    return None


def _check_outputs(node: Node, schema: FunctionSchema, bindings: dict[str, Type]) -> str | None:
    given, wanted = len(node.outputs), len(schema.returns)
    if given < wanted or (given > wanted and not schema.is_varret):
        return f"it has {given} outputs, not {wanted}"
    for value, result in zip(node.outputs, schema.returns):
        formal = substitute_type_variables(result.type, bindings)
        if formal is not None and not _may_be(value.type, formal):
            return f"it returns {formal}, but %{value.debug_name} is {value.type}"
    return None


def _may_be(type: Type, formal: Type) -> bool:
    """An output may be known better than the schema says, and a container of tensors worse."""
    both_tensors = isinstance(type, TensorType) and isinstance(formal, TensorType)
    return both_tensors or type.is_subtype_of(formal) or type.is_subtype_of(without_shapes(formal))


def check_graph_schema(graph: Graph, schema: FunctionSchema) -> None:
    """Whether the graph takes and returns what the schema of its function says."""
    if len(graph.inputs) != len(schema.arguments):
        raise Broken(
            f"the graph has {len(graph.inputs)} inputs, its schema {len(schema.arguments)}"
        )
    for value, argument in zip(graph.inputs, schema.arguments):
        if not value.type.is_subtype_of(argument.type):
            raise Broken(
                f"%{value.debug_name} is {value.type}, not {argument.type} as its schema says"
            )
    if len(graph.outputs) != len(schema.returns):
        raise Broken(f"the graph returns {len(graph.outputs)} values, not {len(schema.returns)}")
    for value, result in zip(graph.outputs, schema.returns):
        if not value.type.is_subtype_of(result.type):
            raise Broken(f"the graph returns {value.type}, not {result.type} as its schema says")
