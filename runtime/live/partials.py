"""``functools.partial`` objects in programs: calls of a function that some arguments are given to already."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue

if TYPE_CHECKING:
    from tsc.compiler.source import SourceRange
    from tsc.runtime.live.protocols import LiveCompilation


class PartialValue(SugaredValue):
    """Calls its function. What is given already must be constants; a call may give what has a name anew."""

    __slots__ = ("compilation", "name", "partial")

    def __init__(
        self, partial: functools.partial[Any], name: str, compilation: LiveCompilation
    ) -> None:
        self.partial = partial
        self.name = name
        self.compilation = compilation

    @property
    def kind(self) -> str:
        return "python value of type 'partial'"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        def bound(value: Any, keyword: str | None = None) -> NamedValue:
            meaning = self.compilation.meaning(value, self.name, emitter, range)
            return NamedValue(meaning.as_value(range, emitter), range, keyword)

        named = {each.name for each in kwargs}
        positional = [*map(bound, self.partial.args), *args]
        keywords = [bound(v, k) for k, v in self.partial.keywords.items() if k not in named]
        function = self.compilation.meaning(self.partial.func, self.name, emitter, range)
        return function.call(range, emitter, positional, [*keywords, *kwargs], binders)
