"""What a schema knows of itself, operators and their table, and complaints about calls."""

from __future__ import annotations

import pytest

from tsc.compiler.schema import (
    Argument,
    FunctionSchema,
    Operator,
    OperatorTable,
    SchemaError,
    parse_schema,
)
from tsc.compiler.schema.call_errors import (
    given_twice,
    missing_value,
    too_many_arguments,
    unknown_keyword,
    wrong_type,
)
from tsc.compiler.types import FLOAT, INFERRED_TENSOR, INT, STRING, FutureType, TupleType, optional


def function(*arguments: Argument) -> FunctionSchema:
    return FunctionSchema("f", "", arguments, (Argument.of("", INT),))


def test_a_function_prints_like_a_schema() -> None:
    schema = FunctionSchema(
        "f",
        "",
        (
            Argument.of("x", INT, 3),
            Argument.of("s", STRING, 'a"b'),
            Argument.of("t", TupleType((INT, STRING)), (1, "z")),
            Argument.of("n", optional(INT), None),
            Argument.of("r", FLOAT, 0.1),
        ),
        (Argument.of("", optional(TupleType((INT, FutureType(STRING))))),),
    )
    assert str(schema) == (
        'f(int x=3, str s="a\\"b", (int, str) t=(1, z), int? n=None, '
        "float r=0.10000000000000001) -> ((int, Future(str))?)"
    )


def test_arguments_by_name() -> None:
    schema = parse_schema(
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    )
    assert schema.argument_index("other") == 1
    assert schema.argument_index("out") is None
    assert schema.argument("alpha") == schema.arguments[2]
    assert schema.qualified_name == "aten::add.Tensor"
    assert not schema.is_mutable
    assert str(schema.with_name("f")) == "f(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    assert str(schema.with_arguments(())) == "aten::add.Tensor() -> Tensor"


@pytest.mark.parametrize(
    ("mine", "theirs", "fits"),
    [
        ("f(S self, int x) -> int", "f(I self, int x) -> int", True),
        ("f(S self, int? x) -> int", "f(I self, int x) -> int", True),
        ("f(S self, int x) -> int", "f(I self, int? x) -> int", False),
        ("f(S self, int x) -> int", "f(I self, int x) -> int?", True),
        ("f(S self, int x) -> int?", "f(I self, int x) -> int", False),
        ("f(S self, int x, int y=1) -> int", "f(I self, int x) -> int", True),
        ("f(S self, int x, int y) -> int", "f(I self, int x) -> int", False),
        ("f(S self, int y) -> int", "f(I self, int x) -> int", False),
        ("f(S self) -> int", "f(I self, int x) -> int", False),
    ],
)
def test_a_method_may_stand_for_another(mine: str, theirs: str, fits: bool) -> None:
    def schema(text: str) -> FunctionSchema:
        return parse_schema(text.replace("S self", "Any self").replace("I self", "str self"))

    assert schema(mine).is_subtype_of(schema(theirs), as_method=True) is fits


F = function(
    Argument.of("x", INT), Argument.of("y", optional(STRING), None),
    Argument("k", FLOAT, FLOAT, default=1.0, kwarg_only=True),
)  # fmt: skip
F_TEXT = "f(int x, str? y=None, *, float k=1.) -> int"


def test_complaints_about_calls_are_pytorchs() -> None:
    assert missing_value(F, F.arguments[0]) == (
        f"f() is missing value for argument 'x'. Declaration: {F_TEXT}"
    )
    assert too_many_arguments(F, 3, 0) == (
        f"f() takes 2 positional argument(s) but 3 was/were given.  Declaration: {F_TEXT}"
    )
    assert too_many_arguments(F, 2, 2) == (
        f"f() expected at most 3 argument(s) but received 4 argument(s). Declaration: {F_TEXT}"
    )
    assert too_many_arguments(F, 2, 1) is None
    assert unknown_keyword(F, "z") == (
        f"Unknown keyword argument 'z' for operator 'f'. Schema: {F_TEXT}"
    )
    assert given_twice(F, "x") == (
        f"Argument 'x' specified both as positional and keyword argument. Schema: {F_TEXT}"
    )
    assert wrong_type(F, 1, "int", "2") == (
        "f() Expected a value of type 'Optional[str]' for argument 'y' but instead found type"
        f" 'int'.\nPosition: 1\nValue: 2\nDeclaration: {F_TEXT}"
    )


def test_a_wrong_inferred_tensor_is_explained() -> None:
    assert wrong_type(function(Argument.of("x", INFERRED_TENSOR)), 0, "int", "1") == (
        "f() Expected a value of type 'Tensor (inferred)' for argument 'x' but instead found type"
        " 'int'.\nInferred 'x' to be of type 'Tensor' because it was not annotated with an explicit"
        " type.\nPosition: 0\nValue: 1\nDeclaration: f(Tensor x) -> int"
    )


def test_operators_keep_their_order_and_are_found() -> None:
    table = OperatorTable()
    texts = [
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "aten::sub(int a, int b) -> int",
        "aten::add.int(int a, int b) -> int",
        "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    ]
    for text in texts:
        table.declare(text)
    assert [operator.overload_name for operator in table.operators_for("aten::add")] == [
        "Tensor",
        "int",
    ]
    assert table.operators_for("aten::mul") == ()
    assert table.names() == ("aten::add", "aten::sub", "aten::add_")
    assert len(table) == len(list(table.all())) == 4
    found = table.find("aten::add", "int")
    assert found is not None
    assert str(found.schema) == texts[2]
    assert found.schema is found.schema
    assert table.find("aten::add") is None
    assert [operator.is_mutable for operator in table.all()] == [False, False, False, True]


def test_an_operator_is_declared_once() -> None:
    table = OperatorTable()
    table.declare("aten::add(int a, int b) -> int")
    with pytest.raises(SchemaError, match="aten::add is already declared"):
        table.declare("aten::add(float a, float b) -> float")


def test_declaring_reads_no_more_than_the_name() -> None:
    operator = Operator("aten::broken.out(this is no schema")
    assert (operator.name, operator.overload_name) == ("aten::broken", "out")
    with pytest.raises(SchemaError):
        _ = operator.schema


def test_similar_names_come_closest_first() -> None:
    table = OperatorTable()
    for name in ("relu", "relu_", "relu6", "selu", "celu", "gelu", "sigmoid", "elu"):
        table.declare(f"aten::{name}(Tensor self) -> Tensor")
    assert table.similar("aten::rleu") == ["aten::elu", "aten::relu"]
    assert table.similar("aten::relu")[0] == "aten::relu"
    assert table.similar("aten::softmax") == []
