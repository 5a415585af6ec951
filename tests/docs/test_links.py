"""Links between README and the pages of docs/ lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def places(page: Path) -> set[str]:
    """The names of a page's headings in links."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, place = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), target
        assert not place or place in places(file), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_that_are_named_are_there(page: Path) -> None:
    named = re.findall(r"`(docs/[\w./-]+\.md)`", page.read_text(encoding="utf-8"))
    assert [each for each in named if not (ROOT / each).exists()] == []
