"""Builtins that are defined by other builtins."""

import pytest

from tests.emit.stand_in import RANGE, StandIn
from tsc.compiler.emit.sugared_values import BuiltinFunction, SimpleValue
from tsc.compiler.types import BOOL, INFERRED_TENSOR, INT, ListType, Type


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aten::add", ["aten::add"]),
        ("aten::mul", ["aten::mul"]),
        ("aten::sub", ["aten::neg", "aten::add"]),
        ("aten::div", ["aten::reciprocal", "aten::mul"]),
    ],
)
def test_a_scalar_before_a_tensor(name: str, expected: list[str]) -> None:
    emitter = StandIn()
    x, number = emitter.input("x"), emitter.input("n", INT)
    emitter.call(BuiltinFunction(name), number, x)
    assert emitter.kinds() == expected
    assert emitter.graph.return_node.previous.inputs[1] is number


def test_the_transpose_is_an_operator_under_another_name() -> None:
    emitter = StandIn()
    value = SimpleValue(emitter.input("x")).attribute(RANGE, emitter, "T")
    assert value.as_value(RANGE, emitter).node.kind == "aten::numpy_T"


def test_pairs_of_ints_are_lists() -> None:
    emitter = StandIn()
    value = emitter.call_value(BuiltinFunction("aten::_pair"), 3)
    assert value.type == ListType(INT)
    assert len(value.node.inputs) == 2


def test_strings_contain_strings_where_they_are_found() -> None:
    emitter = StandIn()
    value = emitter.call_value(BuiltinFunction("aten::__contains__"), "abc", "b")
    assert value.type == BOOL
    assert emitter.kinds() == ["aten::len", "aten::find", "aten::ne"]


@pytest.mark.parametrize(("type", "extra"), [(BOOL, []), (INFERRED_TENSOR, ["aten::Bool"])])
def test_an_assertion_raises_in_a_branch(type: Type, extra: list[str]) -> None:
    emitter = StandIn()
    emitter.call(BuiltinFunction("aten::_assert"), emitter.input("c", type), "no")
    assert emitter.kinds() == [*extra, "prim::If"]
    holds, fails = emitter.graph.return_node.previous.previous.blocks
    assert holds.is_empty
    kinds = [node.kind for node in fails.nodes()]
    assert kinds == ["prim::Constant", "aten::add", "prim::RaiseException"]
