"""``x[...]`` where it is read: items of lists, dicts, strings and tuples, parts of tensors."""

from __future__ import annotations

from tsc.compiler.emit.calls.conversions import convertible_to_list
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.subscripts.indexing import emit_multidimensional_indexing, indices_of
from tsc.compiler.emit.subscripts.slicing import (
    constant_bounds,
    emit_basic_slice,
    emit_bounds,
    insert_tuple_index,
)
from tsc.compiler.emit.sugared_values import SimpleValue, SliceValue, TupleValue
from tsc.compiler.emit.sugared_values.module_value import ModuleValue
from tsc.compiler.frontend.tree_views import SliceExpr, Subscript
from tsc.compiler.ir import NOT_CONSTANT, Value, constant_value
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import INT, TENSOR, ListType, TupleType, Type


def emit_subscript(emitter: Emitter, tree: Subscript, type_hint: Type | None) -> SugaredValue:
    sugared = emitter.emit_sugared_expression(tree.value, 1)
    if isinstance(sugared, ModuleValue | TupleValue):
        return _item_of_known(emitter, tree, sugared, type_hint)
    value = sugared.as_value(tree.value.range, emitter)
    indices = indices_of(tree)
    if len(indices) != 1:
        return _indexed(emitter, tree, value)
    if isinstance(indices[0], SliceExpr):
        return SimpleValue(emit_basic_slice(emitter, tree.range, value, indices[0]))
    if value.type.is_subtype_of(TENSOR):
        return _indexed(emitter, tree, value)
    index = emitter.emit_sugared_expression(indices[0], 1)
    if isinstance(index, SliceValue):
        return SimpleValue(emit_basic_slice(emitter, tree.range, value, index))
    position = index.as_value(indices[0].range, emitter)
    if isinstance(value.type, TupleType):
        return SimpleValue(_tuple_item(emitter, tree.range, value, value.type, position))
    return SimpleValue(value).get_item(tree.range, emitter, position, type_hint)


def _item_of_known(
    emitter: Emitter, tree: Subscript, owner: ModuleValue | TupleValue, type_hint: Type | None
) -> SugaredValue:
    """An element, or a slice, of what need not be first-class: containers of modules."""
    if isinstance(owner, ModuleValue) and "__getitem__" in owner.type.methods:
        return _called_item(emitter, tree, owner)
    indices = indices_of(tree)
    if len(indices) != 1:
        raise CompileError(
            f"{owner.kind} takes one index", tree.range, code=codes.NOT_SUBSCRIPTABLE
        )
    if isinstance(indices[0], SliceExpr):
        bounds = constant_bounds(emit_bounds(emitter, indices[0]), tree.range)
        if isinstance(owner, ModuleValue):
            return owner.slice(tree.range, emitter, bounds)
        return TupleValue(owner.elements[bounds])
    index = emitter.emit_expression(indices[0])
    return owner.get_item(tree.range, emitter, index, type_hint)


def _called_item(emitter: Emitter, tree: Subscript, owner: ModuleValue) -> SugaredValue:
    (index,) = [emitter.emit_expression(each) for each in indices_of(tree)]
    method = owner.attribute(tree.range, emitter, "__getitem__")
    return method.call(tree.range, emitter, [NamedValue(index, tree.range)], [], 1)


def _indexed(emitter: Emitter, tree: Subscript, value: Value) -> SugaredValue:
    indices = indices_of(tree)
    return SimpleValue(emit_multidimensional_indexing(emitter, tree.range, value, indices))


def _tuple_item(
    emitter: Emitter, range: SourceRange, value: Value, type: TupleType, index: Value
) -> Value:
    if index.type != INT:
        raise CompileError("tuple index must be an integer", range, code=codes.INVALID_TUPLE_INDEX)
    position = constant_value(index)
    if position is NOT_CONSTANT:
        return insert_tuple_index(emitter, value, index, _common_element(type, range))
    assert isinstance(position, int)
    length = len(type.elements)
    if not -length <= position < length:
        raise CompileError(
            f"Tuple index out of range. Tuple is length {length} and index is {position}",
            range,
            code=codes.INVALID_TUPLE_INDEX,
        )
    return insert_tuple_index(emitter, value, index, type.elements[position])


def _common_element(type: TupleType, range: SourceRange) -> Type:
    """The type of the elements, which an index that is not known yet needs to be one."""
    if type.elements and convertible_to_list(type, ListType(type.elements[0])):
        return type.elements[0]
    raise CompileError(
        f"Cannot index into a {type.message_text} by what is known only at run time, because we "
        "cannot resolve the output type: its items differ in type",
        range,
        code=codes.INVALID_TUPLE_INDEX,
        hint="use a constant index, or a list",
    )
