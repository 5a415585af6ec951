"""An exported program as the `forward` of a module: attributes by path, arguments and results as it was called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.compiler.exir.exported_program import CallSpec, ExportedProgram
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.pytrees import TreeSpec
from tsc.compiler.exir.signature import InputKind, InputSpec
from tsc.compiler.exir.translation.argument_checks import check_arguments
from tsc.compiler.exir.translation.nested_values import built, nested_type, taken_apart
from tsc.compiler.exir.translation.programs import (
    program_scope,
    runnable,
    translate_program,
    type_of,
)
from tsc.compiler.exir.translation.scope import Scope, TranslationError
from tsc.compiler.ir import Graph, Value, prim
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import NONE, STRING, ClassType, Type

_LIFTED = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)


def forward_of_program(
    program: ExportedProgram, operators: OperatorTable, module: ClassType
) -> Graph:
    """The graph of a method of `module`, whose attributes are at the paths that inputs are lifted from.

    Raises:
        TranslationError: something in the program is not known, or TorchScript has no type for it.
    """
    program = runnable(program)
    scope = program_scope(program, operators)
    root = scope.graph.add_input("self", module)
    given: list[tuple[Node, InputSpec]] = []
    for node, spec in zip(program.graph.placeholders, program.graph_signature.input_specs):
        if spec.kind is InputKind.USER_INPUT:
            given.append((node, spec))
        elif spec.kind in _LIFTED:
            scope.values[node] = _attribute(scope, root, str(spec.target))
        else:
            raise TranslationError(f"{node.name} is a {spec.kind.value}, which modules have not")
    _add_arguments(scope, program, given)
    results = iter(translate_program(scope, program))
    scope.graph.register_output(built(scope, program.call_spec.out_spec, results, "the result"))
    return scope.graph


def _attribute(scope: Scope, owner: Value, path: str) -> Value:
    """What stands at a path of a module."""
    for name in path.split("."):
        node = scope.graph.create(prim.GetAttr, [owner]).set_attribute("name", name)
        kind = owner.type.attribute_type(name) if isinstance(owner.type, ClassType) else None
        if kind is None:
            raise TranslationError(f"there is no {path} in the module")
        owner = scope.graph.insert_node(node).output.set_type(kind)
    return owner


def _add_arguments(
    scope: Scope, program: ExportedProgram, given: list[tuple[Node, InputSpec]]
) -> None:
    """Arguments, their checks, and the values of their leaves."""
    arguments = list(_arguments(program.call_spec))
    if sum(spec.num_leaves for _, spec in arguments) != len(given):
        raise TranslationError("there are other arguments than inputs")
    types = iter([_leaf_type(node, spec) for node, spec in given])
    values = [
        scope.graph.add_input(name, nested_type(spec, types, name)) for name, spec in arguments
    ]
    taken = [
        leaf
        for (name, spec), value in zip(arguments, values)
        for leaf in taken_apart(scope, spec, value, name)
    ]
    leaves = zip(program.call_spec.leaf_names(), taken)
    checked: list[tuple[str, Value, Any]] = []
    for (node, spec), (name, leaf) in zip(given, leaves, strict=True):
        constant = spec.constant
        scope.values[node] = leaf
        known = node.meta.get("val") if constant is None else constant.value
        checked.append((name, leaf, known))
    check_arguments(scope, program, checked)


def _arguments(call_spec: CallSpec) -> Iterator[tuple[str, TreeSpec]]:
    """Names and forms of all arguments."""
    positional, named = call_spec.in_spec.children
    names = call_spec.argument_names
    for number, child in enumerate(positional.children):
        yield (names[number] if number < len(names) else f"argument_{number}"), child
    for name, child in zip(named.context, named.children, strict=True):
        yield str(name), child


def _leaf_type(node: Node, spec: InputSpec) -> Type:
    if spec.constant is None:
        return type_of(node.meta.get("val"))
    value = spec.constant.value
    if value is None:
        return NONE
    return STRING if isinstance(value, str) else type_of(value)
