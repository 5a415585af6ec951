"""The order in which the definitions of a module are compiled: what is called before its callers.

Emission of a call needs the callee's schema. Compiling callees first keeps the emitter from nesting
one definition in another as deep as the chain of calls is long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import Def, Var


def in_order_of_calls(definitions: Sequence[Def]) -> list[Def]:
    """The definitions, each after those it names; in a cycle the one that comes first in the text
    is entered first."""
    by_name = {definition.name.name: definition for definition in definitions}
    if len(by_name) < 2:
        return list(definitions)
    ordered: dict[str, Def] = {}
    entered: set[str] = set()
    for name in by_name:
        _visit(name, by_name, entered, ordered)
    return list(ordered.values())


def _visit(
    start: str, by_name: Mapping[str, Def], entered: set[str], ordered: dict[str, Def]
) -> None:
    """Depth first from ``start``, with a stack of its own: chains of calls may be long."""
    if start in entered:
        return
    entered.add(start)
    pending = [(start, _called_names(by_name[start], by_name))]
    while pending:
        name, called = pending[-1]
        following = next((each for each in called if each not in entered), None)
        if following is None:
            ordered[name] = by_name[name]
            pending.pop()
            continue
        entered.add(following)
        pending.append((following, _called_names(by_name[following], by_name)))


def _called_names(definition: Def, by_name: Mapping[str, Def]) -> Iterator[str]:
    """The names of other definitions that occur in one, in no particular order but a fixed one."""
    pending: list[Tree | Group | str] = [definition]
    while pending:
        tree = pending.pop()
        if isinstance(tree, Var) and tree.name.name in by_name:
            yield tree.name.name
        elif not isinstance(tree, str):
            pending.extend(tree.children)
