"""Functions that are Python's, since they make modules or take them: programs cannot call them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import ClassDef, Def, Select, Var

_LAYERS = "torch.nn."


class TextWithModules(Protocol):
    """What is asked of a text."""

    names: ModuleNames
    definitions: list[Def]

    @property
    def class_names(self) -> list[str]: ...

    def is_module(self, name: str) -> bool: ...


def makers_of_modules(text: TextWithModules) -> frozenset[str]:
    """The functions of a text with module classes that name such a class, or a function that does."""
    modules = frozenset(name for name in text.class_names if text.is_module(name))
    if not modules:
        return frozenset()
    callers: dict[str, list[str]] = {}
    found: list[str] = []
    for definition in text.definitions:
        paths = [*_paths(definition, text.names)]
        if any(path in modules or _is_layer(path) for path in paths):
            found.append(definition.name.name)
        for path in paths:
            callers.setdefault(path, []).append(definition.name.name)
    return _with_callers(found, callers)


def makers_for_constructors(text: TextWithModules) -> frozenset[str]:
    """Those that the constructors of a text call, directly or by each other: to be evaluated, not compiled."""
    makers = makers_of_modules(text)
    uses = {each.name.name: each for each in text.definitions if each.name.name in makers}
    pending: list[Def] = [*_constructors(text)]
    found: set[str] = set()
    while pending:
        for path in _paths(pending.pop(), text.names):
            if path in uses and path not in found:
                found.add(path)
                pending.append(uses[path])
    return frozenset(found)


def _constructors(text: TextWithModules) -> Iterator[Def]:
    for name in text.class_names:
        definition = text.names.bindings.get(name)
        if isinstance(definition, ClassDef) and text.is_module(name):
            methods = (each for each in definition.body if isinstance(each, Def))
            yield from (each for each in methods if each.name.name == "__init__")


def _with_callers(found: list[str], callers: dict[str, list[str]]) -> frozenset[str]:
    pending, makers = list(found), set(found)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in makers:
                makers.add(caller)
                pending.append(caller)
    return frozenset(makers)


def _paths(definition: Def, names: ModuleNames) -> Iterator[str]:
    """The dotted names in a definition, its head included, as its text imports them."""
    pending: list[Tree | Group | str] = [definition]
    while pending:
        tree = pending.pop()
        if isinstance(tree, Var | Select):
            path = names.path_of(tree)
            if path is not None:
                yield path
                continue
        if not isinstance(tree, str):
            pending.extend(tree.children)


def _is_layer(path: str) -> bool:
    """``torch.nn.Linear``, and not ``torch.nn.functional.linear``."""
    return path.startswith(_LAYERS) and path.rpartition(".")[2][:1].isupper()
