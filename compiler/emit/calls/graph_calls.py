"""``graph.insert``: calls of operators for those who build graphs by hand, bound as calls in programs are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.calls.match_messages import PLACE_FOLLOWS
from tsc.compiler.emit.construction import insert_list, insert_tuple
from tsc.compiler.emit.protocols import NamedValue
from tsc.compiler.emit.symbolic_variable import SymbolicVariable
from tsc.compiler.ir import Function, Graph, GraphError, Node, Value, prim
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import UNKNOWN_RANGE, CompileError
from tsc.compiler.types import TENSOR, ListType, unify_all

_NO_FUNCTION: Final = Function("graph")


class _ByHand:
    """Inserts into a graph that no definition gave rise to."""

    __slots__ = ("function", "graph", "operators")

    def __init__(self, graph: Graph, operators: OperatorTable) -> None:
        self.graph = graph
        self.operators = operators
        self.function = _NO_FUNCTION


def insert_in_graph(
    graph: Graph, kind: str, args: Sequence[object], kwargs: Mapping[str, object]
) -> Value:
    """What `Graph.insert` does."""
    if graph.operators is None:
        raise GraphError("this graph was made without operators: make it by Graph(operators)")
    before = graph.insertion_point.previous
    try:
        positional = [NamedValue(_as_value(graph, each), UNKNOWN_RANGE) for each in args]
        named = [
            NamedValue(_as_value(graph, each), UNKNOWN_RANGE, name) for name, each in kwargs.items()
        ]
        inserter = _ByHand(graph, graph.operators)
        value = emit_builtin_call(UNKNOWN_RANGE, inserter, kind, positional, named)
    except (CompileError, GraphError) as error:
        _remove_after(graph, before)
        if isinstance(error, GraphError):
            raise
        raise GraphError(error.message.removesuffix(PLACE_FOLLOWS)) from None
    for given in (*positional, *named):
        if given.value.node.kind == prim.EmptyListLiteral:
            given.value.node.destroy()
    return value


def _remove_after(graph: Graph, before: Node) -> None:
    while (node := graph.insertion_point.previous) is not before:
        node.destroy()


def _as_value(graph: Graph, given: object) -> Value:
    """A value of the graph as it is; any other one as a constant, or put together of constants and values."""
    if isinstance(given, Value | SymbolicVariable):
        return given if isinstance(given, Value) else given.value
    if _is_empty_list(given):
        return graph.insert_node(graph.create(prim.EmptyListLiteral)).output.set_type(_NO_ELEMENTS)
    if not _has_values(given):
        return graph.insert_constant(getattr(given, "graph_constant", given))
    values = [_as_value(graph, each) for each in cast("Sequence[object]", given)]
    if isinstance(given, tuple):
        return insert_tuple(graph, values)
    element = unify_all([value.type for value in values])
    if isinstance(element, str):
        raise GraphError(f"the members of a list must have one type: {element}")
    return insert_list(graph, element, values)


def _is_empty_list(given: object) -> bool:
    return isinstance(given, list) and not given


_NO_ELEMENTS: Final = ListType(TENSOR)
"""The type of an empty list until it is bound to an argument."""


def _has_values(given: object) -> bool:
    members = cast("Sequence[object]", given) if isinstance(given, list | tuple) else ()
    return any(isinstance(each, Value | SymbolicVariable) or _has_values(each) for each in members)
