"""Attributes, methods, unpacking, items and iteration of first-class values."""

import pytest

from tests.emit.stand_in import RANGE, StandIn
from tsc.compiler.emit.sugared_values import (
    BuiltinFunction,
    SimpleValue,
    SpecialFormValue,
    TupleValue,
)
from tsc.compiler.ir import constant_value
from tsc.compiler.source import CompileError
from tsc.compiler.types import (
    ANY_TUPLE,
    BOOL,
    DEVICE,
    INFERRED_TENSOR,
    INT,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)

POINT = TupleType((INT, TENSOR), "__torch__.Point", ("x", "y"))


def sugared(emitter: StandIn, type: Type = INFERRED_TENSOR) -> SimpleValue:
    return SimpleValue(emitter.input("v", type))


@pytest.mark.parametrize(
    ("type", "name", "kind", "result"),
    [
        (TENSOR, "dtype", "prim::dtype", "int"),
        (TENSOR, "device", "prim::device", "Device"),
        (TENSOR, "shape", "aten::size", "int[]"),
        (TENSOR, "ndim", "aten::dim", "int"),
        (TENSOR, "T", "aten::numpy_T", "Tensor"),
        (TENSOR, "H", "aten::matrix_H", "Tensor"),
        (TENSOR, "mT", "aten::mT", "Tensor"),
        (TENSOR, "real", "aten::real", "Tensor"),
        (TENSOR, "is_leaf", "aten::is_leaf", "bool"),
        (TENSOR, "requires_grad", "prim::requires_grad", "bool"),
        (TENSOR, "grad", "prim::grad", "Tensor"),
        (DEVICE, "type", "prim::type", "str"),
        (DEVICE, "index", "prim::index", "int?"),
        (POINT, "y", "prim::TupleIndex", "Tensor"),
    ],
)
def test_attributes_are_operators(type: Type, name: str, kind: str, result: str) -> None:
    emitter = StandIn()
    value = sugared(emitter, type).attribute(RANGE, emitter, name).as_value(RANGE, emitter)
    assert (value.node.kind, str(value.type)) == (kind, result)


@pytest.mark.parametrize(
    ("type", "name", "operator"),
    [
        (TENSOR, "relu", "aten::relu"),
        (TENSOR, "type", "aten::to"),
        (STRING, "upper", "aten::upper"),
        (ListType(INT), "append", "aten::append"),
        (DictType(STRING, INT), "items", "aten::items"),
    ],
)
def test_methods_are_operators_with_a_self(type: Type, name: str, operator: str) -> None:
    emitter = StandIn()
    method = sugared(emitter, type).attribute(RANGE, emitter, name)
    assert isinstance(method, BuiltinFunction)
    assert method.name == operator
    assert method.self_argument is not None


def test_a_cast_in_a_method_s_name_calls_to() -> None:
    emitter = StandIn()
    value = emitter.call_value(sugared(emitter).attribute(RANGE, emitter, "double"))
    assert value.node.kind == "aten::to"
    assert [constant_value(each) for each in value.node.inputs[1:]] == [7, False, False, None]


def test_tolist_is_left_to_the_emitter() -> None:
    emitter = StandIn()
    form = sugared(emitter).attribute(RANGE, emitter, "tolist")
    assert isinstance(form, SpecialFormValue)
    assert form.form == "prim::tolist"


@pytest.mark.parametrize(
    ("type", "name", "message", "hint"),
    [
        (
            INFERRED_TENSOR,
            "viow",
            "'Tensor (inferred)' object has no attribute or method 'viow'.",
            "did you mean 'view'?",
        ),
        (
            OptionalType(TENSOR),
            "relu",
            "'Optional[Tensor]' object has no attribute or method 'relu'.",
            "it may be None here: check `is not None` first",
        ),
        (INT, "sign", "'int' object has no attribute or method 'sign'.", None),
        (
            POINT,
            "z",
            "'__torch__.Point' object has no attribute or method 'z'.",
            "its fields are x, y",
        ),
    ],
)
def test_unknown_attributes_are_refused(
    type: Type, name: str, message: str, hint: str | None
) -> None:
    emitter = StandIn()
    with pytest.raises(CompileError) as caught:
        sugared(emitter, type).attribute(RANGE, emitter, name)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_tuples_are_unpacked_and_lists_only_with_a_known_number_of_targets() -> None:
    emitter = StandIn()
    pair = sugared(emitter, TupleType((INT, STRING))).as_tuple(RANGE, emitter)
    assert [each.as_value(RANGE, emitter).type for each in pair] == [INT, STRING]
    numbers = sugared(emitter, ListType(INT))
    assert len(numbers.as_tuple(RANGE, emitter, 3)) == 3
    assert emitter.kinds() == ["prim::TupleUnpack", "prim::ListUnpack"]
    with pytest.raises(CompileError, match="cannot statically infer the expected size of a list"):
        numbers.as_tuple(RANGE, emitter)


@pytest.mark.parametrize(
    ("type", "message"),
    [
        (INFERRED_TENSOR, r"Tensor \(inferred\) cannot be used as a tuple"),
        (INT, "int cannot be used as a tuple"),
        (ANY_TUPLE, "Provided tuple is not fully defined/refined"),
    ],
)
def test_other_things_are_no_tuples(type: Type, message: str) -> None:
    emitter = StandIn()
    with pytest.raises(CompileError, match=message):
        sugared(emitter, type).as_tuple(RANGE, emitter, 2)


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        (TENSOR, "aten::select"),
        (ListType(INT), "aten::__getitem__"),
        (STRING, "aten::__getitem__"),
        (DictType(INT, INT), "aten::__getitem__"),
    ],
)
def test_items(type: Type, kind: str) -> None:
    emitter = StandIn()
    index = emitter.argument(0).value
    item = sugared(emitter, type).get_item(RANGE, emitter, index)
    assert item.as_value(RANGE, emitter).node.kind == kind


def test_iteration_runs_over_keys_of_dicts_and_elements_of_tuples() -> None:
    emitter = StandIn()
    keys = sugared(emitter, DictType(STRING, INT)).iterator(RANGE, emitter)
    assert keys.as_value(RANGE, emitter).node.kind == "aten::keys"
    elements = sugared(emitter, TupleType((INT, BOOL))).iterator(RANGE, emitter)
    assert isinstance(elements, TupleValue)
    assert elements.static_length() == 2
    with pytest.raises(CompileError, match="'int' object is not iterable"):
        sugared(emitter, INT).iterator(RANGE, emitter)


def test_a_value_can_neither_be_called_nor_assigned_to() -> None:
    emitter = StandIn()
    value = sugared(emitter, TENSOR)
    with pytest.raises(CompileError, match="cannot call a value of type 'Tensor'"):
        emitter.call(value)
    with pytest.raises(CompileError, match="Tried to set an attribute: data on a non-class"):
        value.set_attribute(RANGE, emitter, "data", value.value)


def test_only_named_tuples_can_be_asked_for_their_attributes() -> None:
    emitter = StandIn()
    assert sugared(emitter, POINT).has_attribute(RANGE, emitter, "x")
    assert not sugared(emitter, POINT).has_attribute(RANGE, emitter, "z")
    with pytest.raises(CompileError, match="hasattr's first argument must be an object"):
        sugared(emitter).has_attribute(RANGE, emitter, "x")
