"""The small parts that the sections of the page of `html_page` are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from tsc.runtime.inspection.visible import shortened, visible_lines

FOLD_BUTTONS = (
    ' <span class="fold" data-script hidden><button type="button" data-fold="open">unfold all</button>'
    '<button type="button" data-fold="close">fold all</button></span>'
)


def escaped(text: str, longest: int = 400) -> str:
    """A text of the file, harmless in a page and in an attribute of it."""
    return escape(shortened(text, longest))


def block(text: str, label: str) -> str:
    """Lines that can be scrolled, by keys too."""
    lines = escape(visible_lines(text.rstrip()))
    return f'<pre tabindex="0" role="region" aria-label="{escape(label)}">{lines}</pre>'


def section(identity: str, title: str, content: Iterable[str]) -> Iterator[str]:
    """A section of the page; nothing, if it has no content."""
    parts = list(content)
    if parts:
        yield f'<section id="{identity}"><h2>{title}</h2>\n'
        yield from parts
        yield "</section>\n"


def facts(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names and values, one below the other."""
    lines = [f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>\n" for name, value in rows]
    if lines:
        yield "".join(['<dl class="facts">\n', *lines, "</dl>\n"])


def values(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names and values, as many in a line as there is room for."""
    items = [
        f"<div><dt>{escaped(name, 100)}</dt><dd>{escaped(value, 100)}</dd></div>"
        for name, value in rows
    ]
    if items:
        yield f'<dl class="values">{"".join(items)}</dl>\n'
