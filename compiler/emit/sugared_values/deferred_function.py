"""Functions that are looked for only when a program calls them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.source import SourceRange


class DeferredFunction(SugaredValue):
    """A function of which it is known where to look for it; a call looks, and calls what it finds."""

    __slots__ = ()

    @abstractmethod
    def meaning(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        """The function itself. Raises `CompileError` if there is none."""

    @property
    def kind(self) -> str:
        return "function"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        return self.meaning(range, emitter).call(range, emitter, args, kwargs, binders)
