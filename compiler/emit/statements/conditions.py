"""Conditions: ``and``, ``or``, ``not``, ``is``, ``isinstance``, ``hasattr``, and truth values.

A condition knows what it tells about the types of variables, and may be decided at compile time.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.calls.call_arguments import check_argument_count
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.statements.refinement import (
    NOTHING_KNOWN,
    Condition,
    Refinement,
    RefinementSet,
)
from tsc.compiler.emit.statements.type_tests import emit_isinstance
from tsc.compiler.emit.sugared_values import SpecialFormValue
from tsc.compiler.emit.sugared_values.bound_resolver import find_bound
from tsc.compiler.frontend.tree_views import (
    Apply,
    BinOp,
    Expr,
    NoneLiteral,
    Select,
    StringLiteral,
    TernaryIf,
    UnaryOp,
    Var,
)
from tsc.compiler.ir import Block, Value, aten, constant_value, is_constant, prim
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import BOOL, NONE, OptionalType, Type, UnionType, unify_types, union

LOGICAL = ("and", "or")
IDENTITY = ("is", "is not")
_ANSWERS: Final = {"aten::is_scripting": True, "aten::has_torch_function": False}
"""Operators whose answer in a compiled program is known, so that only one branch is compiled."""


def emit_condition(emitter: Emitter, tree: Expr) -> Condition:
    """Emit an expression as a condition. Chains of ``and`` and ``or`` are walked, not recursed."""
    chain: list[BinOp] = []
    while isinstance(tree, BinOp) and tree.operator in LOGICAL:
        chain.append(tree)
        tree = tree.lhs
    condition = _emit_operand(emitter, tree)
    for operation in reversed(chain):
        condition = _emit_short_circuit(emitter, condition, operation)
    return condition


def _emit_operand(emitter: Emitter, tree: Expr) -> Condition:
    if isinstance(tree, UnaryOp) and tree.operator == "not":
        return _emit_not(emitter, tree)
    if isinstance(tree, BinOp) and tree.operator in IDENTITY:
        return _emit_identity(emitter, tree)
    if isinstance(tree, Apply):
        form = _form_called(emitter, tree)
        if form == prim.isinstance:
            return emit_isinstance(emitter, tree)
        if form == prim.HasAttr:
            return emit_hasattr(emitter, tree)
    return _emit_truth(emitter, tree)


def _form_called(emitter: Emitter, tree: Apply) -> str | None:
    """The special form that a call of ``isinstance``, ``torch.jit.isinstance`` or so stands for."""
    callee = tree.callee
    name = callee.name if isinstance(callee, Var) else None
    if isinstance(callee, Select):
        name = callee.selector
    if name is None or name.name not in ("isinstance", "hasattr"):
        return None
    sugared = emitter.emit_sugared_expression(callee, 1)
    return sugared.form if isinstance(sugared, SpecialFormValue) else None


def _emit_truth(emitter: Emitter, tree: Expr) -> Condition:
    value = emit_to_bool(emitter, emitter.emit_expression(tree), tree.range)
    static = constant_value(value) if is_constant(value) else None
    static = _ANSWERS.get(value.node.kind, static)
    return Condition(value, static=static if isinstance(static, bool) else None)


def emit_to_bool(emitter: Emitter, value: Value, range: SourceRange) -> Value:
    """The truth value of ``value``."""
    cast = emitter.environment.get("bool", range)
    try:
        result = cast.call(range, emitter, [NamedValue(value, range)], [], 0)
        truth = result.as_value(range, emitter)
    except CompileError as error:
        raise CompileError(
            f"Could not cast value of type {value.type.message_text} to bool",
            range,
            code=codes.NOT_A_CONDITION,
            hint="compare it with something, or test `is not None`",
        ) from error
    if not truth.type.is_subtype_of(BOOL):
        raise CompileError(
            "expected a bool expression for condition, not one of type " + truth.type.message_text,
            range,
            code=codes.NOT_A_CONDITION,
        )
    return truth


def _emit_not(emitter: Emitter, tree: UnaryOp) -> Condition:
    operand = emit_condition(emitter, tree.expr)
    value = emit_builtin_values(tree.range, emitter, aten.not_, [operand.value])
    static = None if operand.static is None else not operand.static
    return Condition(value, operand.refinements.negated(), static)


# -- and, or, ternary ------------------------------------------------------------------------


def _emit_short_circuit(emitter: Emitter, lhs: Condition, tree: BinOp) -> Condition:
    """``lhs and rhs`` is an If whose one branch is a constant."""
    is_or = tree.operator == "or"
    continued: list[Condition] = []

    def emit_rhs() -> Value:
        continued.append(emit_condition(emitter, tree.rhs))
        return continued[0].value

    def emit_known() -> Value:
        return emitter.graph.insert_constant(is_or, range=tree.range)

    branches = (emit_known, emit_rhs) if is_or else (emit_rhs, emit_known)
    value = emit_if_expression(emitter, tree.range, lhs, *branches)
    (rhs,) = continued
    combine = lhs.refinements.either if is_or else lhs.refinements.both
    return Condition(value, combine(rhs.refinements), _static_result(is_or, lhs, rhs))


def _static_result(is_or: bool, lhs: Condition, rhs: Condition) -> bool | None:
    """``or`` is decided by one True, ``and`` by one False, and either by both."""
    if is_or in (lhs.static, rhs.static):
        return is_or
    if lhs.static is None or rhs.static is None:
        return None
    return not is_or


def emit_ternary(emitter: Emitter, tree: TernaryIf, type_hint: Type | None) -> Value:
    condition = emit_condition(emitter, tree.cond)
    if condition.static is not None:
        chosen = tree.true_expr if condition.static else tree.false_expr
        return emitter.emit_expression(chosen, type_hint)
    return emit_if_expression(
        emitter,
        tree.range,
        condition,
        lambda: emitter.emit_expression(tree.true_expr, type_hint),
        lambda: emitter.emit_expression(tree.false_expr, type_hint),
        type_hint,
    )


def emit_if_expression(
    emitter: Emitter,
    range: SourceRange,
    condition: Condition,
    emit_true: Callable[[], Value],
    emit_false: Callable[[], Value],
    type_hint: Type | None = None,
) -> Value:
    """Emit an If with one result, to which both branches must have a type in common, if not the one
    that is wanted.
    """
    node = emitter.insert(prim.If, [condition.value], 0, range)
    then_block, else_block = node.add_block(), node.add_block()
    refinements = condition.refinements
    _emit_result(emitter, then_block, refinements, emit_true, range)
    _emit_result(emitter, else_block, refinements.negated(), emit_false, range)
    true_type, false_type = then_block.outputs[0].type, else_block.outputs[0].type
    unified = unify_types(true_type, false_type)
    if unified is not None:
        return node.add_output(unified)
    message = (
        f"if-expression's true branch has type {true_type.message_text} but false branch has "
        f"type {false_type.message_text}"
    )
    if type_hint is None or not all(
        type.is_subtype_of(type_hint) for type in (true_type, false_type)
    ):
        raise CompileError(
            message,
            range,
            code=codes.DIFFERENT_BRANCHES,
            hint="annotate the variable, or the result, with the Union of the types",
        )
    emitter.acceptance.use(extensions.CONDITIONAL_UNIONS, range, message)
    return node.add_output(type_hint)


def _emit_result(
    emitter: Emitter,
    block: Block,
    refinements: RefinementSet,
    emit_value: Callable[[], Value],
    range: SourceRange,
) -> None:
    with emitter.scope(block):
        insert_refinements(emitter, refinements, range)
        block.register_output(emit_value())


def insert_refinements(emitter: Emitter, refinements: RefinementSet, range: SourceRange) -> None:
    """Give the variables of which a true condition tells something their narrower types."""
    for refinement in refinements.if_true:
        value = emitter.environment.get_value(refinement.name, range)
        narrowed = emitter.insert_unchecked_cast(value, refinement.type)
        emitter.environment.refine(refinement.name, narrowed, range)


# -- is, is not ------------------------------------------------------------------------------


class Noneness(Enum):
    """Whether a value is None."""

    ALWAYS = auto()
    MAYBE = auto()
    NEVER = auto()


def _noneness(value: Value) -> Noneness:
    if value.type == NONE or (is_constant(value) and constant_value(value) is None):
        return Noneness.ALWAYS
    may_be_none = isinstance(value.type, OptionalType) or (
        isinstance(value.type, UnionType) and value.type.can_hold(NONE)
    )
    return Noneness.MAYBE if may_be_none else Noneness.NEVER


def _emit_identity(emitter: Emitter, tree: BinOp) -> Condition:
    """``is`` and ``is not``; decided here when one side is None and the other cannot be."""
    if _compares_function_with_none(emitter, tree):
        return emit_static(emitter, tree.operator == "is not", tree.range)
    lhs, rhs = emitter.emit_expression(tree.lhs), emitter.emit_expression(tree.rhs)
    known = {_noneness(lhs), _noneness(rhs)}
    is_positive = tree.operator == "is"
    if known == {Noneness.ALWAYS}:
        return emit_static(emitter, is_positive, tree.range)
    if known == {Noneness.ALWAYS, Noneness.NEVER}:
        return emit_static(emitter, not is_positive, tree.range)
    kind = aten.is_ if is_positive else aten.isnot
    value = emit_builtin_values(tree.range, emitter, kind, [lhs, rhs])
    return Condition(value, _refinements_of_identity(tree, lhs, rhs))


def _compares_function_with_none(emitter: Emitter, tree: BinOp) -> bool:
    """``function is None``, of a parameter that stands for a function: it is never None."""
    variable, other = tree.lhs, tree.rhs
    if isinstance(variable, NoneLiteral):
        variable, other = other, variable
    if not isinstance(variable, Var) or not isinstance(other, NoneLiteral):
        return False
    name = variable.name.name
    sugared = None if emitter.environment.find_type(name) else find_bound(emitter, name)
    if sugared is None or not sugared.is_independent:
        return False
    refusal = f"{sugared.kind} cannot be used as a value"
    emitter.acceptance.use(extensions.FUNCTION_PARAMETERS, tree.range, refusal)
    return True


def emit_static(
    emitter: Emitter,
    result: bool,
    range: SourceRange,
    refinements: RefinementSet = NOTHING_KNOWN,
) -> Condition:
    """A condition that is decided at compile time."""
    return Condition(emitter.graph.insert_constant(result, range=range), refinements, result)


def _refinements_of_identity(tree: BinOp, lhs: Value, rhs: Value) -> RefinementSet:
    """``x is not None``, or ``None is not x``, tells that ``x`` is present."""
    variable, value, other = tree.lhs, lhs, tree.rhs
    if isinstance(variable, NoneLiteral):
        variable, value, other = tree.rhs, rhs, tree.lhs
    present = _without_none(value.type)
    if not isinstance(other, NoneLiteral) or not isinstance(variable, Var) or present is None:
        return NOTHING_KNOWN
    is_present = RefinementSet((Refinement(variable.name.name, present),))
    return is_present.negated() if tree.operator == "is" else is_present


def _without_none(type: Type) -> Type | None:
    if isinstance(type, OptionalType):
        return type.element
    if isinstance(type, UnionType) and type.can_hold(NONE):
        return union(member for member in type.members if member != NONE)
    return None


# -- hasattr ---------------------------------------------------------------------------------


def emit_hasattr(emitter: Emitter, tree: Apply) -> Condition:
    """``hasattr(x, "name")``, which the compiler decides."""
    check_argument_count(tree, 2)
    subject, name = tree.inputs
    sugared = emitter.emit_sugared_expression(subject, 1)
    if not isinstance(name, StringLiteral):
        raise CompileError(
            "hasattr's second argument must be a string, written out here",
            name.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    return emit_static(
        emitter, sugared.has_attribute(subject.range, emitter, name.text), subject.range
    )
