"""What the documentation says that `tsc check` prints is what it prints."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from tsc.cli import main

PAGE = Path(__file__).parent.parent.parent / "docs" / "command-line.md"


def block(language: str, text: str) -> str:
    """The first fenced block of a language."""
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_of_check_is_what_it_prints(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## tsc check")[2]
    (tmp_path / "model.py").write_text(block("py", section), encoding="utf-8")
    with chdir(tmp_path):
        result = CliRunner().invoke(main, ["check", "model.py"], prog_name="tsc")
    assert result.stdout == block("text", section)
    assert result.exit_code == 1
