"""The resolver of a definition in which names stand for functions that it has been given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tsc.compiler.emit.protocols import (
    Emitter,
    Resolver,
    SugaredValue,
)
from tsc.compiler.frontend.tree_views import Def
from tsc.compiler.ir import Function, Value
from tsc.compiler.source import SourceRange
from tsc.compiler.types import Type


class BoundResolver:
    """The resolver of a module, with names that stand for functions in one definition."""

    __slots__ = ("base", "bindings")

    def __init__(self, base: Resolver, bindings: Mapping[str, SugaredValue]) -> None:
        self.base = base
        self.bindings = bindings

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        return self.bindings.get(name) or self.base.resolve_value(name, emitter, range)

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        return self.base.resolve_type(name, range)

    def qualified_name(self, name: str) -> str:
        return self.base.qualified_name(name)

    def sugared_self(self, value: Value) -> SugaredValue | None:
        return None

    def declared_attribute(self, name: str) -> Type | None:
        return None

    def sets_again(self, attribute: str) -> bool:
        return self.base.sets_again(attribute)

    def names_near(self, name: str) -> Iterable[str]:
        return [*self.bindings, *self.base.names_near(name)]

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        return self.base.derive(name, definition, resolver)

    def discard(self, function: Function) -> None:
        self.base.discard(function)


def module_resolver(emitter: Emitter) -> Resolver:
    """What names mean outside of all functions."""
    resolver = emitter.resolver
    return resolver.base if isinstance(resolver, BoundResolver) else resolver


def find_bound(emitter: Emitter, variable: str) -> SugaredValue | None:
    """What a variable of the function being emitted stands for, or a function bound in it."""
    found = emitter.environment.find(variable)
    if found is None and isinstance(emitter.resolver, BoundResolver):
        return emitter.resolver.bindings.get(variable)
    return found
