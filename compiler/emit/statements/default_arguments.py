"""Default values of parameters: expressions that the compiler evaluates."""

from __future__ import annotations

from tsc.compiler.emit.acceptance import Acceptance, Reading
from tsc.compiler.emit.calls.call_hints import conversion_hint
from tsc.compiler.emit.calls.conversions import try_convert_to_type, unwrap_optional
from tsc.compiler.emit.protocols import Emitter
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
    is_inferred = isinstance(type, TensorType) and type.inferred
    value = scratch.emit_expression(tree, None if is_inferred else type)
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
    if not value.type.is_subtype_of(type):
        raise CompileError(
            f"Expected a default value of type {type.message_text} but found "
            f"{value.type.message_text}",
            tree.range,
            code=codes.DEFAULT_MISMATCH,
            hint=None if name is None else _annotation_hint(name, tree, type, value.type),
        )
    return default


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
