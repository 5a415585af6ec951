"""The order in which the definitions of a module are compiled: what is called before its callers.

Emission of a call needs the callee's schema. Compiling callees first keeps the emitter from nesting
one definition in another as deep as the chain of calls is long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import Def, Var


class DefinitionOrder:
    """Tells of a definition which others had better be compiled before it.

    Each definition is looked at once, however often it is asked for: the work of compiling some of
    a text's functions grows with these, not with the text.
    """

    __slots__ = ("_by_name", "_entered")

    def __init__(self, definitions: Iterable[Def]) -> None:
        self._by_name = {definition.name.name: definition for definition in definitions}
        self._entered: set[str] = set()

    def before(self, name: str) -> list[str]:
        """What ``name`` names, each after what it names itself, but for what was told before.

        Of a cycle, what is asked for first comes last. Depth first, with a stack of its own: chains
        of calls may be long.
        """
        if name in self._entered:
            return []
        self._entered.add(name)
        ordered: list[str] = []
        pending = [(name, self._named_by(name))]
        while pending:
            current, named = pending[-1]
            following = next((each for each in named if each not in self._entered), None)
            if following is None:
                ordered.append(current)
                pending.pop()
                continue
            self._entered.add(following)
            pending.append((following, self._named_by(following)))
        return ordered[:-1]

    def _named_by(self, name: str) -> Iterator[str]:
        """The names of definitions that occur in one, in no particular order but a fixed one."""
        pending: list[Tree | Group | str] = [self._by_name[name]]
        while pending:
            tree = pending.pop()
            if isinstance(tree, Var) and tree.name.name in self._by_name:
                yield tree.name.name
            elif not isinstance(tree, str):
                pending.extend(tree.children)
