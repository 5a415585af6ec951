"""The examples of README and docs run: console blocks exit with 0, Python blocks print what they say."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """The fenced blocks of a language on every page, with the page's name."""
    return [
        (page.name, text)
        for page in PAGES
        for found, text in _BLOCK.findall(page.read_text(encoding="utf-8"))
        if found == language
    ]


def commands() -> list[tuple[str, str]]:
    """Every ``$ tsc …`` line on the pages."""
    return [
        (page, line[2:].partition("  #")[0].strip())
        for page, text in blocks("console")
        for line in text.splitlines()
        if line.startswith("$ tsc ")
    ]


@pytest.mark.parametrize(("page", "command"), commands())
def test_console_examples_run(page: str, command: str) -> None:
    arguments = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "cli", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 0, f"{page}: {command}\n{done.stderr}"
    assert done.stdout


@pytest.mark.parametrize(("page", "text"), blocks("python"))
def test_python_examples_print_what_they_say(page: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "example.py"  # live functions are compiled from the file they stand in
    file.write_text(text, encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, str(file), "exec"), {"__name__": "example"})
    expected = re.findall(r"^\s*print\(.*\)\s+# (.+)$", text, re.MULTILINE)
    assert expected, f"{page}: the example says nothing about what it prints"
    for line in expected:
        assert line in printed.getvalue()


def test_there_are_examples() -> None:
    assert len(commands()) >= 5
    assert blocks("python")
