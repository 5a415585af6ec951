"""Simple statements, and the way from a statement's tree to what emits it."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.statements.assignments import emit_assignment
from tsc.compiler.emit.statements.augmented_assignments import emit_augmented_assignment
from tsc.compiler.emit.statements.conditions import emit_condition
from tsc.compiler.emit.statements.control_flow import (
    emit_break,
    emit_continue,
    emit_for,
    emit_if,
    emit_if_else,
    emit_while,
)
from tsc.compiler.emit.statements.nested_functions import emit_nested_definition
from tsc.compiler.emit.statements.returns import emit_return
from tsc.compiler.emit.statements.with_statements import emit_with
from tsc.compiler.emit.sugared_values import ExceptionClass, ExceptionMessageValue
from tsc.compiler.emit.sugared_values.objects import call_magic_method
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assert,
    Assign,
    AugAssign,
    Break,
    BrokenStmt,
    ClassDef,
    Continue,
    Def,
    Delete,
    Expr,
    ExprStmt,
    For,
    Ident,
    If,
    Import,
    ImportFrom,
    Pass,
    Raise,
    Return,
    SliceExpr,
    Stmt,
    StringLiteral,
    Subscript,
    UnsupportedStmt,
    Var,
    While,
    With,
)
from tsc.compiler.ir import aten, prim
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, FollowUp, codes
from tsc.compiler.types import STRING, ClassType, DictType, ListType


def emit_statement(emitter: Emitter, tree: Stmt) -> None:
    match tree:
        case ExprStmt():
            emitter.emit_sugared_expression(tree.expr, 0)
        case Assign():
            emit_assignment(emitter, tree)
        case AugAssign():
            emit_augmented_assignment(emitter, tree)
        case Return():
            emit_return(emitter, tree)
        case Raise():
            emit_raise(emitter, tree)
        case Assert():
            emit_assert(emitter, tree)
        case Delete():
            emit_delete(emitter, tree)
        case Def():
            emit_nested_definition(emitter, tree)
        case Pass():
            pass
        case _:
            _emit_compound(emitter, tree)


def _emit_compound(emitter: Emitter, tree: Stmt) -> None:
    match tree:
        case If():
            emit_if(emitter, tree)
        case For():
            emit_for(emitter, tree)
        case While():
            emit_while(emitter, tree)
        case Break():
            emit_break(emitter, tree)
        case Continue():
            emit_continue(emitter, tree)
        case With():
            emit_with(emitter, tree)
        case UnsupportedStmt():
            raise tree.error
        case BrokenStmt():
            raise FollowUp
        case _:
            raise _misplaced(tree)


def _misplaced(tree: Stmt) -> CompileError:
    construct, code = f"'{tree.kind}' statements", codes.UNEXPECTED_TOKEN
    if isinstance(tree, Import | ImportFrom):
        construct, code = "import statements", codes.NO_LOCAL_IMPORT
    elif isinstance(tree, ClassDef):
        construct, code = "class definitions", codes.NO_CLASS
    return CompileError(
        f"{construct} aren't supported inside of a function",
        tree.head if isinstance(tree, ClassDef) else tree.range,
        code=code,
        hint="move it to the top of the file",
    )


# -- raise, assert ---------------------------------------------------------------------------


def emit_raise(emitter: Emitter, tree: Raise) -> None:
    sugared = emitter.emit_sugared_expression(tree.expr, 1)
    if isinstance(sugared, ExceptionMessageValue):
        message, class_name = sugared.message, sugared.class_name
    elif isinstance(sugared, ExceptionClass):
        message, class_name = emitter.graph.insert_constant("", range=tree.range), None
    else:
        raise CompileError(
            "exceptions must derive from BaseException",
            tree.range,
            code=codes.NO_OTHER_EXCEPTION,
            hint='raise an exception, as in `raise RuntimeError("...")`',
        )
    if not message.type.is_subtype_of(STRING):
        message = emit_builtin_values(UNKNOWN_RANGE, emitter, aten.str, [message])
    if class_name is None:
        class_name = emitter.graph.insert_constant(None)
    node = emitter.insert(prim.RaiseException, [message, class_name], 0, tree.range)
    node.operator = emitter.operators.find(prim.RaiseException, "")
    emitter.mark_exit()


def emit_assert(emitter: Emitter, tree: Assert) -> None:
    """``assert`` is an ``if`` that raises in its false branch."""
    condition = emit_condition(emitter, tree.test)
    emit_if_else(emitter, tree.range, condition, [], [_assertion_failure(tree)])


def _assertion_failure(tree: Assert) -> Raise:
    message: Expr = tree.msg or StringLiteral(tree.range, "")
    error = Var(tree.range, Ident(tree.range, "AssertionError"))
    return Raise(tree.range, Apply(tree.range, error, [message]))


# -- del -------------------------------------------------------------------------------------


def emit_delete(emitter: Emitter, tree: Delete) -> None:
    for target in tree.targets:
        if isinstance(target, Subscript):
            _emit_delete_item(emitter, tree, target)
        elif isinstance(target, Var):
            emitter.environment.remove(target.name.name, target.range)
        else:
            raise CompileError(
                "del statements are only supported for variables and items of lists and dicts",
                target.range,
                code=codes.NO_ATTRIBUTE_DELETION,
            )


def _emit_delete_item(emitter: Emitter, tree: Delete, target: Subscript) -> None:
    index, *more = target.subscript_exprs
    if more or isinstance(index, SliceExpr):
        raise CompileError(
            "del statements only support deletion at a single index, and this is a slice or several",
            target.range,
            code=codes.NO_SLICE_CHANGE,
            hint="delete the items one by one, or build a new list",
        )
    container = emitter.emit_expression(target.value)
    if isinstance(container.type, ClassType):
        given = [NamedValue(container, tree.range)]
        given.append(NamedValue(emitter.emit_expression(index), index.range))
        call_magic_method(tree.range, emitter, "__delitem__", given)
        return
    if not isinstance(container.type, ListType | DictType):
        raise CompileError(
            f"{container.type.message_text} does not support deleting items",
            target.range,
            code=codes.UNCHANGEABLE_ITEM,
            hint="del deletes items of lists and dicts",
        )
    position = emitter.emit_expression(index)
    emit_builtin_values(tree.range, emitter, aten.delete, [container, position])
