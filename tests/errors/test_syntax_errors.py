"""What the parser says of wrong texts, as text cases; `make bless` rewrites the messages.

A case is a file in `syntax/`: the text, a line `# expect:`, and the whole message.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tsc.compiler.frontend import parse_source
from tsc.compiler.source import CompileError, Source

CASES = Path(__file__).parent / "syntax"
_EXPECT = "# expect:\n"


def message(text: str) -> str:
    """The first error in a text: of its syntax, or what a definition in it refuses."""
    with pytest.raises(CompileError) as raised:
        for definition in parse_source(Source(text, "example.py")).definitions:
            for refusal in definition.refusals:
                raise refusal
    return f"{raised.value}\n"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_syntax_error(path: Path) -> None:
    text, _, expected = path.read_text(encoding="utf-8").partition(_EXPECT)
    found = message(text)
    if os.environ.get("TSC_BLESS") and found != expected:
        path.write_text(f"{text}{_EXPECT}{found}", encoding="utf-8")
    else:
        assert found == expected


def test_there_are_cases() -> None:
    assert len(list(CASES.glob("*.txt"))) >= 90


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x = (1,\r\n\r\ny = 2", "1:4"),
        ("\ufeffx = $", "1:4"),
        ("if x:\r\n\ty\r\n        z", "3:0"),
        ("x = [1, 2", "1:4"),
        ("x = '''abc", "1:4"),
        ("def f():", "1:8"),
        ("", None),
    ],
)
def test_line_ends_and_ends_of_text(text: str, place: str | None) -> None:
    if place is None:
        assert parse_source(Source(text)).statements == []
    else:
        assert f"example.py:{place}\n" in message(text)
