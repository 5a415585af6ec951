"""Names in the rest of a statement that is refused: those that nothing stands for are problems, too."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assert,
    Assign,
    Attribute,
    AugAssign,
    BinOp,
    Expr,
    ExprStmt,
    For,
    If,
    ListComp,
    ListLiteral,
    Raise,
    Return,
    Select,
    SliceExpr,
    Starred,
    Stmt,
    Subscript,
    TernaryIf,
    Tree,
    TupleLiteral,
    UnaryOp,
    Var,
    While,
)
from tsc.compiler.source import CompileError, FollowUp, codes

_TAKING_TYPES = frozenset(("annotate", "cast", "isinstance", "unchecked_cast", "Uninitialized"))


def report_remaining_names(emitter: Emitter, statement: Stmt) -> None:
    """Report the undefined names of a statement, of which one at most was met."""
    problems = emitter.problems
    assert problems is not None
    for variable in _variables(statement):
        try:
            emitter.environment.get(variable.name.name, variable.range)
        except CompileError as error:
            if error.code == codes.UNDEFINED_NAME:
                problems.report(error)
        except FollowUp:
            pass


def _variables(statement: Stmt) -> Iterator[Var]:
    """The variables that are read for sure when the statement runs, in the order of the text."""
    pending: list[Tree] = list(_expressions(statement))[::-1]
    while pending:
        tree = pending.pop()
        if isinstance(tree, Var):
            yield tree
        else:
            pending += [*_parts(tree)][::-1]


def _expressions(statement: Stmt) -> Iterator[Tree]:
    """What a statement computes itself, not what the statements in it compute."""
    match statement:
        case Assign():
            if statement.rhs is not None:
                yield statement.rhs
        case AugAssign():
            yield statement.rhs
        case ExprStmt() | Raise():
            yield statement.expr
        case Return():
            yield statement.expr
        case Assert():
            yield statement.test
        case If() | While():
            yield statement.cond
        case For():
            yield statement.iter
        case _:
            pass


def _parts(tree: Tree) -> Iterator[Tree]:
    """The operands of an expression that are computed whatever it is.

    The compiler may have decided conditions and dropped what they guard; comprehensions and
    lambdas have variables of their own; and types are no values.
    """
    match tree:
        case BinOp():
            yield tree.lhs
            if tree.operator not in ("and", "or"):
                yield tree.rhs
        case UnaryOp():
            yield tree.expr
        case TernaryIf():
            yield tree.cond
        case ListLiteral() | TupleLiteral():
            yield from tree.inputs
        case ListComp():
            yield tree.iter
        case Starred():
            yield tree.expr
        case Select():
            yield tree.value
        case Attribute():
            yield tree.value
        case Subscript():
            yield tree.value
            yield from tree.subscript_exprs
        case SliceExpr():
            yield from filter(None, (tree.start, tree.end, tree.step))
        case Apply() if _last_name(tree.callee) not in _TAKING_TYPES:
            yield tree.callee
            yield from tree.inputs
            yield from tree.attributes
        case _:
            pass


def _last_name(callee: Expr) -> str:
    if isinstance(callee, Select):
        return callee.selector.name
    return callee.name.name if isinstance(callee, Var) else ""
