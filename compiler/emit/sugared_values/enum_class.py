"""An enum class: its members are constants, and a loop over it is one over a list of them."""

from __future__ import annotations

from difflib import get_close_matches

from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.sugared_values.simple_value import SimpleValue
from tsc.compiler.source import SourceRange, codes
from tsc.compiler.types import EnumType, ListType


class EnumClass(SugaredValue):
    """``Color`` of ``class Color(Enum)``."""

    __slots__ = ("type",)

    def __init__(self, type: EnumType) -> None:
        self.type = type

    @property
    def kind(self) -> str:
        return "EnumClass"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        member = self.type.member(name)
        if member is not None:
            return SimpleValue(emitter.graph.insert_constant(member, range=range))
        names = [each for each, _ in self.type.members]
        similar = get_close_matches(name, names, 1)
        raise self._refusal(
            range,
            f"'{self.type}' has no attribute '{name}'",
            code=codes.UNKNOWN_ATTRIBUTE,
            hint=f"did you mean '{similar[0]}'?" if similar else f"there are {', '.join(names)}",
        )

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        return self.type.member(name) is not None

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        members = [self.type.member(name) for name, _ in self.type.members]
        type = ListType(self.type)
        return SimpleValue(emitter.graph.insert_constant(members, type, range=range))
