"""What PyTorch demands of hooks: parameters of ``forward`` as a tuple, its result, a declared result of their own."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import NONE, ClassType, TupleType, Type
from tsc.runtime.scripting.module_source import MethodSource

_FORWARD = "forward"


def check_pre_hook(hook: MethodSource) -> None:
    """Raises `CompileError` for a hook before ``forward`` that does not say what it returns."""
    definition = hook.definition
    if definition.decl.return_type is None:
        raise CompileError(
            f"Pre-hook '{definition.name.name}' is missing a return annotation",
            definition.name.range,
            code=codes.INVALID_CLASS,
            hint="write `-> None`, or the type of the arguments that it replaces: a tuple",
        )


def check_hooks(type: ClassType) -> None:
    """Raises `CompileError` for a hook whose types are not those of the module's ``forward``."""
    forward = type.methods.get(_FORWARD)
    if not isinstance(forward, Function):
        return
    given = TupleType(tuple(argument.type for argument in forward.schema.arguments[1:]))
    for name in type.forward_pre_hooks:
        schema_types, range = _parameters(type, name)
        _check(name, "input", schema_types, [given], range)
        returned = _function(type, name).schema.returns[0].type
        _check_replacement(name, returned, given, range)
    result = forward.schema.returns[0].type
    for name in type.forward_hooks:
        schema_types, range = _parameters(type, name)
        _check(name, "input and output", schema_types, [given, result], range)
        returned = _function(type, name).schema.returns[0].type
        result = result if returned == NONE else returned


def _function(type: ClassType, name: str) -> Function:
    function = type.methods[name]
    assert isinstance(function, Function)
    return function


def _parameters(type: ClassType, name: str) -> tuple[list[Type], SourceRange]:
    function = _function(type, name)
    return [argument.type for argument in function.schema.arguments[1:]], function.range


def _check(
    name: str, what: str, found: Sequence[Type], wanted: Sequence[Type], range: SourceRange
) -> None:
    if list(found) == list(wanted):
        return
    texts = [", ".join(each.annotation for each in types) for types in (wanted, found)]
    raise CompileError(
        f"Hook '{name}' has the wrong types for the {what}: expected {texts[0]}, received {texts[1]}",
        range,
        code=codes.INVALID_CLASS,
        hint="take the arguments of forward as one tuple, and after forward its result",
    )


def _check_replacement(name: str, returned: Type, given: TupleType, range: SourceRange) -> None:
    """New arguments are a tuple of all, or one alone."""
    allowed = [NONE, given, *(given.elements if len(given.elements) == 1 else ())]
    if returned not in allowed:
        _check(name, "result", [returned], [given], range)
