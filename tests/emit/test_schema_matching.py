"""Binding calls to schemas: overload choice, conversions, and what is said when nothing fits."""

import pytest

from tests.emit.stand_in import RANGE, StandIn
from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.calls.schema_matching import match_schema
from tsc.compiler.emit.sugared_values import BuiltinFunction
from tsc.compiler.ir import constant_value
from tsc.compiler.schema import parse_schema
from tsc.compiler.source import CompileError
from tsc.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TupleType,
)


def error_of(emitter: StandIn, name: str, *args: object, **kwargs: object) -> str:
    with pytest.raises(CompileError) as caught:
        emitter.call(BuiltinFunction(name), *args, **kwargs)
    return caught.value.message


def test_defaults_are_filled_in_behind_the_arguments_given() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    value = emitter.call_value(BuiltinFunction("aten::sum"), x, 1, keepdim=True)
    inputs = value.node.inputs
    assert inputs[0] is x
    assert inputs[1].type == ListType(INT)
    assert [constant_value(each) for each in inputs[2:]] == [True, None]
    assert value.node.operator is emitter.operators.find("aten::sum", "dim_IntList")


def test_the_first_overload_that_needs_no_conversion_wins() -> None:
    emitter = StandIn()
    x, y = emitter.input("x"), emitter.input("y")
    chosen = [
        emitter.call_value(BuiltinFunction("aten::add"), *args).node.operator
        for args in [(x, y), (x, 2), (x, 2.5), (1, 2), (1.5, 2.5)]
    ]
    assert [each and each.overload_name for each in chosen] == [
        "Tensor",
        "Scalar",
        "Scalar",
        "int",
        "float",
    ]


def test_conversions_are_tried_when_nothing_fits_without() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    value = emitter.call_value(BuiltinFunction("aten::add"), 1, x)
    # The scalar-first definition fits before aten::add.int would with an IntImplicit.
    assert value.node.operator is emitter.operators.find("aten::add", "Scalar")
    emitter.call_value(BuiltinFunction("aten::sub"), 1, x)
    assert "aten::neg" in emitter.kinds()


def test_a_tensor_becomes_the_number_that_is_wanted() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    schema = parse_schema("f(int a, float b, Scalar c) -> int")
    matched = match_schema(schema, RANGE, emitter, emitter.arguments(x, x, x), [])
    assert [value.node.kind for value in matched.inputs] == [
        "aten::IntImplicit",
        "aten::FloatImplicit",
        "aten::ScalarImplicit",
    ]


def test_a_number_of_unknown_kind_becomes_an_int() -> None:
    emitter = StandIn()
    number = emitter.input("n", NUMBER)
    schema = parse_schema("f(int a) -> int")
    matched = match_schema(schema, RANGE, emitter, emitter.arguments(number), [])
    assert matched.inputs[0].node.kind == "aten::Int"
    assert matched.inputs[0].type == INT


def test_a_bool_becomes_a_number_but_no_complex_one() -> None:
    emitter = StandIn()
    flag = emitter.input("flag", BOOL)
    schema = parse_schema("f(int a, float b, Scalar c) -> int")
    matched = match_schema(schema, RANGE, emitter, emitter.arguments(flag, flag, flag), [])
    kinds = [value.node.kind for value in matched.inputs]
    assert kinds == ["aten::Int", "aten::Float", "aten::Int"]
    with pytest.raises(CompileError, match="Expected a value of type 'complex'"):
        schema = parse_schema("f(complex a) -> int")
        match_schema(schema, RANGE, emitter, emitter.arguments(flag), [])


def test_an_int_is_no_float_for_a_function() -> None:
    emitter = StandIn()
    with pytest.raises(CompileError, match="Expected a value of type 'float' for argument 'x'"):
        match_schema(parse_schema("f(float x) -> int"), RANGE, emitter, emitter.arguments(3), [])


def test_a_string_becomes_a_device() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    value = emitter.call_value(BuiltinFunction("aten::to"), x, "cpu", 6, False)
    assert value.node.inputs[1].node.kind == "aten::device"


@pytest.mark.parametrize("args", [(2, 3), ([2, 3],), ((2, 3),)])
def test_sizes_may_be_given_one_by_one_as_a_list_or_as_a_tuple(args: tuple[object, ...]) -> None:
    emitter = StandIn()
    method = BuiltinFunction("aten::view", emitter.argument(emitter.input("x")))
    value = emitter.call_value(method, *args)
    assert value.node.operator is emitter.operators.find("aten::view", "")
    assert value.node.inputs[1].type == ListType(INT)


def test_a_tensor_among_sizes_is_converted() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    value = emitter.call_value(BuiltinFunction("aten::view", emitter.argument(x)), 1, x)
    kinds = [each.node.kind for each in value.node.inputs[1].node.inputs]
    assert kinds == ["prim::Constant", "aten::IntImplicit"]


def test_one_int_stands_for_a_list_of_known_length() -> None:
    emitter = StandIn()
    schema = parse_schema("f(int[2] kernel, float[3]? scale=None) -> int")
    matched = match_schema(schema, RANGE, emitter, emitter.arguments(3, 0.5), [])
    assert [len(value.node.inputs) for value in matched.inputs] == [2, 3]
    assert [value.type for value in matched.inputs] == [ListType(INT), ListType(FLOAT)]


def test_elements_of_a_tuple_are_converted_one_by_one() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    pair = emitter.input("pair", TupleType((TENSOR, INT)))
    schema = parse_schema("f((int, int) pair) -> int")
    matched = match_schema(schema, RANGE, emitter, emitter.arguments(pair), [])
    assert matched.inputs[0].type == TupleType((INT, INT))
    assert x.node.graph is emitter.graph


def test_type_variables_carry_over_to_the_result() -> None:
    emitter = StandIn()
    table = emitter.input("table", DictType(STRING, ListType(INT)))
    found = emitter.call_value(BuiltinFunction("aten::get", emitter.argument(table)), "a")
    assert found.type == OptionalType(ListType(INT))


def test_several_results_make_a_tuple_with_the_names_of_the_schema() -> None:
    emitter = StandIn()
    value = emitter.call_value(BuiltinFunction("aten::max"), emitter.input("x"), 1)
    assert str(value.type) == "NamedTuple(values : Tensor, indices : Tensor)"
    assert value.node.kind == "prim::TupleConstruct"


def test_varargs_are_passed_on_behind_the_arguments() -> None:
    emitter = StandIn()
    method = BuiltinFunction("aten::format", emitter.argument("{} {}"))
    value = emitter.call_value(method, 1, "a")
    assert [each.type for each in value.node.inputs] == [STRING, INT, STRING]


def test_input_is_another_name_for_self() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    assert emitter.call_value(BuiltinFunction("aten::relu"), input=x).node.inputs[0] is x


def test_attempts_that_fail_leave_nothing_in_the_graph() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    args = emitter.arguments(x, [1], 1.5)
    before = emitter.kinds()
    with pytest.raises(CompileError):
        emit_builtin_call(RANGE, emitter, "aten::conv1d", args)
    assert emitter.kinds() == before
    assert all(not use.node.kind.startswith("aten") for use in x.uses)


@pytest.mark.parametrize(
    ("args", "kwargs", "reason"),
    [
        ((), {}, "Argument x not provided."),
        ((1, 2.0, 3), {}, "Expected at most 2 arguments but found 3 positional arguments."),
        ((1,), {"foo": 3}, "Keyword argument foo unknown."),
        ((1,), {"x": 3}, "Keyword argument x specified twice."),
        (
            ("a",),
            {},
            "Expected a value of type 'int' for argument 'x' but instead found type 'str'.",
        ),
        (
            (None,),
            {},
            "Expected a value of type 'int' for argument 'x' but instead found type 'NoneType'.",
        ),
    ],
)
def test_one_schema_says_what_does_not_fit(
    args: tuple[object, ...], kwargs: dict[str, object], reason: str
) -> None:
    emitter = StandIn()
    schema = parse_schema("h(int x, float y=1.) -> int")
    with pytest.raises(CompileError) as caught:
        match_schema(schema, RANGE, emitter, emitter.arguments(*args), emitter.keywords(**kwargs))
    assert caught.value.message == f"h(int x, float y=1.) -> int:\n{reason}"


def test_a_parameter_without_annotation_is_named_as_the_cause() -> None:
    emitter = StandIn()
    message = error_of(emitter, "aten::wait", emitter.input("x"))
    assert message == (
        "aten::wait(Future(t) self) -> t:\n"
        "Could not match type Tensor (inferred) to Future[t] in argument 'self': "
        "Cannot match a future to Tensor (inferred)."
    )
    message = error_of(emitter, "aten::chr", emitter.input("x"), foo=3)
    assert message == "aten::chr(int i) -> str:\nKeyword argument foo unknown."
    message = error_of(emitter, "aten::ord", emitter.input("x"))
    assert message == (
        "aten::ord(str string) -> int:\n"
        "Expected a value of type 'str' for argument 'string' but instead found type "
        "'Tensor (inferred)'.\n"
        "Inferred the value for argument 'string' to be of type 'Tensor' because it was not "
        "annotated with an explicit type."
    )


def test_a_type_variable_that_is_already_bound_is_explained() -> None:
    emitter = StandIn()
    method = BuiltinFunction("aten::append", emitter.argument([1]))
    with pytest.raises(CompileError) as caught:
        emitter.call(method, "a")
    assert caught.value.message == (
        "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!):\n"
        "Could not match type str to t in argument 'el': Type variable 't' previously matched to "
        "type int is matched to type str."
    )


def test_every_variant_says_what_does_not_fit() -> None:
    emitter = StandIn()
    method = BuiltinFunction("aten::size", emitter.argument(emitter.input("x")))
    with pytest.raises(CompileError) as caught:
        emitter.call(method, "a")
    assert caught.value.message.splitlines() == [
        "Arguments for call are not valid.",
        "The following variants are available:",
        "",
        "  aten::size.int(Tensor self, int dim) -> int:",
        "  Expected a value of type 'int' for argument 'dim' but instead found type 'str'.",
        "",
        "  aten::size(Tensor self) -> int[]:",
        "  Expected at most 0 arguments but found 1 positional arguments.",
        "",
        "The original call is",
    ]


def test_an_unknown_operator_comes_with_suggestions() -> None:
    emitter = StandIn()
    message = error_of(emitter, "aten::relo", emitter.input("x"))
    assert "Unknown builtin op: aten::relo." in message
    assert "\taten::relu\n" in message
    assert "Could not find any similar ops to" in error_of(emitter, "aten::frobnicate_all")
