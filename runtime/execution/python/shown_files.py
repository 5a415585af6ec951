"""The file names under which Python's tools find the texts of programs.

A text that is in no file, one that was given as a string or that an archive holds, is handed to `linecache`.
"""

from __future__ import annotations

import linecache
from pathlib import Path
from typing import Final

from tsc.compiler.source import Source

_MOST_NAMES: Final = 64
"""Texts of one file name that are told apart; the first is given up for what comes then."""

_texts: Final[dict[str, str]] = {}
"""What was handed to `linecache`, by the names there."""


def shown_file(source: Source) -> str:
    """The name that stands for the text of a source; ``<string>`` becomes ``<tsc string>``, for
    under that name Python looks for the texts of all that `exec` ever ran."""
    if source.shown_as is None:
        source.shown_as = source.filename if _is_known(source) else _new_name(source)
    return source.shown_as


def _is_known(source: Source) -> bool:
    """Whether tools find the text without us: in its file, or where a notebook has put it."""
    name = source.filename
    if not source.text or Path(name).exists():
        return True
    return name not in _texts and name in linecache.cache


def _new_name(source: Source) -> str:
    text = "\n" * (source.first_line - 1) + source.text
    filename = source.filename
    if filename.startswith("<"):
        filename = f"<tsc {filename[1:]}"
    for number in range(1, _MOST_NAMES + 1):
        name = filename if number == 1 else f"{filename} {number}"
        if _texts.setdefault(name, text) == text:
            break
    else:
        name = filename
        _texts[name] = text
    if name.startswith("<") and name.endswith(">"):
        lines = [f"{line}\n" for line in text.split("\n")]
        linecache.cache[name] = (len(text), None, lines, name)
    else:
        linecache.cache[name] = (lambda: text,)  # split when somebody looks at it
    return name
