"""Which codes are wanted: by prefixes, of which the longest one that fits a code decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tsc.compiler.explanations import CATEGORIES, all_codes
from tsc.compiler.source import Code, Error

WARNINGS = "TS9"
_ERRORS = tuple(category for category in CATEGORIES if category != WARNINGS)


class UnknownCode(Error):
    """There is no code that begins like this."""

    is_usage = True


@dataclass(frozen=True, slots=True)
class Selection:
    """``TS4`` stands for all codes that begin so. Without ``selected`` ones, errors are wanted."""

    selected: tuple[str, ...] = _ERRORS
    ignored: tuple[str, ...] = ()

    @classmethod
    def of(cls, selected: Sequence[str], ignored: Sequence[str]) -> Selection:
        """From what was given on the command line; each may be a list with commas."""
        return cls(tuple(known_prefixes(selected)) or _ERRORS, tuple(known_prefixes(ignored)))

    def wants(self, code: Code) -> bool:
        return _longest(self.selected, code) > _longest(self.ignored, code)


def known_prefixes(texts: Sequence[str]) -> list[str]:
    """The prefixes in some texts, with commas between them; `UnknownCode` for one that fits none."""
    prefixes = [part.strip().upper() for text in texts for part in text.split(",") if part.strip()]
    for prefix in prefixes:
        if not any(code.startswith(prefix) for code in all_codes()):
            raise UnknownCode(
                f"no code begins with {prefix!r}; `tsc check --explain TS` lists them all"
            )
    return prefixes


def _longest(prefixes: Sequence[str], code: str) -> int:
    """The length of the longest prefix of a code; 0 if none fits."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)
