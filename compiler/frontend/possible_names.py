"""The names that a piece of text may bind, told without parsing it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

_STRINGS_AND_COMMENTS = re.compile(
    r"'''.*?(?:'''|\Z)|\"\"\".*?(?:\"\"\"|\Z)|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*",
    re.DOTALL,
)
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_BINDING_WORD = re.compile(r"\b(?:for|as|import|def|class|case|del|global|nonlocal|lambda)\b")
_ASSIGNMENT = re.compile(r"(?<![=!<>])=(?!=)")
_DEFINITION = re.compile(r"\s*(?:@[^\n]*\s+)*(?:async\s+)?(?:def|class)\s+([^\W\d]\w*)")


def possibly_bound_names(text: str) -> frozenset[str]:
    """The names that some lines may bind, and perhaps others: nothing is known for certain.

    Of a definition it is only its own name.
    """
    definition = _DEFINITION.match(text)
    if definition is not None:
        return frozenset((definition[1],))
    plain = _STRINGS_AND_COMMENTS.sub(" ", text)
    names = (name for line in plain.split("\n") for name in _bound_in_line(line))
    return frozenset(name for name in names if not keyword.iskeyword(name))


def _bound_in_line(line: str) -> Iterator[str]:
    if _BINDING_WORD.search(line):
        yield from _NAME.findall(line)
        return
    *targets, _value = _ASSIGNMENT.split(line)
    for target in targets:
        yield from _NAME.findall(target)
