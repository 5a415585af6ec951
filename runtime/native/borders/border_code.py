"""Code for values from Python, made once a process has spent more time on them than making it takes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Final

from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.code.list_layout import lists_are_as_expected
from tsc.runtime.native.code.number_layout import numbers_are_as_expected
from tsc.runtime.native.code.object_code import MODULE, Loaded, code_of_text, found, loaded
from tsc.runtime.native.code.object_layout import ObjectLayout, object_layout
from tsc.runtime.native.code.text_layout import texts_are_as_expected

_LOOKS: Final = 500_000
"""Nanoseconds in Python after which code is looked for that an earlier process has made."""
_PAYS: Final = 20_000_000
"""Nanoseconds in Python after which code is made."""


class BorderCode:
    """Some code, and what was spent without it."""

    def __init__(
        self,
        text: Callable[[ObjectLayout], str],
        symbols: Callable[[], Mapping[str, int]],
    ) -> None:
        """By its text for objects that are laid out so, and what that calls."""
        self._text, self._symbols = text, symbols
        self._spent = 0
        self._has_looked = False
        self._making: Making[Loaded] | None = None
        self._library: Loaded | None = None

    def library(self, nanoseconds: int) -> Loaded | None:
        """The code, if it is there after so many nanoseconds more."""
        self._spent += nanoseconds
        if self._library is None and self._spent > _LOOKS and MODE.plan != "python":
            self._library = self._found()
        return self._library

    def _found(self) -> Loaded | None:
        layout = object_layout()
        if layout is None or not _is_laid_out_as_expected():
            return None
        if self._making is None:
            text = self._text(layout)
            is_kept = not self._has_looked and found(MODULE, text) is not None
            self._has_looked = True
            if is_kept:
                return self._loaded(text)
            if self._spent > _PAYS:
                self._making = BACKGROUND.begin(functools.partial(self._loaded, text))
        return None if self._making is None else self._making.made

    def _loaded(self, text: str) -> Loaded:
        return loaded(code_of_text(text), self._symbols())


@functools.cache
def _is_laid_out_as_expected() -> bool:
    return lists_are_as_expected() and numbers_are_as_expected() and texts_are_as_expected()
