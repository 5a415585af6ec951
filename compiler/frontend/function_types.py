"""Annotations of parameters that take functions: ``Callable[...]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.frontend.annotations import alternatives, dotted_name
from tsc.compiler.frontend.tree_views import BinOp, Def, Expr, Subscript

_CALLABLES: Final = (
    *("Callable", "typing.Callable", "typing_extensions.Callable", "collections.abc.Callable"),
)
_OPTIONALS: Final = ("Optional", "typing.Optional", "Union", "typing.Union")


def takes_functions(definition: Def, qualified_name: Callable[[str], str]) -> bool:
    """Whether a parameter of the definition takes a function."""
    return any(is_function_type(each.type, qualified_name) for each in definition.decl.params)


def is_function_type(tree: Expr | None, qualified_name: Callable[[str], str]) -> bool:
    """Whether an annotation is ``Callable[...]``, or an ``Optional`` of it."""
    pending = [] if tree is None else [tree]
    while pending:
        each = pending.pop()
        if isinstance(each, BinOp) and each.operator == "|":
            pending += alternatives(each)
            continue
        root = _qualified(each.value if isinstance(each, Subscript) else each, qualified_name)
        if root in _CALLABLES:
            return True
        if isinstance(each, Subscript) and root in _OPTIONALS:
            pending += each.subscript_exprs
    return False


def _qualified(tree: Expr, qualified_name: Callable[[str], str]) -> str | None:
    name = dotted_name(tree)
    return None if name is None else qualified_name(name)
