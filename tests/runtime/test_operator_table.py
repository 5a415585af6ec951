"""The whole table: every schema is PyTorch's, in PyTorch's order, and fits its kernel."""

from __future__ import annotations

import inspect
import keyword
from collections import defaultdict
from pathlib import Path

import pytest

from tsc.compiler.schema import Aliasing, Effects, Operator, parse_schema
from tsc.compiler.types import TypeKind
from tsc.runtime.operators import load

RECORDED = Path(__file__).parent / "recorded" / "schemas.txt"
OPERATORS = list(load().all())
OF_EXECUTORCH = "dim_order_ops::"
"""Operators of the Edge dialect, which PyTorch alone has not."""
TENSOR = TypeKind.TensorType


@pytest.fixture(scope="module")
def order() -> dict[str, list[str]]:
    """PyTorch's schemas by name, in the order in which it tries them."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for text in RECORDED.read_text(encoding="utf-8").splitlines():
        by_name[text.partition("(")[0].partition(".")[0]].append(text)
    return by_name


def test_schemas_read_and_print_as_they_are_written() -> None:
    assert [operator.text for operator in OPERATORS if str(operator.schema) != operator.text] == []


def test_every_schema_is_one_of_pytorch(order: dict[str, list[str]]) -> None:
    unknown = [operator.text for operator in OPERATORS if operator.text not in order[operator.name]]
    assert [each for each in unknown if not each.startswith(OF_EXECUTORCH)] == []


def test_overloads_are_tried_in_the_order_of_pytorch(order: dict[str, list[str]]) -> None:
    table = load()
    for name in _recorded(order) & set(table.names()):
        ranks = [order[name].index(operator.text) for operator in table.operators_for(name)]
        assert ranks == sorted(ranks), name


def _recorded(order: dict[str, list[str]]) -> set[str]:
    return {name for name, schemas in order.items() if schemas}


@pytest.mark.parametrize("name", load().names())
def test_kernels_take_what_their_schemas_say(name: str) -> None:
    for operator in load().operators_for(name):
        problem = _misfit(operator)
        assert problem is None, f"{operator.text}: {problem}"


def _misfit(operator: Operator) -> str | None:
    """What is wrong between a kernel's signature and its schema."""
    kernel = operator.kernel
    if kernel is None:
        return "no kernel"
    if operator.node_kernel or operator.schema.is_vararg:
        return None
    wanted = [_parameter_name(argument.name) for argument in operator.schema.arguments]
    functional = getattr(kernel, "functional", None)
    if functional is not None:
        return _variant_misfit(operator, functional, wanted)
    return _signature_misfit(kernel, wanted)


def _parameter_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _variant_misfit(operator: Operator, functional, wanted: list[str]) -> str | None:
    """An in-place form takes what its function takes, an ``out=`` form the outputs as well."""
    while hasattr(functional, "functional"):
        functional = functional.functional
    if operator.name.endswith("_"):
        return _signature_misfit(functional, wanted, named_from=1)
    outputs = sum(
        argument.kwarg_only and argument.is_write for argument in operator.schema.arguments
    )
    return _signature_misfit(functional, wanted[: len(wanted) - outputs])


def _signature_misfit(kernel, wanted: list[str], named_from: int = 0) -> str | None:
    try:
        parameters = list(inspect.signature(kernel).parameters.values())
    except ValueError:
        return None
    if parameters and parameters[-1].kind is parameters[-1].VAR_POSITIONAL:
        fits = len(parameters) - 1 <= len(wanted)
        return None if fits else f"takes at least {len(parameters) - 1} arguments"
    if len(parameters) != len(wanted):
        return f"takes {len(parameters)} arguments instead of {len(wanted)}"
    if _is_tensor_kernel(kernel):
        names = [parameter.name for parameter in parameters]
        if names[named_from:] != wanted[named_from:]:
            return f"parameters {names} instead of {wanted}"
    return None


def _is_tensor_kernel(kernel) -> bool:
    """Whether a kernel is of a family of tensors: its parameters are named as the schema's."""
    return inspect.isfunction(kernel) and "Tensor" in kernel.__globals__


def test_first_names_are_operators_of_the_same_overload_and_have_no_other_name() -> None:
    for operator in OPERATORS:
        if operator.first_name is None:
            continue
        first = load().find(operator.first_name, operator.overload_name)
        assert first is None or first.first_name is None, operator.text
        assert load().operators_for(operator.first_name), operator.text


def test_operators_that_take_a_stream_of_random_numbers_are_random() -> None:
    random = (Effects.RANDOM, Effects.RANDOM_IN_TRAINING, Effects.SIDE_EFFECT)
    for operator in OPERATORS:
        takes_generator = any(each.name == "generator" for each in operator.schema.arguments)
        if takes_generator and not operator.is_mutable:
            assert operator.effects in random, operator.text


def test_exceptions_of_aliasing_are_where_the_arguments_are_that_they_mean() -> None:
    for operator in OPERATORS:
        names = [argument.name for argument in operator.schema.arguments]
        match operator.aliasing:
            case Aliasing.WRITES_STATISTICS:
                assert names[3:5] == ["running_mean", "running_var"]
                assert operator.schema.arguments[5].type.kind is TypeKind.BoolType
            case Aliasing.READS_LIST:
                assert operator.schema.arguments[0].type.kind is TypeKind.ListType
            case _:
                pass


def test_layouts_are_of_tensors() -> None:
    for operator in OPERATORS:
        if operator.layout is not None:
            assert any(each.type.kind is TENSOR for each in operator.schema.returns)


def test_lowerings_are_of_numbers_and_lists() -> None:
    for operator in OPERATORS:
        if operator.lowering is not None:
            assert all(each.type.kind is not TENSOR for each in operator.schema.arguments)


def test_a_schema_that_does_not_fit_is_noticed() -> None:
    operator = Operator("aten::relu(Tensor self) -> Tensor", lambda self, other: self)
    assert _misfit(operator) == "takes 2 arguments instead of 1"
    assert str(parse_schema(operator.text)) == operator.text
