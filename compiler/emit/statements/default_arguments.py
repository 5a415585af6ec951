"""Default values of parameters: expressions that the compiler evaluates."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tsc.compiler.emit.acceptance import Acceptance, Reading
from tsc.compiler.emit.calls.call_hints import conversion_hint
from tsc.compiler.emit.calls.conversions import try_convert_to_type, unwrap_optional
from tsc.compiler.emit.names.module_constants import NotConstant as NotConstantExpression
from tsc.compiler.emit.names.module_constants import evaluate_constant, insert_module_constant
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.frontend.annotations import dotted_name
from tsc.compiler.frontend.tree_views import Expr
from tsc.compiler.ir import NOT_CONSTANT, NotConstant, Value, constant_value, prim
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import COMPLEX, FLOAT, NONE, OptionalType, TensorType, Type

_SEQUENCES = (prim.ListConstruct, prim.TupleConstruct, prim.EmptyListLiteral)


def evaluate_default(
    emitter: Emitter,
    tree: Expr,
    type: Type,
    list_size: int | None = None,
    *,
    name: str | None = None,
) -> object:
    """The value of a default; a list is a tuple, as schemas keep them.

    ``name`` is that of the parameter, for a hint. With a ``list_size``, one number may stand for the list.
    """
    scratch = emitter.scratch()
    scratch.acceptance = Acceptance(Reading.USUAL)  # Python evaluates defaults, whatever they name
    value = _emitted(scratch, tree, type)
    value = try_convert_to_type(tree.range, scratch, type, value, allow_conversions=True)
    default = _fold(scratch, value)
    if default is NOT_CONSTANT:
        raise CompileError(
            "the default value of a parameter must be a constant",
            tree.range,
            code=codes.DEFAULT_NOT_CONSTANT,
            hint="use None as default, and compute the value in the function",
        )
    if isinstance(default, int) and not isinstance(default, bool):
        number = type.element if isinstance(type, OptionalType) else type
        if number in (FLOAT, COMPLEX):
            return float(default) if number == FLOAT else complex(default)
    if list_size is not None and value.type in unwrap_optional(type).contained:
        return default
    if _is_undefined_tensor(value.type, type) and emitter.acceptance.reading is Reading.STRICT:
        return None
    if not value.type.is_subtype_of(type):
        raise CompileError(
            f"Expected a default value of type {type.message_text} but found "
            f"{value.type.message_text}",
            tree.range,
            code=codes.DEFAULT_MISMATCH,
            hint=None if name is None else _annotation_hint(name, tree, type, value.type),
        )
    return default


def _is_undefined_tensor(given: Type, declared: Type) -> bool:
    """None for a Tensor: PyTorch takes it, and whoever leaves out the argument gets a tensor that is none."""
    return given == NONE and isinstance(declared, TensorType)


def _emitted(scratch: Emitter, tree: Expr, type: Type) -> Value:
    """The default in a graph of its own; what programs cannot compute, ``"x" * 2``, Python may."""
    is_inferred = isinstance(type, TensorType) and type.inferred
    try:
        return scratch.emit_expression(tree, None if is_inferred else type)
    except CompileError:
        try:
            constant = evaluate_constant(tree, partial(_looked_up, scratch), _path_of(scratch))
        except NotConstantExpression:
            constant = NOT_CONSTANT
        if constant is NOT_CONSTANT:
            raise
    return insert_module_constant(scratch.graph, constant, tree.range, type)


def _looked_up(scratch: Emitter, tree: Expr) -> object:
    found = _fold(scratch, scratch.emit_expression(tree, None))
    if found is NOT_CONSTANT:
        raise NotConstantExpression(tree.range)
    return found


def _path_of(scratch: Emitter) -> Callable[[Expr], str | None]:
    def path_of(tree: Expr) -> str | None:
        name = dotted_name(tree)
        return None if name is None else scratch.resolver.qualified_name(name)

    return path_of


def _annotation_hint(name: str, default: Expr, declared: Type, given: Type) -> str | None:
    """The annotation with which the default fits, where one is missing or too narrow."""
    if given == NONE:
        return f"annotate it, as in `{name}: Optional[{declared.annotation}] = None`"
    if isinstance(declared, TensorType) and declared.inferred:
        return (
            f"{name} has no annotation, so it is a Tensor: annotate it, as in "
            f"`{name}: {given.annotation} = {default.range.text}`"
        )
    return conversion_hint(default.range.text, given, declared)


def _fold(scratch: Emitter, value: Value) -> object | NotConstant:
    """The value as a Python object, if constants are all that it depends on."""
    node = value.node
    if node.kind == prim.Constant:
        return constant_value(value)
    inputs = [_fold(scratch, operand) for operand in node.inputs]
    if any(operand is NOT_CONSTANT for operand in inputs):
        return NOT_CONSTANT
    if node.kind in _SEQUENCES:
        return tuple(inputs)
    if node.kind == prim.unchecked_cast:
        return inputs[0]
    if scratch.evaluate is None or node.operator is None:
        return NOT_CONSTANT
    results = scratch.evaluate(node, inputs)
    return NOT_CONSTANT if results is None or len(results) != 1 else results[0]
