"""Prints the NamedTuples and enums that functions use as class statements, each before its users."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from compiler.ir import Function, Graph
from compiler.printing.python_constants import ConstantsTable
from compiler.types import EnumType, TupleType, Type


def print_classes(functions: Iterable[Function]) -> str:
    """The class statements, in an order in which they can be executed, each ending in a newline."""
    found: dict[str, Type] = {}
    for function in functions:
        for type in _types_of(function):
            _collect(type, found)
    return "\n".join(map(_class_text, found.values()))


def _types_of(function: Function) -> Iterator[Type]:
    for argument in (*function.schema.arguments, *function.schema.returns):
        yield argument.type
    yield from _types_in(function.graph)


def _types_in(graph: Graph) -> Iterator[Type]:
    for node in (graph.param_node, *graph.all_nodes()):
        for value in node.outputs:
            yield value.type
        for attribute in node.attributes.values():
            if isinstance(attribute, Graph):
                yield from _types_in(attribute)
            elif isinstance(attribute, (list, tuple)):
                for each in cast("Iterable[object]", attribute):
                    if isinstance(each, Type):
                        yield each


def _collect(type: Type, found: dict[str, Type]) -> None:
    """Adds the classes in a type to ``found``, what they are made of first."""
    name = type.annotation
    if name in found:
        return
    for part in type.contained:
        _collect(part, found)
    if isinstance(type, EnumType) or (isinstance(type, TupleType) and type.name is not None):
        found[name] = type


def _class_text(type: Type) -> str:
    name = type.annotation.rpartition(".")[2]
    if isinstance(type, EnumType):
        return f"class {name}(Enum):\n{_lines(_member_lines(type))}"
    assert isinstance(type, TupleType)
    return f"class {name}(NamedTuple):\n{_lines(_field_lines(type))}"


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"  {line}\n" for line in lines) or "  pass\n"


def _member_lines(type: EnumType) -> Iterator[str]:
    for name, value in type.members:
        yield f"{name} = {ConstantsTable().text(value, type.value_type)}"


def _field_lines(type: TupleType) -> Iterator[str]:
    for index, (name, element) in enumerate(zip(type.field_names or (), type.elements)):
        default = type.field_default(index)
        value = "" if default is None else f" = {ConstantsTable().text(default[0], element)}"
        yield f"{name} : {element.annotation}{value}"
