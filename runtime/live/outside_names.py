"""What the names mean that a text of a program does not define: objects of Python, from whoever compiles the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsc.compiler.emit.protocols import Emitter, SugaredValue
    from tsc.compiler.source import SourceRange
    from tsc.compiler.types import Type
    from tsc.runtime.live.resolver import LiveResolver

_NAME = re.compile(r"[^\W\d]\w*")

Names = Mapping[str, Any] | Callable[[str], Any]
"""Objects by name, or what gives one, and None for a name that it does not know."""


def names_of_frame(frame: FrameType, text: str) -> Mapping[str, Any]:
    """What the names in a text are bound to where it is compiled, and no others: they are kept as long as the text."""
    layers = (frame.f_globals, frame.f_locals)
    mentioned = set(_NAME.findall(text))
    return {name: layer[name] for layer in layers for name in mentioned if name in layer}


class _Asked(Mapping[str, Any]):
    """What a callback of the user gives."""

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask

    def __getitem__(self, name: str) -> Any:
        found = self._ask(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class OutsideNames:
    """Resolves `names`."""

    def __init__(self, names: Names) -> None:
        self._names = names if isinstance(names, Mapping) else _Asked(names)
        self._resolver: LiveResolver | None = None

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        resolver = self._resolver_of(name)
        return None if resolver is None else resolver.resolve_value(name, emitter, range)

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        resolver = self._resolver_of(name.partition(".")[0])
        return None if resolver is None else resolver.resolve_type(name, range)

    def _resolver_of(self, name: str) -> LiveResolver | None:
        """None for a name that is not among them."""
        if name not in self._names:
            return None
        if self._resolver is None:
            compilation = import_module("tsc.runtime.live.compilation")  # with the executor
            self._resolver = compilation.resolver_of_names(self._names)
        return self._resolver
