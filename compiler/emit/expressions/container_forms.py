"""``list(...)`` and ``dict(...)``."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.calls.call_arguments import check_argument_count
from tsc.compiler.emit.construction import insert_list, insert_tuple
from tsc.compiler.emit.expressions.comprehensions import DictBuilder, ListBuilder
from tsc.compiler.emit.expressions.container_hints import DictHint, refuse_choice_for_call
from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.statements.control_flow import emit_for_each_of
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.frontend.tree_views import Apply, Attribute, Ident, ListLiteral, TupleLiteral, Var
from tsc.compiler.ir import Value, aten, prim
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import ANY_LIST, STRING, TENSOR, DictType, ListType, Type, unify_all


def emit_list_form(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``list(x)``: a copy of a list, the characters of a string, the elements of an iterable."""
    if not tree.inputs and not tree.attributes:
        return SimpleValue(_empty_list(emitter, tree, type_hint))
    check_argument_count(tree, 1)
    sugared = emitter.emit_sugared_expression(tree.inputs[0], 1)
    if isinstance(sugared, SimpleValue):
        type = sugared.value.type
        if type.is_subtype_of(ANY_LIST) or type.is_subtype_of(STRING):
            copy = emit_builtin_values(tree.range, emitter, aten.list, [sugared.value])
            return SimpleValue(copy)
    return SimpleValue(_collect(emitter, tree, sugared, type_hint))


def _empty_list(emitter: Emitter, tree: Apply, type_hint: Type | None) -> Value:
    type = type_hint or ListType(TENSOR)
    if not isinstance(type, ListType):
        raise CompileError(
            f"Expected list type annotation for list(), which cannot make a {type.message_text}",
            tree.range,
            code=codes.CONTAINER_MISMATCH,
        )
    return insert_list(emitter.graph, type.element, [])


def _collect(
    emitter: Emitter, tree: Apply, iterated: SugaredValue, type_hint: Type | None
) -> Value:
    """``[element for element in iterated]``"""
    builder = ListBuilder(emitter, tree.range, type_hint)
    element = _temporary(emitter, tree, "$_elem")
    with emitter.local_variables(tree.range):
        emit_for_each_of(
            emitter,
            tree.range,
            [element],
            iterated,
            lambda: builder.append(emitter.emit_expression(element)),
        )
    return builder.list


def _temporary(emitter: Emitter, tree: Apply, prefix: str) -> Var:
    return Var(tree.range, Ident(tree.range, emitter.temporary_name(prefix)))


# -- dict ------------------------------------------------------------------------------------


def emit_dict_form(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``dict(x, key=value)``: a copy of a dict, or a dict of the pairs of an iterable."""
    if len(tree.inputs) > 1:
        raise CompileError(
            f"dict expected exactly 1 arguments but found {len(tree.inputs)}",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    refuse_choice_for_call(tree.range, type_hint)
    if _is_empty(tree):
        type = DictHint(tree.range, type_hint).type_of_empty()
        return SimpleValue(emitter.insert(prim.DictConstruct).output.set_type(type))
    if not tree.inputs:
        pairs = _pair_list(emitter, tree, _keyword_pairs(emitter, tree.attributes))
        return SimpleValue(_collect_pairs(emitter, tree, SimpleValue(pairs), type_hint))
    argument = tree.inputs[0]
    if isinstance(argument, ListLiteral):
        pairs = emitter.emit_values(argument.inputs) + _keyword_pairs(emitter, tree.attributes)
        pair_list = _pair_list(emitter, tree, pairs)
        return SimpleValue(_collect_pairs(emitter, tree, SimpleValue(pair_list), type_hint))
    sugared = emitter.emit_sugared_expression(argument, 1)
    if isinstance(sugared, SimpleValue) and isinstance(sugared.value.type, DictType):
        result = emit_builtin_values(tree.range, emitter, aten.dict, [sugared.value])
    else:
        result = _collect_pairs(emitter, tree, sugared, type_hint)
    _set_keywords(emitter, tree.attributes, result)
    return SimpleValue(result)


def _is_empty(tree: Apply) -> bool:
    if tree.attributes:
        return False
    return not tree.inputs or (
        isinstance(tree.inputs[0], ListLiteral) and not tree.inputs[0].inputs
    )


def _keyword_pairs(emitter: Emitter, attributes: Sequence[Attribute]) -> list[Value]:
    pairs: list[Value] = []
    for attribute in attributes:
        key = emitter.graph.insert_constant(attribute.name.name, range=attribute.name.range)
        value = emitter.emit_expression(attribute.value)
        pairs.append(insert_tuple(emitter.graph, [key, value]))
    return pairs


def _pair_list(emitter: Emitter, tree: Apply, pairs: list[Value]) -> Value:
    type = unify_all([pair.type for pair in pairs], default_to_union=True)
    if not isinstance(type, Type):
        raise CompileError(type, tree.range, code=codes.MIXED_ELEMENTS)
    return insert_list(emitter.graph, type, pairs)


def _set_keywords(emitter: Emitter, attributes: Sequence[Attribute], target: Value) -> None:
    for attribute in attributes:
        key = emitter.graph.insert_constant(attribute.name.name, range=attribute.name.range)
        value = emitter.emit_expression(attribute.value)
        emit_builtin_values(attribute.range, emitter, aten.set_item, [target, key, value])


def _collect_pairs(
    emitter: Emitter, tree: Apply, iterated: SugaredValue, type_hint: Type | None
) -> Value:
    """``{key: value for key, value in iterated}``"""
    builder = DictBuilder(emitter, tree.range, type_hint)
    key, value = _temporary(emitter, tree, "$_key"), _temporary(emitter, tree, "$_value")

    def emit_item() -> None:
        builder.set_item(emitter.emit_expression(key), emitter.emit_expression(value))

    target = TupleLiteral(tree.range, [key, value])
    with emitter.local_variables(tree.range):
        emit_for_each_of(emitter, tree.range, [target], iterated, emit_item)
    return builder.dict
