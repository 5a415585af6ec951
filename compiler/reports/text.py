"""Problems as text, for people; and the explanations of codes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from tsc.compiler.exir.refusals import REFUSALS, Refusal
from tsc.compiler.explanations import Explanation, explanation_of, explanations, name_of
from tsc.compiler.reports.problem import Problem
from tsc.compiler.reports.selection import known_prefixes
from tsc.compiler.source import Part


def parts(problem: Problem) -> Iterator[Part]:
    """What there is to tell about a problem: as of an error, with the code in front."""
    for part in problem.error.parts():
        text = part.text.rstrip("\n")
        yield part._replace(text=f"{problem.code} {text}" if part.kind == "message" else text)


def report(problems: Sequence[Problem]) -> str:
    """All problems, with an empty line behind each."""
    return "".join("".join(f"{part.text}\n" for part in parts(each)) + "\n" for each in problems)


def summary(problems: Sequence[Problem], checked: int) -> str:
    """``Found 3 problems in 2 files.``, or that there are none in the ``checked`` ones."""
    if not problems:
        return f"No problems in {_counted(checked, 'file')}."
    files = len({each.file for each in problems})
    return f"Found {_counted(len(problems), 'problem')} in {_counted(files, 'file')}."


def explanation_text(explanation: Explanation) -> str:
    """What there is to say about one code."""
    title = f"{explanation.title[0].upper()}{explanation.title[1:]}."
    siblings = "".join(
        f"\n{name}, beside it:\n\n{_indented(content.decode('utf-8', 'backslashreplace'))}"
        for name, content in explanation.siblings.items()
    )
    return (
        f"{explanation.code} {name_of(explanation.code)}\n\n{title}\n\n{explanation.reason}\n"
        f"{_indented(explanation.bad)}{siblings}\nInstead:\n\n{_indented(explanation.good)}"
    )


def explained(code: str) -> str:
    """What ``--explain`` prints: about a code, or the codes that begin so, one a line; TX are those of exporting.

    Raises `UnknownCode`.
    """
    refused = [each for each in REFUSALS.values() if each.code.startswith(code.strip().upper())]
    if code.strip() and refused:
        return _refusals_text(refused)
    (prefix,) = known_prefixes([code])
    explanation = explanation_of(prefix)
    if explanation is not None:
        return explanation_text(explanation)
    return "".join(
        f"{each.code} {name_of(each.code)}: {each.title}\n"
        for each in explanations()
        if each.code.startswith(prefix)
    )


def _refusals_text(found: Sequence[Refusal]) -> str:
    """All about one reason not to export a program, or a line for each of several."""
    if len(found) > 1:
        return "".join(f"{each.code} {each.name}: {each.summary}\n" for each in found)
    (one,) = found
    summary = f"{one.summary[0].upper()}{one.summary[1:]}."
    reason = "\n".join(textwrap.wrap(one.reason, 90))
    return f"{one.code} {one.name}\n\n{summary}\n\n{reason}\n\nInstead: {one.rewrite}.\n"


def _indented(code: str) -> str:
    return textwrap.indent(code, "    ")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
