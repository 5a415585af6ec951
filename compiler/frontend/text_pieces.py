"""Cuts a text that may be wrong into rough pieces: strings, comments, brackets, line ends."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from tsc.compiler.source import Source

PIECE = re.compile(
    r"'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
    r"|#[^\n]*|\\\n|(?P<newline>\n)|(?P<opening>[(\[{])|(?P<closing>[)\]}])|[^'\"#\\\n()\[\]{}]+|.",
    re.DOTALL,
)
"""A piece of text; the group tells which of them is a line end or a bracket."""


def is_closed_later(source: Source, offset: int) -> bool:
    """Whether the innermost bracket that is open at an offset is closed somewhere behind it."""
    brackets = _brackets(source)
    index = bisect_left(brackets.offsets, offset)
    depth = brackets.depths[index - 1] if index else 0
    return index < len(brackets.offsets) and brackets.lowest_from[index] < depth


@dataclass(frozen=True, slots=True)
class _Brackets:
    """Where brackets stand, how many are open behind each, and the least number from there on."""

    offsets: list[int]
    depths: list[int]
    lowest_from: list[int]


@lru_cache(maxsize=1)
def _brackets(source: Source) -> _Brackets:
    """All brackets of a text. The last text is kept: one that is wrong is wrong in many places."""
    found = [each for each in PIECE.finditer(source.text) if each.lastgroup in _STEPS]
    depths = list(accumulate(_STEPS[each.lastgroup] for each in found))
    lowest_from = list(accumulate(reversed(depths), min))[::-1]
    return _Brackets([each.start() for each in found], depths, lowest_from)


_STEPS: dict[str | None, int] = {"opening": 1, "closing": -1}
