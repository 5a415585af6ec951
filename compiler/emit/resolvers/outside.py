"""What stands outside of a text: asked for names that neither it nor the texts before it define."""

from __future__ import annotations

from typing import Final, Protocol

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.source import SourceRange
from tsc.compiler.types import Type


class Outside(Protocol):
    """Two questions of a `Resolver`."""

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        """What a name means, or None if it is unknown."""
        ...

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        """The type that a name means in an annotation, or None."""
        ...


class _Nothing:
    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        return None

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        return None


NOTHING: Final[Outside] = _Nothing()
"""Where all that a text uses is in it, or known."""


def type_outside(
    outside: Outside, names: ModuleNames, name: str, range: SourceRange
) -> Type | None:
    """The type that a name means outside of a text, if it neither binds the name nor knows the module."""
    first = name.partition(".")[0]
    is_known = known.CUSTOMARY_ALIASES.get(first, first) in known.MODULES
    return None if first in names.bindings or is_known else outside.resolve_type(name, range)
