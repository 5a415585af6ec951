"""Expressions: names, calls, operators; and the way from an expression's tree to what emits it."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.calls.call_arguments import (
    emit_arguments,
    emit_given_arguments,
    emit_keywords,
    refuse_keyword_expansion,
)
from tsc.compiler.emit.construction import insert_tuple, unpack_tuple
from tsc.compiler.emit.expressions.comprehensions import (
    emit_dict_comprehension,
    emit_list_comprehension,
)
from tsc.compiler.emit.expressions.literals import (
    emit_constant,
    emit_dict_literal,
    emit_list_literal,
    fold_unary,
)
from tsc.compiler.emit.expressions.special_forms import emit_special_form
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.statements.conditions import IDENTITY, LOGICAL, emit_condition, emit_ternary
from tsc.compiler.emit.statements.nested_functions import lambda_value
from tsc.compiler.emit.subscripts.item_reading import emit_subscript
from tsc.compiler.emit.sugared_values import SimpleValue, SpecialFormValue
from tsc.compiler.emit.sugared_values.function_templates import TemplateValue
from tsc.compiler.emit.sugared_values.objects import MAGIC_METHODS, call_magic_method
from tsc.compiler.frontend.tree_views import (
    Apply,
    BinOp,
    Const,
    DictComp,
    DictLiteral,
    Dots,
    DoubleStarred,
    Expr,
    FalseLiteral,
    Lambda,
    ListComp,
    ListLiteral,
    NoneLiteral,
    Select,
    SetComp,
    SetLiteral,
    SliceExpr,
    Starred,
    StringLiteral,
    Subscript,
    TernaryIf,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    UnsupportedExpr,
    Var,
)
from tsc.compiler.ir import RecursiveDefinition, Value, aten
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import STRING, TupleType, Type, check_extent

BINARY_OPERATORS = {
    "+": aten.add,
    "-": aten.sub,
    "*": aten.mul,
    "/": aten.div,
    "floordiv": aten.floordiv,
    "%": aten.remainder,
    "pow operator": aten.pow,
    "@": aten.matmul,
    "&": aten.and_,
    "|": aten.or_,
    "^": aten.xor,
    "<<": aten.lshift,
    ">>": aten.rshift,
    "<": aten.lt,
    ">": aten.gt,
    "le": aten.le,
    "ge": aten.ge,
    "eq": aten.eq,
    "ne": aten.ne,
    "in": aten.contains,
}
UNARY_OPERATORS = {"unary minus": aten.neg, "~": aten.bitwise_not}


def emit_sugared_expression(
    emitter: Emitter, tree: Expr, binders: int, type_hint: Type | None
) -> SugaredValue:
    match tree:
        case Var():
            return emitter.environment.get(tree.name.name, tree.range)
        case Select():
            owner = emitter.emit_sugared_expression(tree.value, 1)
            return owner.attribute(tree.range, emitter, tree.selector.name)
        case Apply():
            return emit_apply(emitter, tree, binders, type_hint)
        case Subscript():
            return emit_subscript(emitter, tree, type_hint)
        case Lambda():
            return lambda_value(emitter, tree)
        case _:
            return SimpleValue(_emit_simple_expression(emitter, tree, type_hint))


def _emit_simple_expression(emitter: Emitter, tree: Expr, type_hint: Type | None) -> Value:
    """Emit an expression that has a first-class value, whatever it is made of."""
    match tree:
        case Const() | StringLiteral() | TrueLiteral() | FalseLiteral() | NoneLiteral():
            return emit_constant(emitter, tree)
        case BinOp():
            return emit_binary(emitter, tree)
        case UnaryOp():
            return emit_unary(emitter, tree)
        case TernaryIf():
            return emit_ternary(emitter, tree, type_hint)
        case SetComp():
            raise _no_sets(tree)
        case TupleLiteral() | ListLiteral() | DictLiteral() | ListComp() | DictComp():
            value = _emit_container(emitter, tree, type_hint)
            check_extent(value.type, tree.range, of_value=True)
            return value
        case _:
            raise _refusal(tree)


def _emit_container(
    emitter: Emitter,
    tree: TupleLiteral | ListLiteral | DictLiteral | ListComp | DictComp,
    type_hint: Type | None,
) -> Value:
    match tree:
        case TupleLiteral():
            return insert_tuple(emitter.graph, emitter.emit_values(tree.inputs))
        case ListLiteral():
            return emit_list_literal(emitter, tree, type_hint)
        case DictLiteral():
            return emit_dict_literal(emitter, tree, type_hint)
        case ListComp():
            return emit_list_comprehension(emitter, tree, type_hint)
        case DictComp():
            return emit_dict_comprehension(emitter, tree, type_hint)


def _refusal(tree: Expr) -> CompileError:
    match tree:
        case UnsupportedExpr():
            return tree.error
        case SetLiteral():
            return _no_sets(tree)
        case Starred() | DoubleStarred():
            return CompileError(
                "Unexpected starred expansion",
                tree.range,
                code=codes.NO_STARRED_EXPANSION,
                hint="it may stand in a call, a list or a tuple only",
            )
        case Dots() | SliceExpr():
            return CompileError(
                f"Cannot emit expr for: {tree.range.text} outside of a subscript",
                tree.range,
                code=codes.NO_SUBSCRIPT_SYNTAX,
            )
        case _:
            return CompileError(
                f"Cannot emit expr for: {tree.kind}", tree.range, code=codes.UNEXPECTED_TOKEN
            )


def _no_sets(tree: Expr) -> CompileError:
    return CompileError(
        "Sets aren't supported",
        tree.range,
        code=codes.NO_SET,
        hint="use a list, or a Dict[T, bool]",
    )


# -- Calls -----------------------------------------------------------------------------------


def emit_apply(emitter: Emitter, tree: Apply, binders: int, type_hint: Type | None) -> SugaredValue:
    refuse_keyword_expansion(tree.inputs)
    callee = emitter.emit_sugared_expression(tree.callee, 1)
    if isinstance(callee, SpecialFormValue):
        return emit_special_form(emitter, tree, callee, type_hint)
    if isinstance(callee, TemplateValue):
        given = emit_given_arguments(emitter, tree)
        return callee.apply(tree.callee.range, emitter, given)
    arguments = emit_arguments(emitter, tree.inputs)
    keywords = emit_keywords(emitter, tree.attributes)
    try:
        return callee.call(tree.callee.range, emitter, arguments, keywords, binders)
    except RecursiveDefinition as error:
        raise CompileError(
            str(error),
            tree.range,
            code=codes.UNANNOTATED_RECURSION,
            hint="annotate the return type of the function",
        ) from error


# -- Operators -------------------------------------------------------------------------------


def emit_binary(emitter: Emitter, tree: BinOp) -> Value:
    """Emit an operator. A sum of a thousand terms is as deep on its left: that side is walked."""
    chain: list[BinOp] = []
    operand: Expr = tree
    while isinstance(operand, BinOp) and operand.operator not in (*LOGICAL, *IDENTITY):
        chain.append(operand)
        operand = operand.lhs
    if not chain:
        return emit_condition(emitter, tree).value
    value = emitter.emit_expression(operand)
    for operation in reversed(chain):
        value = _emit_operation(emitter, operation, value)
    return value


def _emit_operation(emitter: Emitter, tree: BinOp, lhs: Value) -> Value:
    rhs = emitter.emit_expression(tree.rhs)
    if tree.operator == "%" and lhs.type == STRING:
        return _emit_percent_format(emitter, tree, lhs, rhs)
    if tree.operator == "+" and isinstance(lhs.type, TupleType) and isinstance(rhs.type, TupleType):
        elements = [*unpack_tuple(emitter.graph, lhs), *unpack_tuple(emitter.graph, rhs)]
        return insert_tuple(emitter.graph, elements)
    operands = [NamedValue(lhs, tree.lhs.range), NamedValue(rhs, tree.rhs.range)]
    if tree.operator == "in":
        operands.reverse()
    method = MAGIC_METHODS[tree.operator]
    called = call_magic_method(tree.range, emitter, method, operands)
    if called is not None:
        return called
    return emit_builtin_call(tree.range, emitter, BINARY_OPERATORS[tree.operator], operands)


def _emit_percent_format(emitter: Emitter, tree: BinOp, text: Value, rhs: Value) -> Value:
    """``"..." % values`` takes the values as they are, a tuple for several."""
    node = emitter.insert(aten.percentFormat, [text, rhs], range=tree.range)
    node.operator = emitter.operators.find(aten.percentFormat, "")
    return node.output.set_type(STRING)


def emit_unary(emitter: Emitter, tree: UnaryOp) -> Value:
    if tree.operator == "not":
        return emit_condition(emitter, tree).value
    if tree.operator not in UNARY_OPERATORS:
        raise CompileError(
            "unsupported unary operator: +",
            tree.range,
            code=codes.NO_UNARY_PLUS,
            hint="leave the sign out",
        )
    operand = NamedValue(emitter.emit_expression(tree.expr), tree.expr.range)
    called = call_magic_method(tree.range, emitter, MAGIC_METHODS[tree.operator], [operand])
    if called is not None:
        return called
    value = emit_builtin_call(tree.range, emitter, UNARY_OPERATORS[tree.operator], [operand])
    return fold_unary(emitter, tree, value)
