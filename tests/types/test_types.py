"""Types beyond PyTorch's recorded answers: normal forms, named types, type variables, texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsc.compiler.types import (
    ANY,
    ANY_ENUM,
    BOOL,
    COMPLEX,
    FLOAT,
    INFERRED_TENSOR,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    ClassAttribute,
    ClassType,
    Device,
    DictType,
    EnumType,
    FutureType,
    ListType,
    OptionalType,
    ScanError,
    Scanner,
    TensorType,
    TupleType,
    Type,
    UnionType,
    VarType,
    dtype_code,
    literal_text,
    match_type_variables,
    optional,
    parse_literal,
    parse_type,
    substitute_type_variables,
    unify_all,
    unify_types,
    union,
)

POINT = TupleType((INT, optional(STRING)), "__torch__.Point", ("x", "y"), (None,))


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ([INT, NONE], "int?"),
        ([NONE, INT], "int?"),
        ([INT], "int"),
        ([INT, INT], "int"),
        ([INT, FLOAT], "Union(float, int)"),
        ([COMPLEX, INT, FLOAT], "Scalar"),
        ([COMPLEX, NONE, INT, FLOAT], "Scalar?"),
        ([NUMBER, NONE], "Scalar?"),
        ([BOOL, INT], "Union(int, bool)"),
        ([INT, STRING, NONE], "Union(int, NoneType, str)"),
        ([optional(INT), optional(STRING)], "Union(int, NoneType, str)"),
        ([STRING, INT, FLOAT, COMPLEX], "Union(, str, Scalar)"),
        ([ListType(optional(INT)), ListType(INT)], "Union(int?[], int[])"),
        ([ListType(INT), ListType(optional(INT))], "Union(int?[], int[])"),
        ([TENSOR, NONE, ListType(TENSOR)], "Union(Tensor, Tensor[], NoneType)"),
        ([union([INT, STRING]), FLOAT], "Union(float, int, str)"),
        ([INT, ANY], "Any"),
        ([ListType(union([INT, FLOAT, COMPLEX])), INT], "Union(Scalar[], int)"),
    ],
)
def test_union_is_normalized(members: list[Type], text: str) -> None:
    assert str(union(members)) == text


def test_optional_does_not_nest() -> None:
    assert optional(optional(INT)) == optional(INT)
    assert optional(NONE) == NONE
    assert str(optional(union([INT, STRING, NONE]))) == "Union(int, str)?"


def test_named_tuple_texts() -> None:
    assert str(POINT) == "NamedTuple(x : int, y : str? = None)"
    assert POINT.schema_text == POINT.annotation == "__torch__.Point"
    assert str(ListType(POINT)) == "NamedTuple(x : int, y : str? = None)[]"
    assert str(DictType(STRING, POINT)) == "Dict(str, __torch__.Point)"
    assert POINT.field_default(0) is None
    assert POINT.field_default(1) == (None,)


def test_named_tuples_are_tuples_but_not_the_reverse() -> None:
    plain = TupleType(POINT.elements)
    renamed = TupleType(POINT.elements, "__torch__.Other", ("a", "b"))
    assert POINT.is_subtype_of(plain)
    assert not plain.is_subtype_of(POINT)
    assert not POINT.is_subtype_of(renamed)
    assert unify_types(POINT, TupleType((INT, STRING))) == plain


def test_futures_have_another_text_in_schemas() -> None:
    assert str(FutureType(INT)) == "Future[int]"
    assert FutureType(INT).schema_text == "Future(int)"
    assert str(DictType(STRING, FutureType(INT))) == "Dict(str, Future(int))"


def test_inferred_tensor_is_a_tensor_that_says_so() -> None:
    assert INFERRED_TENSOR == TENSOR
    assert INFERRED_TENSOR.message_text == "Tensor (inferred)"
    assert str(INFERRED_TENSOR) == INFERRED_TENSOR.annotation == "Tensor"


@pytest.mark.parametrize(
    "text",
    [
        "FloatTensor",
        "FloatTensor(device=cuda:1)",
        "Tensor(device=cpu)",
        "Tensor(2, 3)",
        "Tensor(2, device=cuda:1)",
        "Float()",
        "Float(*, *)",
        "ComplexDouble(2, requires_grad=1, device=cpu)",
        "BFloat16(2, 3, strides=[1, 2], requires_grad=0, device=meta)",
        "Dict(str, (int, str)[])",
        "NamedTuple(x : int, y : str? = None, z : float = 1.)",
        "Enum<__torch__.Colour>?",
        "Function",
        "__torch__.torch.classes.quantized.Conv2dPackedParamsBase[]",
    ],
)
def test_parse_type_reads_what_str_writes(text: str) -> None:
    assert str(parse_type(text)) == text


def test_classes_are_resolved_by_name() -> None:
    point = ClassType("__torch__.Point")
    point.add_attribute(ClassAttribute("x", INT))
    assert parse_type("__torch__.Point?", {"__torch__.Point": point}.get) == optional(point)
    assert point.attribute_type("x") == INT
    assert point.attribute_type("y") is None
    assert ClassType("__torch__.Point") != point
    assert parse_type("__torch__.Unknown") == parse_type("__torch__.Unknown")


def test_enums_are_equal_by_name() -> None:
    red = EnumType("__torch__.Colour", INT, (("RED", 1),))
    assert red == EnumType("__torch__.Colour", STRING)
    assert red.is_subtype_of(ANY_ENUM)
    assert str(red) == "Enum<__torch__.Colour>"
    assert red.annotation == "__torch__.Colour"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("int[", 4),
        ("(int", 4),
        ("Dict(int)", 5),
        ("Unknown", 0),
        ("Float(2, colour=3)", 9),
        ("int int", 4),
        ("Future", 6),
        ("int" + "[]" * 1000, 203),
        ("(" * 1000, 100),
    ],
)
def test_what_is_no_type_is_refused_with_its_place(text: str, position: int) -> None:
    with pytest.raises(ScanError) as caught:
        parse_type(text)
    assert caught.value.position == position


@given(st.text("int[]?(),Dicsr FloatUN*=12:<>.é", max_size=30))
def test_type_texts_raise_only_scan_errors(text: str) -> None:
    try:
        type = parse_type(text)
    except ScanError:
        return
    assert parse_type(str(type)) == type


T, KEY = VarType("t"), VarType("key")


@pytest.mark.parametrize(
    ("formal", "actual", "bindings"),
    [
        (T, INT, {"t": INT}),
        (ListType(T), ListType(STRING), {"t": STRING}),
        (ListType(T), TupleType((INT, INT)), {"t": INT}),
        (optional(T), INT, {"t": INT}),
        (optional(T), optional(INT), {"t": INT}),
        (DictType(KEY, T), DictType(STRING, INT), {"key": STRING, "t": INT}),
        (TupleType((T, KEY)), TupleType((INT, STRING)), {"t": INT, "key": STRING}),
        (FutureType(T), FutureType(TENSOR), {"t": TENSOR}),
        (INT, STRING, {}),
    ],
)
def test_type_variables_are_bound(formal: Type, actual: Type, bindings: dict[str, Type]) -> None:
    found: dict[str, Type] = {}
    assert match_type_variables(formal, actual, found) is None
    assert found == bindings


@pytest.mark.parametrize(
    ("formal", "actual", "reason"),
    [
        (ListType(T), INT, "Cannot match List[t] to int"),
        (ListType(T), TupleType((INT, STRING)), "Cannot match List[t] to Tuple[int, str]"),
        (
            optional(T),
            NONE,
            "Cannot match an Optional[T] to None, because there is no way to determine T from None",
        ),
        (DictType(KEY, T), INT, "Cannot match a dict to int"),
        (FutureType(T), INT, "Cannot match a future to int"),
        (TupleType((T,)), TupleType((INT, INT)), "Cannot match tuples of mismatched size"),
        (TupleType((T,)), INT, "Cannot match a tuple to int"),
    ],
)
def test_why_type_variables_do_not_match(formal: Type, actual: Type, reason: str) -> None:
    assert match_type_variables(formal, actual, {}) == reason


def test_a_type_variable_keeps_its_first_type() -> None:
    bindings: dict[str, Type] = {}
    assert match_type_variables(T, INT, bindings) is None
    assert match_type_variables(T, optional(INT), bindings) is None
    assert bindings == {"t": INT}
    assert match_type_variables(T, STRING, bindings) == (
        "Type variable 't' previously matched to type int is matched to type str"
    )


def test_substitution_of_type_variables() -> None:
    formal = TupleType((ListType(T), optional(KEY)))
    substituted = substitute_type_variables(formal, {"t": INT, "key": optional(STRING)})
    assert substituted == TupleType((ListType(INT), optional(STRING)))
    assert substitute_type_variables(formal, {"t": INT}) is None


def test_unification_of_many() -> None:
    assert unify_all([INT, NONE, INT]) == optional(INT)
    assert unify_all([INT, INT, STRING]) == (
        "Could not unify type list since element 2 of type str "
        "did not match the types before it (int)"
    )
    assert unify_all([INT, STRING], default_to_union=True) == union([INT, STRING])
    assert unify_all([]) == "Cannot get unified type from empty list"


def test_shapes_are_dropped_where_containers_must_agree() -> None:
    wide, narrow = TensorType("Float", (2, 3)), TensorType("Float", (2, 4))
    assert unify_types(wide, narrow) == TensorType("Float", (2, None))
    assert unify_types(ListType(wide), ListType(narrow)) == ListType(TENSOR)


def test_a_union_hint_settles_what_does_not_unify() -> None:
    hint = union([INT, STRING])
    assert unify_types(INT, STRING, hint=hint) == hint
    assert unify_types(INT, FLOAT, hint=hint) is None


def test_members_are_what_a_type_can_hold() -> None:
    type = union([INT, STRING])
    assert isinstance(type, UnionType)
    assert type.can_hold(INT)
    assert not type.can_hold(NUMBER)
    assert isinstance(optional(type), OptionalType)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1."),
        (-0.0, "-0."),
        (0.1, "0.10000000000000001"),
        (1e-5, "1.0000000000000001e-05"),
        (1e10, "10000000000"),
        (1e20, "1e+20"),
        (float("inf"), "inf"),
        (1j, "0.+1.j"),
        ([1.0, 2.5], "[1., 2.5]"),
        ((1, "a", None, True), "(1, a, None, True)"),
    ],
)
def test_literal_texts(value: object, text: str) -> None:
    assert literal_text(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-1.", -1.0),
        ("1e-05", 1e-05),
        (".5", 0.5),
        ("0x10", 16),
        ("inf", float("inf")),
        ("2j", 2j),
        (r"'a\n\'b'", "a\n'b"),
        (r'"\x41\101\u0041"', "AAA"),
        ("[1, (2, None), True]", [1, (2, None), True]),
    ],
)
def test_literals_are_read(text: str, value: object) -> None:
    assert parse_literal(Scanner(text)) == value


def test_a_scan_error_marks_its_place() -> None:
    scanner = Scanner("first\n  second third", 6)
    assert scanner.take_identifier() == "second"
    with pytest.raises(ScanError) as caught:
        scanner.expect("=")
    assert str(caught.value) == (
        "expected '=' but found 'third':\n  second third\n         ~ <--- HERE"
    )


def test_dtypes_by_all_their_names() -> None:
    assert dtype_code("float32") == dtype_code("float") == 6
    assert dtype_code("half") == 5
    assert dtype_code("uint16") == 27
    assert dtype_code("float33") is None


def test_devices() -> None:
    assert str(Device.parse("cuda:1")) == "cuda:1"
    assert Device.parse("cpu") == Device("cpu")
    for text in ("gpu", "cpu:", "cuda:x", "", "cuda:01"):
        with pytest.raises(ValueError, match="Invalid device string"):
            Device.parse(text)
