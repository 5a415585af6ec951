"""Which expressions can be assigned to."""

from __future__ import annotations

from tsc.compiler.frontend.tree_views import (
    Apply,
    BinOp,
    Const,
    Expr,
    FalseLiteral,
    ListLiteral,
    NoneLiteral,
    Select,
    Starred,
    StringLiteral,
    Subscript,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    Var,
    WithItem,
)
from tsc.compiler.source import CompileError, codes

_LITERALS = (Const, StringLiteral, TrueLiteral, FalseLiteral, NoneLiteral)


def check_target(target: Expr, *, action: str = "assign to") -> None:
    """Refuses an expression that nothing can be assigned to, in tuples and lists as well."""
    pending = [(target, False)]
    while pending:
        tree, may_be_starred = pending.pop()
        if isinstance(tree, TupleLiteral | ListLiteral):
            _check_one_starred(tree)
            pending.extend((item, True) for item in reversed(tree.inputs))
        elif isinstance(tree, Starred) and may_be_starred:
            _check_packed(tree)
            pending.append((tree.expr, False))
        elif isinstance(tree, Starred):
            raise CompileError(
                "A Starred expression may only appear on the lhs within the presence of another "
                "non-starred expression",
                tree.range,
                code=codes.INVALID_STARRED_TARGET,
                hint="add a comma, as in '*rest, = items', or drop the star",
            )
        elif not isinstance(tree, Var | Select | Subscript | WithItem):
            raise _not_a_target(tree, action)


def _check_one_starred(tree: TupleLiteral | ListLiteral) -> None:
    starred = [item for item in tree.inputs if isinstance(item, Starred)]
    if len(starred) > 1:
        raise CompileError(
            f"Only one starred expression is allowed on the lhs, not {len(starred)}",
            starred[1].range,
            code=codes.INVALID_STARRED_TARGET,
        )


def _check_packed(tree: Starred) -> None:
    if not isinstance(tree.expr, Var | Select | Subscript | TupleLiteral | ListLiteral):
        raise CompileError(
            "Cannot pack a tuple into a non-variable",
            tree.expr.range,
            code=codes.INVALID_STARRED_TARGET,
        )


def _not_a_target(tree: Expr, action: str) -> CompileError:
    problem = f"cannot {action} {_description(tree)}"
    if action == "assign to":
        problem = f"unexpected expression on left-hand side of assignment: {problem}"
    return CompileError(problem, tree.range, code=codes.INVALID_TARGET, hint=_hint(tree))


def _description(tree: Expr) -> str:
    if isinstance(tree, _LITERALS):
        return "a literal"
    if isinstance(tree, Apply):
        return "the result of a call"
    if isinstance(tree, BinOp | UnaryOp):
        return "the result of an operator"
    return "this expression"


def _hint(tree: Expr) -> str | None:
    if isinstance(tree, BinOp) and tree.kind == "-" and isinstance(tree.lhs, Var):
        return "a name cannot have a '-' in it; use '_'"
    if isinstance(tree, (*_LITERALS, BinOp, UnaryOp)):
        return "'==' compares two values"
    return None
