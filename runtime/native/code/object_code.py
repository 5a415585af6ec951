"""Object code: found in the cache or made, and put into memory."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from tsc.runtime.context.hooks import code_making
from tsc.runtime.native.code import object_cache
from tsc.runtime.native.code.conditions import conditions
from tsc.runtime.native.code.object_file import NotLoaded, ObjectFile

_FORMAT: Final = "2"
"""Of what is kept; another one for each change of it."""
MODULE: Final = "module"
"""The kind of code that a module's text is the source of."""


class Loaded(Protocol):
    """Code in memory, which stays there as long as this is kept."""

    def address(self, name: str) -> int:
        """Where a function begins."""
        ...


def found(kind: str, source: str) -> bytes | None:
    """What was made from the same source before, in whatever process."""
    key = _key(kind, source) if object_cache.exists() else None
    return None if key is None else object_cache.find(key)


def kept(kind: str, source: str, make: Callable[[], bytes]) -> bytes:
    """The same; what `make` makes, where there is nothing."""
    content = found(kind, source)
    if content is None:
        content = make()
        key = _key(kind, source)
        if key is not None:
            object_cache.keep(key, content)
    return content


def _key(kind: str, source: str) -> str | None:
    known = _conditions()
    if known is None or object_cache.folder() is None:
        return None
    return object_cache.key(_FORMAT, kind, source, known)


@functools.cache
def _conditions() -> str | None:
    """The conditions of this process in short; None where they cannot be told."""
    known = conditions()
    return None if known is None else object_cache.key(*known)


def code_of_text(text: str) -> bytes:
    """The object code of a module's text."""
    return kept(MODULE, text, lambda: code_making().module(text).object_code())


def loaded(code: bytes, symbols: Mapping[str, int]) -> Loaded:
    """Object code in memory: without LLVM where that is possible."""
    if sys.platform == "linux":
        try:
            return ObjectFile(code, symbols)
        except NotLoaded:
            pass
    return code_making().library(code, symbols)
