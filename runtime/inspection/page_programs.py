"""The sections of the page that tell of an exported program: what it takes and calls, and its graphs."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.runtime.inspection.inspection import Inspection
from tsc.runtime.inspection.page_parts import block, facts, section


def program_sections(found: Inspection) -> Iterator[str]:
    """Inputs, outputs, ranges, guards and operators, each under its heading; then signature and code."""
    for heading, rows in found.facts.items():
        yield from section(_identity(heading), heading.capitalize(), facts(rows.items()))
    for heading, text in found.texts.items():
        yield from section(_identity(heading), heading.capitalize(), [block(text, heading)])


def program_links(found: Inspection) -> list[tuple[str, str]]:
    """Identities and titles of the sections that there are."""
    headings = [each for each in (*found.facts, *found.texts) if (found.facts | found.texts)[each]]
    return [(_identity(each), each.capitalize()) for each in headings]


def _identity(heading: str) -> str:
    return heading.replace(" ", "-")
