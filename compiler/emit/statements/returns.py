"""``return``: the value, converted to the type that the function returns."""

from __future__ import annotations

from tsc.compiler.emit.calls.call_hints import conversion_hint
from tsc.compiler.emit.calls.conversions import try_convert_to_type
from tsc.compiler.emit.calls.missing_annotations import missing_annotation, type_error
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.frontend.tree_views import Return
from tsc.compiler.ir import Value, prim
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import ANY, NONE, TENSOR, Type, unify_types


def emit_return(emitter: Emitter, tree: Return) -> None:
    """Emit a ReturnStmt; the exit transform gives the value its way out."""
    declared = emitter.definitions[-1].declared_return_type
    value = emitter.emit_expression(tree.expr, declared)
    if declared is not None:
        value = _converted_return_value(emitter, tree, declared, value)
    returned = _record_return(emitter, tree.range, value.type)
    if returned == ANY and value.type != ANY:
        value = emitter.insert_unchecked_cast(value, ANY)
    emitter.insert(prim.ReturnStmt, [value], 0, tree.range)
    emitter.mark_exit()


def _converted_return_value(emitter: Emitter, tree: Return, declared: Type, value: Value) -> Value:
    if not (value.type.is_subtype_of(TENSOR) and value.type.is_subtype_of(NONE)):
        value = try_convert_to_type(tree.range, emitter, declared, value, allow_conversions=True)
    if value.type.is_subtype_of(declared):
        return value
    raise type_error(
        f"Return value was annotated as having type {declared.message_text} but is actually of "
        f"type {value.type.message_text}",
        tree.range,
        emitter,
        missing_annotation(value, declared),
        code=codes.RETURN_MISMATCH,
        notes=list(filter(None, [value.type.why_not_subtype_of(declared)])),
        hint=conversion_hint(tree.expr.range.text, value.type, declared),
    )


def _record_return(emitter: Emitter, range: SourceRange, type: Type) -> Type:
    """Note the type of one more return; the type that the function returns, as far as known."""
    context = emitter.definitions[-1]
    if context.declared_return_type is not None:
        context.merged_return_type = context.declared_return_type
        return context.declared_return_type
    before = context.merged_return_type or type
    merged = unify_types(before, type)
    if merged is None:
        raise CompileError(
            f"Previous return statement returned a value of type {before.message_text}, this one "
            f"returns {type.message_text}",
            range,
            code=codes.DIFFERENT_RETURNS,
            hint="annotate the return type, as in `-> Union[...]`",
        )
    context.merged_return_type = merged
    return merged
