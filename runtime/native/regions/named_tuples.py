"""The classes of the named tuples of a region, which code makes them by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.compiler.ir import Graph, Value
from tsc.compiler.types import TupleType, Type
from tsc.runtime.values.tuple_classes import tuple_class


def names_of_named_tuples(graph: Graph) -> dict[TupleType, str]:
    """The symbols of all types of named tuples, in the order in which values have them."""
    names: dict[TupleType, str] = {}
    for type in _types(graph):
        names.setdefault(type, f"tuple_{len(names)}")
    return names


def named_tuple_symbols(graph: Graph) -> dict[str, Any]:
    """What makes named tuples of tuples, by symbol."""
    return {name: tuple_class(type) for type, name in names_of_named_tuples(graph).items()}


def order_of_named_tuples(graph: Graph) -> str:
    """Which values are of the same types: their texts may be alike."""
    names = names_of_named_tuples(graph)
    return " ".join(names[type] for type in _types(graph))


def _types(graph: Graph) -> Iterator[TupleType]:
    for value in _values(graph):
        yield from _named(value.type)


def _values(graph: Graph) -> Iterator[Value]:
    yield from graph.inputs
    for node in graph.all_nodes():
        yield from node.outputs
        for block in node.blocks:
            yield from block.inputs


def _named(type: Type) -> Iterator[TupleType]:
    if isinstance(type, TupleType) and type.field_names is not None:
        yield type
    for each in type.contained:
        yield from _named(each)
