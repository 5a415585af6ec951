"""Which names a function or lambda takes from around it, and which it binds itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import (
    Assign,
    AugAssign,
    ClassDef,
    Decl,
    Def,
    DictComp,
    Expr,
    For,
    Import,
    ImportFrom,
    Lambda,
    ListComp,
    Select,
    Starred,
    TupleLiteral,
    Var,
    With,
)

Names = frozenset[str]


def free_names(decl: Decl, body: Sequence[Tree]) -> tuple[str, ...]:
    """The names that a body uses and does not bind, in the order of their first use."""
    pending: list[tuple[Tree | Group, Names]] = []
    pending += [*_inside(decl, body, frozenset())][::-1]
    used: dict[str, None] = {}
    while pending:
        tree, bound = pending.pop()
        if isinstance(tree, Var):
            if tree.name.name not in bound:
                used[tree.name.name] = None
        else:
            pending += [*_parts(tree, bound)][::-1]
    return tuple(used)


def bound_names(body: Iterable[Tree]) -> Iterator[str]:
    """The variables that statements set, blocks in them included; a name may come several times."""
    pending: list[Tree | Group | str] = list(body)
    while pending:
        tree = pending.pop()
        if isinstance(tree, str | Expr):
            continue
        yield from _bound_by(tree)
        if not isinstance(tree, Def | ClassDef):
            pending.extend(tree.children)


def set_attributes(tree: Tree) -> Iterator[str]:
    """The names of the attributes that a text sets, once for each place."""
    pending: list[Tree | Group | str] = [tree]
    while pending:
        tree_or_group = pending.pop()
        if isinstance(tree_or_group, str | Expr):
            continue
        if isinstance(tree_or_group, Assign | AugAssign):
            yield from _attributes_in(tree_or_group)
        children = tree_or_group.body if isinstance(tree_or_group, ClassDef) else ()
        pending.extend(children or tree_or_group.children)


def _attributes_in(tree: Assign | AugAssign) -> Iterator[str]:
    pending = [*(tree.lhs_list if isinstance(tree, Assign) else [tree.lhs])]
    while pending:
        target = pending.pop()
        if isinstance(target, Select):
            yield target.selector.name
        elif isinstance(target, TupleLiteral):
            pending.extend(target.inputs)


def _bound_by(tree: Tree | Group) -> Iterator[str]:
    """What one statement sets, not what the statements in it set."""
    match tree:
        case Assign():
            yield from _targets(tree.lhs_list)
        case AugAssign():
            yield from _targets([tree.lhs])
        case For():
            yield from _targets(tree.targets)
        case With():
            yield from _targets([item.var for item in tree.targets if item.var is not None])
        case Def() | ClassDef():
            yield tree.name.name
        case Import() | ImportFrom():
            yield from (alias.bound_name for alias in tree.names)
        case _:
            pass


def _targets(targets: Iterable[Expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, Var):
            yield target.name.name
        elif isinstance(target, TupleLiteral):
            yield from _targets(target.inputs)
        elif isinstance(target, Starred):
            yield from _targets([target.expr])


def _parts(tree: Tree | Group, bound: Names) -> Iterator[tuple[Tree | Group, Names]]:
    """What a tree is made of, each part with the names that are bound there."""
    match tree:
        case Lambda():
            yield from _defaults(tree.decl, bound)
            yield from _inside(tree.decl, [tree.body], bound)
        case Def():
            yield from _defaults(tree.decl, bound)
            yield from _inside(tree.decl, tree.statements, bound)
        case ListComp() | DictComp():
            yield from _parts_of_comprehension(tree, bound)
        case _:
            for child in tree.children:
                if not isinstance(child, str):
                    yield child, bound


def _defaults(decl: Decl, bound: Names) -> Iterator[tuple[Tree, Names]]:
    for param in decl.params:
        if param.default is not None:
            yield param.default, bound


def _inside(decl: Decl, body: Sequence[Tree], bound: Names) -> Iterator[tuple[Tree, Names]]:
    inner = bound.union((param.name for param in decl.params), bound_names(body))
    for tree in body:
        yield tree, inner


def _parts_of_comprehension(
    tree: ListComp | DictComp, bound: Names
) -> Iterator[tuple[Tree, Names]]:
    """Its variables are its own; the first iterable does not see them yet."""
    yield tree.iter, bound
    inner = bound.union(_targets(clause.target for clause in tree.clauses))
    for position, clause in enumerate(tree.clauses):
        if position > 0:
            yield clause.iter, inner
        for condition in clause.conditions:
            yield condition, inner
    elements = [tree.key, tree.value] if isinstance(tree, DictComp) else [tree.elt]
    for element in elements:
        yield element, inner
