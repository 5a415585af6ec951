"""Places in a text, counted in characters as tsc does and in bytes of UTF-8 as PyTorch does."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Final

_STEP: Final = 512  # characters between two places whose byte is remembered


class BytePlaces:
    """Translates places of one text, each in the same time however long the text and its lines are."""

    __slots__ = ("_bytes", "_is_ascii", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_ascii = text.isascii()
        parts = () if self._is_ascii else range(0, len(text), _STEP)
        sizes = (len(_encoded(text[start : start + _STEP])) for start in parts)
        self._bytes = list(accumulate(sizes, initial=0))

    def byte_of(self, character: int) -> int:
        """The byte at which a character begins."""
        if self._is_ascii:
            return min(character, len(self._text))
        part = min(character // _STEP, len(self._bytes) - 1)
        return self._bytes[part] + len(_encoded(self._text[part * _STEP : character]))

    def character_of(self, byte: int) -> int:
        """The character that a byte is of, or the end of the text."""
        if self._is_ascii:
            return min(byte, len(self._text))
        part = bisect_right(self._bytes, byte) - 1
        start = part * _STEP
        inside = _encoded(self._text[start : start + _STEP])[: byte - self._bytes[part]]
        return start + len(inside.decode("utf-8", "ignore"))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
