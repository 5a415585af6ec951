"""Literals: numbers, strings, lists, dicts. What an annotation says of their elements is a hint."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.call_arguments import emit_arguments
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.expressions.container_hints import (
    DictHint,
    ListHint,
    check_key_type,
    element_hint,
)
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.frontend.tree_views import (
    Const,
    DictLiteral,
    DoubleStarred,
    Expr,
    FalseLiteral,
    ListLiteral,
    NoneLiteral,
    StringLiteral,
    TrueLiteral,
    UnaryOp,
)
from tsc.compiler.ir import NOT_CONSTANT, Value, aten, constant_value, prim
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import TENSOR, ListType, Type, unify_all

Literal = Const | StringLiteral | TrueLiteral | FalseLiteral | NoneLiteral

_INT64 = range(-(2**63), 2**63)


def emit_constant(emitter: Emitter, tree: Literal) -> Value:
    match tree:
        case Const():
            return _emit_number(emitter, tree)
        case StringLiteral():
            value = tree.text
        case NoneLiteral():
            value = None
        case _:
            value = isinstance(tree, TrueLiteral)
    return emitter.graph.insert_constant(value, range=tree.range)


def _emit_number(emitter: Emitter, tree: Const) -> Value:
    """A number; a negative one is made of the positive one, which may be used elsewhere.

    In the code of archives a sign is part of its number, as PyTorch's own parser has it.
    """
    value = _number(tree)
    if not tree.text.startswith("-") or tree.range.source.is_printed_code:
        return emitter.number(value, tree.range)
    if value == _INT64.start:
        refusal = "Integral constant out of range: its digits alone have more than 64 bits"
        emitter.acceptance.use(extensions.LEAST_INTEGER, tree.range, refusal)
    else:
        digits = SourceRange(tree.range.source, tree.range.start + 1, tree.range.end)
        emitter.number(-value, digits)
    return emitter.graph.insert_constant(value, range=tree.range)


def _number(tree: Const) -> int | float | complex:
    value = tree.value
    if isinstance(value, int) and value not in _INT64:
        raise CompileError(
            "Integral constant out of range: an int has 64 bits, its sign among them",
            tree.range,
            code=codes.INTEGER_TOO_LARGE,
            hint="write it as a float",
        )
    return value


def fold_unary(emitter: Emitter, tree: UnaryOp, value: Value) -> Value:
    """``-x`` of a constant as a constant."""
    if value.node.kind != aten.neg:
        return value
    operand = constant_value(value.node.inputs[0])
    if operand is NOT_CONSTANT or not isinstance(operand, int | float | complex):
        return value
    folded = -operand
    if isinstance(folded, int) and folded not in _INT64:
        return value
    return emitter.graph.insert_constant(folded, range=tree.range)


# -- Lists -----------------------------------------------------------------------------------


def emit_list_literal(emitter: Emitter, tree: ListLiteral, type_hint: Type | None) -> Value:
    hint = ListHint(tree.range, type_hint)
    inner = element_hint(emitter, tree.range, hint.element)
    values = [argument.value for argument in emit_arguments(emitter, tree.inputs, inner)]
    if not values and type_hint is None:
        return _emit_empty_list(emitter)
    if not values:
        element = hint.element_of_empty()
    else:
        unified = _unify([value.type for value in values], hint.element)
        element = hint.element_for(unified)
    literal = insert_list(emitter.graph, element, values)
    return hint.cast_to_choice(emitter, literal)


def _emit_empty_list(emitter: Emitter) -> Value:
    """``[]`` without a hint becomes what its use wants, a list of tensors otherwise."""
    node = emitter.insert(prim.EmptyListLiteral)
    emitter.empty_lists.append(node)
    return node.output.set_type(ListType(TENSOR))


def _unify(types: Sequence[Type], hint: Type | None) -> Type:
    unified = unify_all(types, default_to_union=True, hint=hint)
    assert isinstance(unified, Type)
    return unified


# -- Dicts -----------------------------------------------------------------------------------


def emit_dict_literal(emitter: Emitter, tree: DictLiteral, type_hint: Type | None) -> Value:
    hint = DictHint(tree.range, type_hint)
    inner = element_hint(emitter, tree.range, hint.value)
    keys, values = _emit_items(emitter, tree, inner)
    if not keys:
        type = hint.type_of_empty()
    else:
        unified = _unify([value.type for value in values], hint.value)
        type = hint.type_of_literal(keys[0].type, unified)
    check_key_type(type.key, tree.range)
    items = [item for pair in zip(keys, values, strict=True) for item in pair]
    literal = emitter.insert(prim.DictConstruct, items).output.set_type(type)
    return hint.cast_to_choice(emitter, literal)


def _emit_items(
    emitter: Emitter, tree: DictLiteral, value_hint: Type | None
) -> tuple[list[Value], list[Value]]:
    keys: list[Value] = []
    values: list[Value] = []
    for key_tree, value_tree in zip(tree.key_inputs, tree.value_inputs, strict=True):
        _refuse_unpacking(key_tree)
        keys.append(emitter.emit_expression(key_tree))
        values.append(emitter.emit_expression(value_tree, value_hint))
        if keys[-1].type != keys[0].type:
            raise CompileError(
                "Dict keys must contain only a single type. Expected: "
                f"{keys[0].type.message_text} but found {keys[-1].type.message_text} instead",
                key_tree.range,
                code=codes.MIXED_ELEMENTS,
            )
    return keys, values


def _refuse_unpacking(tree: Expr) -> None:
    if isinstance(tree, DoubleStarred):
        raise CompileError(
            "Dict expansion is not supported: `**` cannot stand in a dict's braces",
            tree.range,
            code=codes.NO_DICT_UNPACKING,
            hint="copy the dict with dict(d), then update() it",
        )
