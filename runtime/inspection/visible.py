"""Texts of files that nobody vouches for, made fit for a terminal or a page."""

from __future__ import annotations

from tsc.runtime.context.terminal import escape, safe_on_a_terminal

__all__ = ["counted", "safe_on_a_terminal", "shortened", "size_text", "visible", "visible_lines"]

_LONGEST = 200


def visible(text: str) -> str:
    """The text on one line, with everything that does not print as an escape.

    So no name can move a cursor, turn the direction of writing or break a line.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else escape(each) for each in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(visible(line.replace("\t", "    ")) for line in text.split("\n"))


def shortened(text: str, longest: int = _LONGEST) -> str:
    """At most so many characters of a text, on one line."""
    cut = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return visible(cut)


def size_text(count: int) -> str:
    """A number of bytes in words: ``3.4 MB``."""
    if count < 1000:
        return f"{count} B"
    amount = float(count)
    for unit in ("kB", "MB", "GB"):
        amount /= 1000
        if amount < 999.5:
            return f"{amount:.1f} {unit}"
    return f"{amount / 1000:.1f} TB"


def counted(count: int, noun: str) -> str:
    """``1 tensor``, ``2,000 tensors``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
