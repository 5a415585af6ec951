"""What stands in the tree for a piece of text that could not be parsed."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from compiler.frontend.tree import Stmt

_STRINGS_AND_COMMENTS = re.compile(
    r"'''.*?(?:'''|\Z)|\"\"\".*?(?:\"\"\"|\Z)|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*",
    re.DOTALL,
)
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_BINDING_WORD = re.compile(r"\b(?:for|as|import|def|class|case|del|global|nonlocal|lambda)\b")
_ASSIGNMENT = re.compile(r"(?<![=!<>])=(?!=)")
_DEFINITION = re.compile(r"\s*(?:@[^\n]*\s+)*(?:async\s+)?(?:def|class)\s+([^\W\d]\w*)")


@dataclass(slots=True, eq=False, repr=False)
class BrokenStmt(Stmt):
    """One or more lines that were skipped after an error in them, which has been reported.

    ``names`` are those that the lines may have bound.
    """

    KIND: ClassVar[str] = "broken"

    names: frozenset[str]


def bound_names(text: str) -> frozenset[str]:
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
