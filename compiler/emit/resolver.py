"""Names that a definition does not bind itself: what they mean is a resolver's to say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tsc.compiler.emit.sugared_value import Emitter, SugaredValue
    from tsc.compiler.frontend.tree_views import Def
    from tsc.compiler.ir import Function, Value
    from tsc.compiler.source import SourceRange
    from tsc.compiler.types import Type


class Resolver(Protocol):
    """The outside of a definition: Python's builtins, and the module around it."""

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        """What a name that is no local variable means, or None if it is unknown."""
        ...

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        """The type that a name, dotted or not, means in an annotation, or None."""
        ...

    def qualified_name(self, name: str) -> str:
        """Where a name comes from: ``T.List`` is ``typing.List`` after ``import typing as T``."""
        ...

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        """A new function, called ``name`` or nearly so; its definition uses another resolver."""
        ...

    def discard(self, function: Function) -> None:
        """A derived function is not needed after all."""
        ...

    def sugared_self(self, value: Value) -> SugaredValue | None:
        """What the first parameter of a definition means, if it is more than its type says."""
        ...

    def declared_attribute(self, name: str) -> Type | None:
        """The type that the class of a method annotates an attribute with, in its body."""
        ...

    def sets_again(self, attribute: str) -> bool:
        """Whether the text sets an attribute of that name in more than one place."""
        ...

    def names_near(self, name: str) -> Iterable[str]:
        """Names that ``resolve_value`` knows and that are spelled like ``name``: for suggestions."""
        ...
