"""A serialized source text, scanned in one pass: strings and comments apart, names with their dots.

Archives hold up to megabytes of code, most of it in bodies that nobody asks for. This scan finds what is
mentioned; `declarations` gives the compiler's parser the heads alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|' + r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+["\n]?' + r"|'(?:[^'\\\n]|\\.)*+['\n]?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_NAMES = re.compile(r"(?:\.\s*)?\b[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*){0,40}")
_BLANKS = re.compile(r"\s+")


class Mention(NamedTuple):
    """A name in the code, such as ``torch.nn.relu``; one of an attribute begins with a dot.

    A longer chain than anybody writes comes in several mentions.
    """

    name: str
    offset: int
    is_called: bool


@dataclass(frozen=True)
class CodeText:
    """One file below ``code/``: its path there, and its text."""

    path: str
    text: str

    @cached_property
    def bare(self) -> str:
        """The text with the contents of strings and comments blanked; offsets stay."""
        return _TOKEN.sub(_blanked, self.text.replace("\\\n", "  "))

    def mentions(self) -> Iterator[Mention]:
        """All names outside of strings and comments, in order."""
        bare = self.bare
        for found in _NAMES.finditer(bare):
            name = _BLANKS.sub("", found[0])
            rest = bare[found.end() : found.end() + 80].lstrip()
            yield Mention(name, found.start(), rest[:1] == "(")

    def line_of(self, offset: int) -> int:
        """The line of an offset, counted from 1."""
        return self.text.count("\n", 0, offset) + 1

    def string_after(self, offset: int) -> str | None:
        """The string literal that comes next within a call, without its quotes."""
        found = _TOKEN.search(self.text, offset, offset + 300)
        return None if found is None or found[0][:1] == "#" else found[0].strip("\"'")


def _blanked(found: re.Match[str]) -> str:
    """Quotes stay at both ends, so that an expression stays one."""
    content = found[0]
    if content[0] == "#":
        return " " * len(content)
    end = content[-1] if len(content) > 1 else ""
    return f"{content[0]}{'_' * (len(content) - 2)}{end}"
