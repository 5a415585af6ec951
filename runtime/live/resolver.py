"""What the names in a live function or class mean to the compiler."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tsc.compiler.emit.names.similar_names import NameIndex
from tsc.compiler.emit.resolvers.unimported_names import without_import
from tsc.compiler.emit.sugared_values.python_builtins import (
    GLOBALS,
    exception_class,
    refuse_unsupported_builtin,
)
from tsc.compiler.frontend.annotations import ScriptTypeParser, list_size
from tsc.runtime.live.scope import UNBOUND, Scope

if TYPE_CHECKING:
    from tsc.compiler.emit.protocols import Emitter, Resolver, SugaredValue
    from tsc.compiler.frontend.tree_views import Def
    from tsc.compiler.ir import Function, Value
    from tsc.compiler.source import SourceRange
    from tsc.compiler.types import Type
    from tsc.runtime.live.protocols import LiveCompilation


class LiveResolver:
    """Resolves names by what they are bound to in the running interpreter.

    `reassigned` are the attributes that the text sets in more than one place.
    """

    def __init__(
        self, scope: Scope, compilation: LiveCompilation, reassigned: frozenset[str] = frozenset()
    ) -> None:
        self.names = scope
        self._compilation = compilation
        self._reassigned = reassigned
        self.types = ScriptTypeParser(self.resolve_type, self.qualified_name)

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        found = GLOBALS.get(name)
        if found is not None:
            return found
        value = self.names.find(name)
        if value is not UNBOUND:
            return self._compilation.meaning(value, name, emitter, range)
        library = self._compilation.toolchain.library
        found = without_import(name, emitter, range, library) or exception_class(name)
        if found is None:
            refuse_unsupported_builtin(name, range)
        return found

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        value = self.names.find_dotted(name)
        if value is UNBOUND or list_size(name) is not None:
            return None
        return self._compilation.type_of_annotation(value, self, range)

    def qualified_name(self, name: str) -> str:
        return self.names.path_of_name(name)

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        return self._compilation.function_from(name, definition, resolver)

    def discard(self, function: Function) -> None:
        """Nothing keeps derived functions."""

    def sugared_self(self, value: Value) -> SugaredValue | None:
        return None

    def declared_attribute(self, name: str) -> Type | None:
        return None

    def sets_again(self, attribute: str) -> bool:
        return attribute in self._reassigned

    def names_near(self, name: str) -> Iterable[str]:
        return NameIndex([*self.names.names(), *GLOBALS]).near(name)
