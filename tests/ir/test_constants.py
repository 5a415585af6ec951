"""Constants: what Python value they hold, and of which type they are."""

from __future__ import annotations

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.ir import (
    NOT_CONSTANT,
    ConstantText,
    Function,
    Graph,
    GraphError,
    constant_value,
    infer_constant_type,
    insert_function_constant,
    is_constant,
)
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    Device,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (True, BOOL),
        (1, INT),
        (1.0, FLOAT),
        (1j, COMPLEX),
        ("a", STRING),
        (None, NONE),
        (Device("cpu"), DEVICE),
        ([1, 2], ListType(INT)),
        ([1, None], ListType(OptionalType(INT))),
        ((1, ("a", 2.0)), TupleType((INT, TupleType((STRING, FLOAT))))),
        ({"a": [1]}, DictType(STRING, ListType(INT))),
        (ConstantText("{1}"), TENSOR),
    ],
)
def test_types_are_inferred_and_values_come_back(value: object, type: Type) -> None:
    assert infer_constant_type(value) == type
    graph = Graph()
    constant = graph.insert_constant(value)
    assert constant.type == type
    assert constant_value(constant) is value
    assert is_constant(constant)
    graph.lint()


def test_what_does_not_tell_its_type_needs_one() -> None:
    graph = Graph()
    with pytest.raises(GraphError, match="have no type in common"):
        graph.insert_constant([])
    with pytest.raises(GraphError, match="have no type in common"):
        graph.insert_constant([1, "a"])
    with pytest.raises(GraphError, match="no constant can hold a 'object'"):
        graph.insert_constant(object())
    assert graph.insert_constant([], ListType(STRING)).type == ListType(STRING)


def test_none_is_a_constant_and_a_value_is_not() -> None:
    graph = Graph()
    assert constant_value(graph.insert_constant(None)) is None
    assert constant_value(graph.add_input("x")) is NOT_CONSTANT
    assert not is_constant(graph.inputs[0])


def test_functions_are_constants() -> None:
    graph = Graph()
    function = Function("__torch__.helper")
    value = insert_function_constant(graph, function)
    assert constant_value(value) is function
    assert str(graph).splitlines()[1] == '  %0 : Function = prim::Constant[name="helper"]()'
    graph.lint()


@pytest.mark.parametrize(
    "value", [1 << 63, -(1 << 63) - 1, [1, 1 << 70], (1, (1 << 64, 2)), object()]
)
def test_what_no_constant_can_hold_leaves_the_graph_as_it_was(value: object) -> None:
    graph = Graph()
    with pytest.raises(GraphError, match="no constant can hold"):
        graph.insert_constant(value)
    with pytest.raises(GraphError, match="no constant can hold"):
        graph.insert_constant(value, INT if isinstance(value, int) else None)
    assert list(graph.all_nodes()) == []
    graph.lint()
