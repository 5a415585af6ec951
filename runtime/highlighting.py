"""Colours for the texts that tsc prints in a terminal: IR, bytecode and Python."""

from __future__ import annotations

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

THEME = Theme(
    {
        "ir.value": "cyan",
        "ir.operator": "bold yellow",
        "ir.type": "green",
        "ir.comment": "dim",
        "ir.keyword": "bold magenta",
        "ir.string": "red",
        "ir.number": "blue",
    }
)


class IRHighlighter(RegexHighlighter):
    """Marks values, operators, types, attributes and source comments of IR text."""

    base_style = "ir."
    highlights = [
        r"(?P<value>%[A-Za-z0-9_.]+)",
        r"(?P<operator>\b(?:aten|prim|quantized|ops)::\w+)",
        r"(?<= : )(?P<type>[A-Z]\w*(?:\([^)]*\))?(?:\[\]|\?)*|(?:int|float|bool|str|complex)(?:\[\]|\?)*)",
        r"(?P<keyword>^graph|\breturn\b|\bblock\d+|->|^[A-Z_]{2,}|(?<=\d )[A-Z_]{2,})",
        r"(?P<string>\"(?:[^\"\\]|\\.)*\")",
        r"(?P<comment># [^\n]*?:\d+:\d+$)",
    ]


def print_highlighted(text: str, language: str) -> None:
    """Print `text` in colours on standard output; what the terminal wants has been decided before."""
    console = Console(
        force_terminal=True, color_system="256", theme=THEME, highlight=False, soft_wrap=True
    )
    console.print(highlighted(text, language), end="" if text.endswith("\n") else "\n")


def highlighted(text: str, language: str) -> Text:
    """`text` with colours; `language` is ``ir`` or ``python``."""
    if language == "python":
        return Syntax(text, "python", theme="ansi_dark").highlight(text.rstrip("\n"))
    marked = Text()
    for line in text.split("\n"):
        styled = Text(line + "\n")
        IRHighlighter().highlight(styled)
        marked.append_text(styled)
    marked.right_crop(1)
    return marked
