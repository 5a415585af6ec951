"""The page ``docs/diagnostics.md``: every code with its explanation and examples."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.explanations import CATEGORIES, Explanation, explanations, name_of

_HEAD = """\
# Diagnostics

Every problem that tsc reports has a code. The last line of an error names it, `tsc check` shows it first,
`tsc check --explain CODE` prints what stands here, and in Python it is `CompileError.code`. A code keeps its
meaning: it is never used for anything else.

Each code comes with a program that has the problem, and with one that does the same without it. Both are
compiled by the tests.

This page is generated: `make docs` writes it anew.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([_HEAD, *_contents(), *(_section(each) for each in _by_category())])


def markdown(explanation: Explanation) -> str:
    """What there is to say about one code, without its heading."""
    language = "py" if explanation.language == "python" else ""
    siblings = (
        f"\n`{name}`, beside it:\n\n```py\n{content.decode('utf-8', 'backslashreplace')}```\n"
        for name, content in explanation.siblings.items()
    )
    return (
        f"{explanation.reason}\n"
        f"```{language}\n{explanation.bad}```\n"
        f"{''.join(siblings)}\n"
        f"Instead:\n\n"
        f"```{language}\n{explanation.good}```\n"
    )


def _by_category() -> Iterator[Explanation | str]:
    category = ""
    for each in explanations():
        if each.code[:3] != category:
            category = each.code[:3]
            yield f"{category}xx: {CATEGORIES[category]}"
        yield each


def _section(part: Explanation | str) -> str:
    if isinstance(part, str):
        return f"## {part}\n"
    return f"### {part.code} {name_of(part.code)}\n\n{_sentence(part.title)}\n\n{markdown(part)}"


def _contents() -> Iterator[str]:
    yield "| code | name | what it says |\n| --- | --- | --- |"
    for each in explanations():
        anchor = f"{each.code} {name_of(each.code)}".lower().replace(" ", "-")
        yield f"| [{each.code}](#{anchor}) | {name_of(each.code)} | {each.title} |"
    yield ""


def _sentence(title: str) -> str:
    return f"{title[0].upper()}{title[1:]}."
