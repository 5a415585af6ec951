"""The names that a live function or class can see, and what they are bound to."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, Final

from tsc.compiler.frontend.tree_views import Expr, Select, Var
from tsc.runtime.live.known_objects import FACADE, path_in_facade, path_of

UNBOUND: Final = object()
Names = Mapping[str, Any]


class Closure(Mapping[str, Any]):
    """The variables that a function takes from around it. A cell may be filled later."""

    def __init__(self, function: FunctionType) -> None:
        names = function.__code__.co_freevars
        self._cells = dict(zip(names, function.__closure__ or ()))

    def __getitem__(self, name: str) -> Any:
        try:
            return self._cells[name].cell_contents
        except ValueError:  # still empty
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)


class Scope:
    """Names in layers, the innermost first. It also tells full names, as `ModuleNames` does."""

    bindings: Final[Names] = {}

    def __init__(self, *layers: Names) -> None:
        self.layers = layers

    def find(self, name: str) -> Any:
        """What a name is bound to, or `UNBOUND`."""
        for layer in self.layers:
            try:
                return layer[name]
            except KeyError:
                continue
        return UNBOUND

    def find_dotted(self, name: str) -> Any:
        first, *attributes = name.split(".")
        value = self.find(first)
        for attribute in attributes:
            if value is UNBOUND:
                break
            value = getattr(value, attribute, UNBOUND)
        return value

    def names(self) -> Iterable[str]:
        return [name for layer in self.layers for name in layer]

    def path_of(self, tree: Expr) -> str | None:
        """The full path of a dotted name: ``F.relu`` is ``torch.nn.functional.relu``."""
        selectors: list[str] = []
        while isinstance(tree, Select):
            selectors.append(tree.selector.name)
            tree = tree.value
        if not isinstance(tree, Var):
            return None
        return self.path_of_name(".".join([tree.name.name, *reversed(selectors)]))

    def path_of_name(self, name: str) -> str:
        """The same for a name given as text, dotted or not."""
        found = self.find_dotted(name)
        path = None if found is UNBOUND else path_of(found)
        if path is not None and not path.startswith(f"{FACADE}."):
            return path
        first, dot, rest = name.partition(".")
        owner = self.find(first)
        if dot and owner is not UNBOUND:
            path = path_of(owner)
            if path == FACADE:
                return path_in_facade(rest)
            first = path or first
        return first + dot + rest


def scope_of_function(function: FunctionType, more: Names) -> Scope:
    return Scope(more, Closure(function), function.__globals__, _annotated_classes(function))


def scope_of_class(cls: type, around: Names) -> Scope:
    """`around` are the names where the class is used, for classes made inside of functions."""
    module = sys.modules.get(cls.__module__)
    methods = [each for each in vars(cls).values() if isinstance(each, FunctionType)]
    closures = [Closure(each) for each in methods]
    return Scope({cls.__name__: cls}, *closures, vars(module) if module else {}, around)


def _annotated_classes(function: FunctionType) -> Names:
    """The classes in evaluated annotations: those made inside of functions have no other place."""
    found: dict[str, Any] = {}
    pending = [each for each in function.__annotations__.values() if not isinstance(each, str)]
    while pending:
        each = pending.pop()
        if isinstance(each, type):
            found.setdefault(each.__name__, each)
        pending += getattr(each, "__args__", ())
    return found
