"""The examples in the explanations: each bad one has precisely its problem, each good one has none."""

from __future__ import annotations

from pathlib import Path

import pytest

import tsc
from tsc.compiler.check import check_source
from tsc.compiler.explanations import (
    CATEGORIES,
    Explanation,
    all_codes,
    explanation_of,
    explanations,
    name_of,
)
from tsc.compiler.ir import Function
from tsc.compiler.reports import Selection
from tsc.compiler.source import CompileError, Problems, Source, codes
from tsc.runtime.commands.checking import check_file
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.toolchain import toolchain


def parameters(language: str) -> list[object]:
    return [
        pytest.param(each, id=f"{each.code} {name_of(each.code)}")
        for each in explanations()
        if each.language == language
    ]


def problems_of(explanation: Explanation, text: str, folder: Path) -> list[str]:
    """The codes of the problems of a Python text that has its siblings beside it."""
    for name, content in explanation.siblings.items():
        (folder / name).write_bytes(content)
    path = folder / "example.py"
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    source = Source(text, str(path))
    if explanation.code.startswith("TS9"):
        check_file(source, Selection(("TS",)), problems, strict=explanation.strict)
    elif explanation.code == codes.CONSTRUCTOR_FAILS:
        check_file(source, Selection(("TS6",)), problems)
    else:
        check_source(source, toolchain(explanation.strict), problems)
    return [problem.code for problem in sorted(problems, key=lambda error: error.range.start)]


@pytest.mark.parametrize("explanation", parameters("python"))
def test_the_bad_example_has_precisely_that_problem(
    explanation: Explanation, tmp_path: Path
) -> None:
    assert problems_of(explanation, explanation.bad, tmp_path) == [explanation.code]


@pytest.mark.parametrize("explanation", parameters("python"))
def test_the_rewrite_has_no_problem(explanation: Explanation, tmp_path: Path) -> None:
    assert problems_of(explanation, explanation.good, tmp_path) == []


@pytest.mark.parametrize("explanation", parameters("ir"))
def test_examples_of_ir(explanation: Explanation) -> None:
    with pytest.raises(CompileError) as caught:
        assert executor_of(Function("f", graph=tsc.parse_ir(explanation.bad))).code
    assert caught.value.code == explanation.code
    assert executor_of(Function("f", graph=tsc.parse_ir(explanation.good))).code


def test_every_code_is_explained_once() -> None:
    assert [each.code for each in explanations()] == all_codes()


def test_every_code_begins_like_its_category() -> None:
    assert {code[:3] for code in all_codes()} == set(CATEGORIES)


@pytest.mark.parametrize("explanation", list(explanations()), ids=lambda each: each.code)
def test_an_explanation_says_something(explanation: Explanation) -> None:
    assert explanation.title[0].islower() or explanation.title[0] == "'"
    assert not explanation.title.endswith(".")
    assert len(explanation.reason.split()) >= 8
    assert explanation.bad != explanation.good


def test_codes_have_names_in_words() -> None:
    assert name_of("TS201") == "undefined-name"
    assert explanation_of("TS000") is None
