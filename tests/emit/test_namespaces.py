"""What the names of the known modules, and Python's own, stand for."""

import math

import pytest

from tests.emit.stand_in import RANGE, StandIn
from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.emit.sugared_values import (
    BooleanDispatchValue,
    BuiltinFunction,
    BuiltinModule,
    FunctionValue,
    LegacyTensorConstructor,
    NamespaceValue,
    SpecialFormValue,
    TypeValue,
)
from tsc.compiler.emit.sugared_values.python_builtins import (
    GLOBALS,
    exception_class,
    refuse_unsupported_builtin,
)
from tsc.compiler.ir import Function, constant_value
from tsc.compiler.schema import parse_schema
from tsc.compiler.source import CompileError
from tsc.compiler.types import BOOL, INT, STRING, DictType, ListType

LIBRARY = (
    "relu(Tensor input, bool inplace=False) -> Tensor",
    "_max_pool2d(Tensor input, int[2] kernel_size) -> Tensor",
    "max_pool2d_with_indices(Tensor input, int[2] kernel_size) -> (Tensor, Tensor)",
)
FUNCTIONAL = {
    f"__torch__.torch.nn.functional.{text.partition('(')[0]}": parse_schema(text)
    for text in LIBRARY
}
NORM = "__torch__.torch.functional.norm"


def library(qualified_name: str) -> Function | None:
    if qualified_name == NORM:
        return Function(NORM, schema=parse_schema("norm(Tensor input, str? p=None) -> Tensor"))
    schema = FUNCTIONAL.get(qualified_name)
    return None if schema is None else Function(qualified_name, schema=schema)


def look_up(emitter: StandIn, path: str, *, imported: bool = True) -> SugaredValue:
    first, *names = path.split(".")
    found: SugaredValue = NamespaceValue(first, library, operators_first=not imported)
    for name in names:
        found = found.attribute(RANGE, emitter, name)
    return found


@pytest.mark.parametrize(
    ("path", "operator"),
    [
        ("torch.relu", "aten::relu"),
        ("torch.einsum", "aten::einsum"),
        ("torch.split", "aten::split"),
        ("torch.tensor", "aten::tensor"),
        ("torch.device", "aten::device"),
        ("torch.linalg.inv", "aten::linalg_inv"),
        ("torch.fft.rfft", "aten::fft_rfft"),
        ("torch.special.erf", "aten::special_erf"),
        ("torch._C._nn.gelu", "aten::gelu"),
        ("torch.ops.aten.relu", "aten::relu"),
        ("torch.ops.prim.NumToTensor", "prim::NumToTensor"),
        ("torch.nn.functional.linear", "aten::linear"),
        ("torch.nn.functional.logsigmoid", "aten::log_sigmoid"),
        ("torch.jit.wait", "aten::wait"),
        ("torch.autograd.grad", "aten::grad"),
        ("math.sqrt", "aten::sqrt"),
        ("math.remainder", "aten::mathremainder"),
        ("cmath.phase", "aten::angle"),
        ("warnings.warn", "aten::warn"),
    ],
)
def test_functions_are_operators(path: str, operator: str) -> None:
    found = look_up(StandIn(), path)
    assert isinstance(found, BuiltinFunction)
    assert found.name == operator


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("torch.float32", 6),
        ("torch.int", 3),
        ("torch.bool", 11),
        ("torch.channels_last", 2),
        ("torch.strided", 0),
        ("torch.inf", math.inf),
        ("math.pi", math.pi),
        ("math.tau", math.tau),
        ("cmath.infj", complex(0, math.inf)),
    ],
)
def test_names_of_numbers_are_constants(path: str, value: object) -> None:
    emitter = StandIn()
    found = look_up(emitter, path).as_value(RANGE, emitter)
    assert constant_value(found) == value


def test_other_kinds_of_names() -> None:
    emitter = StandIn()
    annotate = look_up(emitter, "torch.jit.annotate")
    assert isinstance(annotate, SpecialFormValue)
    assert annotate.form == "prim::annotate"
    constructor = look_up(emitter, "torch.LongTensor")
    assert isinstance(constructor, LegacyTensorConstructor)
    assert constructor.dtype == 4
    assert isinstance(look_up(emitter, "typing.List"), TypeValue)
    assert isinstance(look_up(emitter, "torch.nn.functional"), NamespaceValue)


def test_functions_of_the_library_are_called() -> None:
    emitter = StandIn()
    relu = look_up(emitter, "torch.nn.functional.relu")
    value = emitter.call_value(relu, emitter.input("x"))
    assert value.node.kind == "prim::CallFunction"
    assert [constant_value(each) for each in value.node.inputs[2:]] == [False]


def test_a_pooling_function_depends_on_a_constant_flag() -> None:
    emitter = StandIn()
    pool = look_up(emitter, "torch.nn.functional.max_pool2d")
    assert isinstance(pool, BooleanDispatchValue)
    x = emitter.input("x")
    plain = emitter.call_value(pool, x, 2)
    assert str(plain.type) == "Tensor"
    assert len(plain.node.inputs[2].node.inputs) == 2
    with pytest.raises(CompileError, match="for boolean dispatch was not constant"):
        emitter.call(pool, x, 2, return_indices=emitter.input("flag", BOOL))


def test_a_function_of_the_library_hides_an_operator_only_if_torch_is_imported() -> None:
    emitter = StandIn()
    x = emitter.input("x")
    assert isinstance(look_up(emitter, "torch.norm"), FunctionValue)
    norm = look_up(emitter, "torch.norm", imported=False)
    assert emitter.call_value(norm, x, 2).node.kind == "aten::norm"
    assert emitter.call_value(norm, x, p="fro").node.kind == "prim::CallFunction"


@pytest.mark.parametrize(
    ("path", "message", "hint"),
    [
        ("torch.sigmoyd", "no attribute sigmoyd", None),
        ("torch.sigmoyd", "Unknown builtin op: aten::sigmoyd.", None),
        ("torch.sigmoyd", "\taten::sigmoid\n", None),
        ("math.sqr", "object has no attribute sqr", "did you mean 'math.sqrt'?"),
        ("math.trunc", "Python builtin math.trunc is currently not supported", None),
        (
            "torch.nn.functional.frobnicate",
            "object has no attribute frobnicate",
            "'torch.nn.functional.frobnicate' is not implemented or does not exist",
        ),
        ("torch.nn.Linear", "Cannot instantiate class 'Linear' in a script function", "call"),
    ],
)
def test_unknown_names_are_refused(path: str, message: str, hint: str | None) -> None:
    with pytest.raises(CompileError) as caught:
        look_up(StandIn(), path)
    assert message in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")


def test_serialized_code_names_operators_freely() -> None:
    emitter = StandIn()
    found = BuiltinModule("aten").attribute(RANGE, emitter, "__getitem__")
    assert emitter.call_value(found, [1, 2], 0).type == INT


def test_no_grad_makes_an_object_for_a_with_statement() -> None:
    emitter = StandIn()
    value = emitter.call_value(look_up(emitter, "torch.no_grad"))
    assert str(value.type) == "__torch__.torch.autograd.grad_mode.no_grad"
    assert emitter.kinds() == ["prim::CreateObject", "prim::CallMethod"]


@pytest.mark.parametrize(
    ("name", "argument", "kind"),
    [
        ("int", 2.5, "aten::Int"),
        ("float", 2, "aten::Float"),
        ("str", 2, "aten::str"),
        ("bool", 2, "aten::Bool"),
        ("len", [1], "aten::len"),
        ("abs", -2, "prim::abs"),
        ("sum", [1, 2], "aten::sum"),
        ("round", 2.5, "aten::round"),
        ("sorted", [2, 1], "aten::sorted"),
        ("ord", "a", "aten::ord"),
    ],
)
def test_functions_of_python(name: str, argument: object, kind: str) -> None:
    emitter = StandIn()
    assert emitter.call_value(GLOBALS[name], argument).node.kind == kind


def test_a_cast_to_the_type_a_value_has_does_nothing() -> None:
    emitter = StandIn()
    value = emitter.argument("text").value
    assert emitter.call_value(GLOBALS["str"], value) is value


@pytest.mark.parametrize("type", [ListType(INT), STRING, DictType(INT, INT)])
def test_containers_are_true_unless_empty(type: ListType) -> None:
    emitter = StandIn()
    value = emitter.call_value(GLOBALS["bool"], emitter.input("c", type))
    assert emitter.kinds() == ["aten::len", "aten::gt"]
    assert value.type == BOOL


def test_print_takes_values_and_no_keywords() -> None:
    emitter = StandIn()
    result = emitter.call(GLOBALS["print"], 1, "a")
    assert emitter.kinds() == ["prim::Print"]
    with pytest.raises(CompileError, match="None cannot be used as a value"):
        result.as_value(RANGE, emitter)
    with pytest.raises(CompileError, match="print doesn't accept any keyword arguments"):
        emitter.call(GLOBALS["print"], sep="a")


def test_exceptions_have_messages_and_classes() -> None:
    emitter = StandIn()
    error = exception_class("ValueError")
    assert error is not None
    assert exception_class("len") is None
    message = emitter.call(error, "too small")
    assert message.kind == "exception message"


def test_what_python_has_and_torchscript_has_not_is_refused_by_name() -> None:
    with pytest.raises(CompileError) as caught:
        refuse_unsupported_builtin("map", RANGE)
    assert "'map' is currently not supported" in caught.value.message
    assert caught.value.hint == "write a list comprehension"
    refuse_unsupported_builtin("no_such_builtin", RANGE)
