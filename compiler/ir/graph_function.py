"""Graphs that no definition gave rise to, as functions: traced ones, those of IR texts, those built by hand."""

from __future__ import annotations

from tsc.compiler.ir.constants import ConstantText
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.function import Function
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.types import NONE, TupleType
from tsc.compiler.types.unshaped import unshaped


def function_of_graph(graph: Graph, qualified_name: str) -> Function:
    """A function that does what ``graph`` does, which is copied. Several outputs become a tuple, none becomes None.

    Raises:
        InvalidGraph: the graph is broken, or a node of it fits no schema.
    """
    graph.lint()
    body = graph.copy()
    _return_one_value(body)
    function = Function(qualified_name, graph=body)
    function.schema = schema_of_graph(body, function.name)
    return function


def check_constants(graph: Graph) -> None:
    """Whether the values of all constants are known, and not only how they are printed.

    Raises:
        GraphError: one is not: the graph cannot run.
    """
    for node in graph.all_nodes():
        value = node.attributes.get("value")
        if node.kind == prim.Constant and isinstance(value, ConstantText):
            raise GraphError(
                f"the text of the graph does not tell what %{node.output.debug_name} is, but {value.text}: "
                "make it an input"
            )


def schema_of_graph(graph: Graph, name: str) -> FunctionSchema:
    """Arguments are called as the inputs are; shapes, which are those of examples, are no part of it."""
    arguments = [
        Argument.of(_argument_name(value, number), unshaped(value.type))
        for number, value in enumerate(graph.inputs)
    ]
    returns = [Argument.of("", unshaped(value.type)) for value in graph.outputs]
    return FunctionSchema(name, "", tuple(arguments), tuple(returns))


def _argument_name(value: Value, number: int) -> str:
    if not value.has_debug_name:
        return f"argument_{number}"
    base, dot, suffix = value.debug_name.rpartition(".")
    return base if dot and suffix.isdigit() else value.debug_name


def _return_one_value(graph: Graph) -> None:
    outputs = list(graph.outputs)
    if len(outputs) == 1:
        return
    with graph.insert_at(graph.return_node):
        node = graph.insert_node(
            graph.create(prim.TupleConstruct if outputs else prim.Constant, outputs)
        )
    node.output.set_type(TupleType(tuple(each.type for each in outputs)) if outputs else NONE)
    graph.block.remove_all_outputs()
    graph.register_output(node.output)
