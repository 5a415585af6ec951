"""``python -m tsc.compiler.exir.refusal_reference`` prints ``docs/export-refusals.md``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from tsc.compiler.exir.refusals import REFUSALS, Refusal

_HEAD: Final = """\
# What cannot be exported

Every reason for which a program, or a part of it, cannot be exported has a code, which keeps its meaning.

This page is generated: `make docs` writes it anew.

| code | name | what it says |
| --- | --- | --- |
"""


def page() -> str:
    """The text of the page."""
    rows = "".join(
        f"| {each.code} | {each.name} | {each.summary} |\n" for each in REFUSALS.values()
    )
    return _HEAD + rows + "".join(_sections())


def _sections() -> Iterator[str]:
    for each in REFUSALS.values():
        yield f"\n## {each.code} {each.name}\n\n{_sentence(each)}\n\n{each.reason}\n\nInstead: {each.rewrite}.\n"


def _sentence(refusal: Refusal) -> str:
    return f"{refusal.summary[0].upper()}{refusal.summary[1:]}."


if __name__ == "__main__":
    sys.stdout.write(page())
