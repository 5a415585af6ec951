"""Texts of files that nobody vouches for, on their way to a terminal."""

from __future__ import annotations

import re

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe_on_a_terminal(text: str) -> str:
    """Lines as they are, but for what a terminal would take as a command, or as a change of direction."""
    return _COMMANDS.sub(lambda found: escape(found[0]), text)


def escape(letter: str) -> str:
    """A letter as Python spells it without showing it."""
    return letter.encode("unicode-escape", "surrogatepass").decode("ascii")
