"""Small groups of nodes that emission builds everywhere: lists, tuples, single known operators."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.inserter import Inserter
from tsc.compiler.ir import Graph, Value, prim
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import ListType, TupleType, Type


def insert_list(
    graph: Graph, element_type: Type, values: Sequence[Value], range: SourceRange | None = None
) -> Value:
    """Insert a ``prim::ListConstruct`` of values that all have the element type."""
    node = graph.insert_node(graph.create(prim.ListConstruct, values, range=range))
    return node.output.set_type(ListType(element_type))


def insert_tuple(
    graph: Graph,
    values: Sequence[Value],
    tuple_type: TupleType | None = None,
    range: SourceRange | None = None,
) -> Value:
    """Insert a ``prim::TupleConstruct``; ``tuple_type`` is given for a tuple with named fields."""
    node = graph.insert_node(graph.create(prim.TupleConstruct, values, range=range))
    return node.output.set_type(tuple_type or TupleType(tuple(value.type for value in values)))


def unpack_tuple(graph: Graph, value: Value, range: SourceRange | None = None) -> list[Value]:
    """The elements of a tuple; those of a tuple built in place are taken as they are."""
    if value.node.kind == prim.TupleConstruct:
        return list(value.node.inputs)
    tuple_type = value.type
    assert isinstance(tuple_type, TupleType)
    count = len(tuple_type.elements)
    node = graph.insert_node(graph.create(prim.TupleUnpack, [value], count, range=range))
    for output, element in zip(node.outputs, tuple_type.elements, strict=True):
        output.set_type(element)
    return list(node.outputs)


def unpack_list(
    graph: Graph, value: Value, count: int, range: SourceRange | None = None
) -> list[Value]:
    """The elements of a list, whose length is checked to be ``count`` when the program runs."""
    list_type = value.type
    assert isinstance(list_type, ListType)
    node = graph.insert_node(graph.create(prim.ListUnpack, [value], count, range=range))
    for output in node.outputs:
        output.set_type(list_type.element)
    return list(node.outputs)


def insert_operator(
    emitter: Inserter, range: SourceRange, name: str, overload: str, inputs: Sequence[Value]
) -> Value:
    """Insert one known overload whose inputs are known to fit."""
    operator = emitter.operators.find(name, overload)
    if operator is None:
        raise CompileError(
            f"Unknown builtin op: {name}.{overload}".rstrip("."), range, code=codes.UNKNOWN_OPERATOR
        )
    graph = emitter.graph
    node = graph.insert_node(graph.create(operator, inputs, range=range))
    return node.output.set_type(operator.schema.returns[0].type)
