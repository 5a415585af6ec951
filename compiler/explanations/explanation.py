"""What there is to say about one code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent

from tsc.compiler.source import Code


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code, explained by a program that has the problem and by one that does the same without it.

    ``language`` is "python", or "ir" for texts that `tsc.parse_ir` reads. ``strict`` says that the
    examples are meant for strict mode; ``siblings`` are files that they import.
    """

    code: Code
    title: str
    reason: str
    bad: str
    good: str
    language: str = "python"
    strict: bool = False
    siblings: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


def explain(
    code: Code,
    title: str,
    reason: str,
    *,
    bad: str,
    good: str,
    language: str = "python",
    strict: bool = False,
    siblings: Mapping[str, bytes] | None = None,
) -> Explanation:
    """An explanation whose texts are indented as the code around them is."""
    texts = (_plain(reason), _plain(bad), _plain(good))
    return Explanation(code, title, *texts, language, strict, siblings or {})


def _plain(text: str) -> str:
    return dedent(text).strip("\n") + "\n"
