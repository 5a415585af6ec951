"""Calls of operators with a schema."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import Target
from tsc.compiler.exir.translation.casts import with_casts
from tsc.compiler.exir.translation.scope import (
    Scope,
    Translated,
    TranslationError,
    plain_constant,
    unknown_call,
)
from tsc.compiler.exir.translation.truth_values import Given, with_truth_values
from tsc.compiler.ir import Value, prim
from tsc.compiler.schema import Operator
from tsc.compiler.schema.argument import Argument as SchemaArgument
from tsc.compiler.types import FLOAT, NUMBER, TENSOR, ListType, OptionalType, Type


def translate_operator(scope: Scope, node: Node, target: Target) -> Translated:
    """The results of a call of an operator."""
    operator = scope.operators.find(target.name, target.overload)
    if operator is None:
        raise unknown_call(node)
    operator, given = with_truth_values(scope, node, operator, list(_given(node, operator)))
    scope = with_casts(scope, node, operator, [e for _, e in given if not isinstance(e, Value)])
    if any(_is_number_for_tensor(scope, argument, each) for argument, each in given):
        return _call_with_numbers(scope, target, given)
    inputs = [_value(scope, each, argument.type) for argument, each in given]
    returns = operator.schema.returns
    call = scope.graph.insert_node(scope.graph.create(operator, inputs, len(returns)))
    for output, each in zip(call.outputs, returns, strict=True):
        output.set_type(each.type)
    return list(call.outputs) if len(returns) > 1 else call.output if returns else None


def _given(node: Node, operator: Operator) -> Iterator[tuple[SchemaArgument, Argument | Value]]:
    """The arguments in the order of the schema, defaults filled in."""
    for place, argument in enumerate(operator.schema.arguments):
        if place < len(node.args):
            yield argument, node.args[place]
        elif argument.name in node.kwargs:
            yield argument, node.kwargs[argument.name]
        elif argument.has_default:
            default = argument.default
            yield argument, list(default) if isinstance(default, tuple) else default  # type: ignore[misc]
        else:
            raise TranslationError(f"{node.name} gives no argument {argument.name}")


def _is_number_for_tensor(scope: Scope, argument: SchemaArgument, given: Argument | Value) -> bool:
    """PyTorch calls ``add.Tensor`` with a number, which takes no part in finding the dtype."""
    if argument.type is not TENSOR:
        return False
    if isinstance(given, Node):
        value = scope.values.get(given)
        return isinstance(value, Value) and value.type.is_subtype_of(NUMBER)
    return isinstance(given, int | float | complex)


def _call_with_numbers(scope: Scope, target: Target, given: Given) -> Translated:
    """The overload for numbers, found as that of a call in a program."""
    args = [_value(scope, each, None) for argument, each in given if not argument.kwarg_only]
    kwargs: dict[str, object] = {
        argument.name: _value(scope, each, argument.type)
        for argument, each in given
        if argument.kwarg_only and each != argument.default
    }
    return scope.graph.insert(target.name, args, kwargs)


def _value(scope: Scope, given: Argument | Value, wanted: Type | None) -> Value:
    """An argument as a value of the type that is wanted."""
    if isinstance(given, Value):
        return given
    element = _element_type(wanted)
    if isinstance(given, list | tuple):
        return _list(scope, list(given), element)
    if isinstance(given, Node):
        return _node_value(scope, given, wanted, element)
    constant = plain_constant(given)
    if element is not None and constant is not None:
        return _list(scope, [given], element)
    is_float = wanted is not None and FLOAT in (wanted, _inner(wanted))
    if is_float and type(constant) is int:
        constant = float(constant)
    if type(constant) is bool and wanted in (NUMBER, OptionalType(NUMBER)):
        constant = int(constant)
    return scope.graph.insert_constant(constant)


def _node_value(scope: Scope, node: Node, wanted: Type | None, element: Type | None) -> Value:
    found = scope.values.get(node)
    if isinstance(found, list) and element is not None:
        return _list_of(scope, found, element)
    value = scope.value(node)
    if element is not None and not isinstance(value.type, ListType):
        return _list_of(scope, [value], element)
    if wanted in (FLOAT, OptionalType(FLOAT)) and not value.type.is_subtype_of(FLOAT):
        return scope.insert("aten::Float", value)
    return value


def _list(scope: Scope, given: list[Argument], element: Type | None) -> Value:
    """A list: a constant if all in it are, and of numbers."""
    if element is None:
        raise TranslationError("a list stands where none is wanted")
    nested = isinstance(element, ListType)
    if (
        nested
        or element.is_subtype_of(OptionalType(TENSOR))
        or any(isinstance(e, Node) for e in given)
    ):
        return _list_of(scope, [_value(scope, each, element) for each in given], element)
    constants = [plain_constant(each) for each in given]
    if element is FLOAT:
        constants = [float(each) if isinstance(each, int) else each for each in constants]
    return scope.graph.insert_constant(constants, ListType(element))


def _list_of(scope: Scope, values: list[Value], element: Type) -> Value:
    node = scope.graph.insert_node(scope.graph.create(prim.ListConstruct, values))
    return node.output.set_type(ListType(element))


def _element_type(wanted: Type | None) -> Type | None:
    """Of a list type, in an Optional or not."""
    inner = None if wanted is None else _inner(wanted)
    return inner.element if isinstance(inner, ListType) else None


def _inner(wanted: Type) -> Type:
    return wanted.element if isinstance(wanted, OptionalType) else wanted
