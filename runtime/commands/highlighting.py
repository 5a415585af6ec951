"""Colours for the texts that tsc prints in a terminal: IR, bytecode, Python and problems."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

from tsc.compiler.reports import Problem
from tsc.compiler.reports.text import parts
from tsc.runtime.inspection.visible import safe_on_a_terminal

THEME = Theme(
    {
        "ir.value": "cyan",
        "ir.operator": "bold yellow",
        "ir.type": "green",
        "ir.comment": "dim",
        "ir.keyword": "bold magenta",
        "ir.string": "red",
        "ir.number": "blue",
        "problem.code": "bold red",
        "problem.message": "bold",
        "problem.place": "cyan",
        "problem.marks": "bold red",
        "problem.hint": "green",
        "report.file": "bold",
        "report.heading": "bold magenta",
        "report.label": "cyan",
        "report.module": "bold",
        "report.value": "dim",
        "report.good": "green",
        "report.note": "blue",
        "report.warning": "bold yellow",
        "report.error": "bold red",
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


class MarksHighlighter(RegexHighlighter):
    """The marks under the source lines of a problem."""

    base_style = "problem."
    highlights = [r"(?m)^[ \t]*(?P<marks>~[~\t]*(?: <--- HERE)?)$"]


class ReportHighlighter(RegexHighlighter):
    """What `tsc inspect` and `tsc audit` tell of a file, line by line."""

    base_style = "report."
    highlights = [
        r"^  (?P<label>what to do|size|format|mode|made from|tensors|parameters|elements|saved on)  ",
        r"^(?P<heading>methods|modules|tensors|other values|extra files|constants of the code"
        r"|classes and functions|operators \(\d+\))$",
        r"^ +(?P<module>\w+|\(the module\)): (?P<value>\w+(?:\.\w+)*)(?:, |$)",
        r"^ {4,}(?P<value>\w+ = .*)$",
        r"(?P<error>^  (?:problem|in the way)  .*|not in tsc$|a class of C\+\+.*|baked into the code$)",
        r"^(?P<error>TA\d+ error)|^(?P<warning>TA\d+ warning)|^(?P<note>TA\d+ note)",
        r"^(?P<good>nothing found)",
    ]


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems in colours, with an empty line behind each."""
    console = _console()
    for problem in problems:
        console.print(_problem_in_colors(problem))


def _problem_in_colors(problem: Problem) -> Text:
    text = Text()
    for each in parts(problem):
        part = each._replace(text=safe_on_a_terminal(each.text))
        style = f"problem.{part.kind}" if part.kind in ("place", "hint") else ""
        styled = Text(f"{part.text}\n", style)
        if part.kind == "message":
            styled.stylize("problem.message", 0, len(part.text.partition("\n")[0]))
            styled.stylize("problem.code", 0, part.text.index(" "))
        elif part.kind == "source":
            MarksHighlighter().highlight(styled)
        text.append_text(styled)
    return text


def print_highlighted(text: str, language: str) -> None:
    """Print `text` in colours on standard output; what the terminal wants has been decided before."""
    _console().print(highlighted(text, language), end="" if text.endswith("\n") else "\n")


def _console() -> Console:
    return Console(
        force_terminal=True, color_system="256", theme=THEME, highlight=False, soft_wrap=True
    )


def highlighted(text: str, language: str) -> Text:
    """`text` with colours; `language` is ``ir``, ``python`` or ``report``."""
    if language == "python":
        return Syntax(text, "python", theme="ansi_dark").highlight(text.rstrip("\n"))
    highlighter = ReportHighlighter() if language == "report" else IRHighlighter()
    marked = Text()
    for number, line in enumerate(text.split("\n")):
        styled = Text(line + "\n")
        highlighter.highlight(styled)
        if language == "report" and number == 0:
            styled.stylize("report.file", 0, line.find(": "))
        marked.append_text(styled)
    marked.right_crop(1)
    return marked
