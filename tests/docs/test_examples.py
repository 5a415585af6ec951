"""The examples of README and docs run: console blocks exit with 0, Python blocks print what they say."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def commands() -> list[Any]:
    """Every ``$ tsc …`` line on the pages, with the lines below it: what it prints."""
    found: list[Any] = []
    for page, text in blocks("console"):
        for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
            line, _, shown = part.partition("\n")
            if line.startswith("$ tsc "):
                command = re.split(r"\s{2,}# ", line[2:])[0]
                found.append(pytest.param(page, command.strip(), shown, id=f"{page}: {command}"))
    return found


@pytest.mark.parametrize(("page", "command", "shown"), commands())
def test_console_examples_run_and_print_what_is_shown(page: str, command: str, shown: str) -> None:
    arguments = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "tsc", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 0, f"{page}: {command}\n{done.stderr}"
    assert done.stdout
    for line in shown.splitlines():
        assert line.partition("…")[0].rstrip() in done.stdout, f"{page}: {command}: {line}"


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
