"""The examples of docs/language.md: each answers what the page says, in strict mode unless it is an extension."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import tsc
from tsc.compiler.source.extensions import EXTENSIONS

PAGE = Path(__file__).parent.parent.parent / "docs" / "language.md"
TEXT = PAGE.read_text(encoding="utf-8")
_EXAMPLE = re.compile(r"^```torchscript ?(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^>>> (.*)\n((?:(?!>>> ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """One program of the page; `mark` is "", "extension" or "refused"."""

    mark: str
    text: str

    @property
    def source(self) -> str:
        return self.text.partition(">>> ")[0]

    @property
    def calls(self) -> list[tuple[str, str]]:
        return [(call, answer.rstrip()) for call, answer in _CALL.findall(self.text)]


EXAMPLES = [Example(mark, text) for mark, text in _EXAMPLE.findall(TEXT)]


def name(example: Example) -> str:
    found = re.search(r"def (\w+)", example.text)
    assert found is not None
    return found[1]


def marked(*marks: str) -> pytest.MarkDecorator:
    chosen = [example for example in EXAMPLES if example.mark in marks]
    return pytest.mark.parametrize("example", chosen, ids=name)


@marked("", "extension")
def test_example_answers_what_the_page_says(example: Example) -> None:
    unit = tsc.CompilationUnit(example.source, strict=example.mark == "")
    assert example.calls
    for number, (call, answer) in enumerate(example.calls):
        unit.define(f"def call_{number}():\n    return {call}\n")
        assert repr(getattr(unit, f"call_{number}")()) == answer


@marked("extension")
def test_strict_mode_refuses_extensions(example: Example) -> None:
    with pytest.raises(tsc.CompileError):
        unit = tsc.CompilationUnit(example.source, strict=True)
        for number, (call, _) in enumerate(example.calls):
            unit.define(f"def call_{number}():\n    return {call}\n")


@marked("refused")
def test_what_is_not_there_is_refused_by_name(example: Example) -> None:
    found = re.search(r"^# error: (.*)$", example.text, re.MULTILINE)
    assert found is not None
    with pytest.raises(tsc.CompileError, match=re.escape(found[1])):
        tsc.CompilationUnit(example.source)


def test_the_page_names_every_extension() -> None:
    missing = [each.name for each in EXTENSIONS if f"`{each.name}`" not in TEXT]
    assert not missing
