"""Assignments: to variables, attributes and items, to several targets, unpacked."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.subscripts.item_assignment import assign_item
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.emit.sugared_values.objects import declare_optional_attribute
from tsc.compiler.frontend.tree_views import (
    Assign,
    Expr,
    Select,
    Starred,
    Subscript,
    TupleLiteral,
    Var,
)
from tsc.compiler.ir import Value
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import NONE, Type


def emit_assignment(emitter: Emitter, tree: Assign) -> None:
    rhs = tree.rhs
    if rhs is None:
        raise CompileError(
            "expected an expression on the right-hand side: a declaration needs a value too",
            tree.range,
            code=codes.NO_BARE_DECLARATION,
            hint="annotate the variable where it is first set",
        )
    if len(tree.lhs_list) > 1:
        _emit_multiple(emitter, tree, rhs)
        return
    written = tree.type
    if tree.comment_type is not None:
        refusal = "type comments of variables aren't supported"
        emitter.acceptance.use(extensions.VARIABLE_COMMENTS, tree.lhs.range, refusal)
        written = tree.comment_type
    annotation = None if written is None else emitter.types.parse_type(written)
    _emit_single(emitter, tree, rhs, annotation)


def _emit_single(emitter: Emitter, tree: Assign, rhs: Expr, annotation: Type | None) -> None:
    lhs = tree.lhs
    if isinstance(lhs, Var):
        sugared = emitter.emit_sugared_expression(rhs, 1, annotation)
        emitter.environment.set(lhs.name.name, sugared, lhs.range, annotation)
    elif isinstance(lhs, TupleLiteral):
        binders = len(lhs.inputs) - check_targets(lhs.inputs, lhs.range)
        output = emitter.emit_sugared_expression(rhs, binders)
        _unpack(emitter, lhs, output, rhs.range)
    elif isinstance(lhs, Select):
        owner = emitter.emit_sugared_expression(lhs.value, 1)
        value = emitter.emit_expression(rhs, annotation)
        _declare_attribute(emitter, tree, owner, lhs.selector.name, value, annotation)
        owner.set_attribute(tree.range, emitter, lhs.selector.name, value)
    elif isinstance(lhs, Subscript):
        value = NamedValue(emitter.emit_expression(rhs), rhs.range)
        assign_item(emitter, tree.range, lhs, value)
    else:
        raise _unexpected_target(lhs)


def _declare_attribute(
    emitter: Emitter,
    tree: Assign,
    owner: SugaredValue,
    name: str,
    value: Value,
    annotation: Type | None,
) -> None:
    if isinstance(owner, SimpleValue) and value.type == NONE:
        declare_optional_attribute(tree.range, emitter, owner.value.type, name, annotation)


def _emit_multiple(emitter: Emitter, tree: Assign, rhs: Expr) -> None:
    """``a = b = rhs``: the value is computed once, then assigned from left to right."""
    name = emitter.temporary_name("$tmp_assign_")
    emitter.environment.set(name, emitter.emit_sugared_expression(rhs, 1), rhs.range)
    for target in tree.lhs_list:
        assign_to_target(emitter, target, emitter.environment.get(name, rhs.range), rhs.range)


def assign_to_targets(
    emitter: Emitter,
    targets: Sequence[Expr],
    outputs: Sequence[SugaredValue],
    range: SourceRange,
) -> None:
    """Assign outputs to as many targets; a starred one takes what is left over."""
    surplus = len(outputs) - len(targets)
    position = 0
    for target in targets:
        if isinstance(target, Starred):
            matched = outputs[position : position + surplus + 1]
            _assign_starred(emitter, target, matched)
            position += surplus + 1
        else:
            assign_to_target(emitter, target, outputs[position], range)
            position += 1


def assign_to_target(
    emitter: Emitter, target: Expr, output: SugaredValue, range: SourceRange
) -> None:
    """Assign what was computed at ``range`` to one target."""
    if isinstance(target, Var):
        emitter.environment.set(target.name.name, output, target.range)
    elif isinstance(target, TupleLiteral):
        check_targets(target.inputs, target.range)
        _unpack(emitter, target, output, range)
    elif isinstance(target, Subscript):
        value = NamedValue(output.as_value(range, emitter), range)
        assign_item(emitter, range, target, value)
    elif isinstance(target, Select):
        owner = emitter.emit_sugared_expression(target.value, 1)
        value = output.as_value(range, emitter)
        owner.set_attribute(target.range, emitter, target.selector.name, value)
    else:
        raise _unexpected_target(target)


def _assign_starred(emitter: Emitter, target: Starred, outputs: Sequence[SugaredValue]) -> None:
    variable = target.expr
    if not isinstance(variable, Var):
        raise CompileError(
            "Cannot pack a tuple into a non-variable",
            variable.range,
            code=codes.INVALID_STARRED_TARGET,
        )
    values = [output.as_value(target.range, emitter) for output in outputs]
    rest = insert_tuple(emitter.graph, values)
    emitter.environment.set(variable.name.name, SimpleValue(rest), variable.range)


def _unpack(
    emitter: Emitter, targets: TupleLiteral, output: SugaredValue, range: SourceRange
) -> None:
    """Assign the elements of ``output`` to the targets of a checked tuple of them."""
    is_starred = any(isinstance(target, Starred) for target in targets.inputs)
    wanted = len(targets.inputs) - is_starred
    outputs = output.as_tuple(range, emitter, None if is_starred else wanted)
    found = len(outputs)
    if found < wanted:
        raise CompileError(
            f"need {'at least ' if is_starred else ''}{wanted} values to unpack but found only "
            f"{found}",
            targets.range,
            code=codes.WRONG_UNPACKING,
        )
    if found > wanted and not is_starred:
        raise CompileError(
            f"too many values to unpack: need {wanted} but found {found}",
            targets.range,
            code=codes.WRONG_UNPACKING,
        )
    assign_to_targets(emitter, targets.inputs, outputs, range)


def check_targets(targets: Sequence[Expr], range: SourceRange) -> bool:
    """Refuse what cannot be assigned to; whether one of the targets is starred."""
    starred = 0
    for target in targets:
        if isinstance(target, Starred):
            starred += 1
        elif not isinstance(target, Var | Subscript | TupleLiteral | Select):
            raise CompileError(
                "lhs of assignment must be a variable, subscript, or starred expression",
                target.range,
                code=codes.INVALID_STARRED_TARGET,
            )
    if starred > 1:
        raise CompileError(
            f"Only one starred expression is allowed on the lhs, not {starred}",
            range,
            code=codes.INVALID_STARRED_TARGET,
        )
    if starred == len(targets) and starred > 0:
        raise CompileError(
            "A Starred expression may only appear on the lhs within the presence of another "
            "non-starred expression",
            range,
            code=codes.INVALID_STARRED_TARGET,
        )
    return starred > 0


def _unexpected_target(target: Expr) -> CompileError:
    return CompileError(
        "unexpected expression on left-hand side of assignment: it has no place for a value",
        target.range,
        code=codes.INVALID_TARGET,
        hint="assign to a variable, an attribute, an item, or a tuple of them",
    )
