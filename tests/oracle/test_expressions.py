"""Expressions over numbers, strings and containers: the same values and errors as PyTorch's."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from .expressions.ours import agrees, our_answer
from .expressions.tables import FOLDER, Expression, tables

EXPRESSIONS = [each for table in tables().values() for each in table]
each_expression = pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda each: each.key)


@cache
def recorded(table: str) -> dict[str, dict[str, Any]]:
    return json.loads((FOLDER / "recorded" / f"{table}.json").read_text(encoding="utf-8"))


def check(expression: Expression, theirs: dict[str, Any]) -> None:
    """Fail on a difference without a reason, and on a reason without a difference."""
    ours = our_answer(expression)
    if expression.reason is None:
        assert agrees(ours, theirs), f"ours:   {ours}\ntheirs: {theirs}"
    else:
        assert expression.reason
        assert not agrees(ours, theirs), "the answers no longer differ"


@each_expression
def test_expression_answers_as_recorded(expression: Expression) -> None:
    check(expression, recorded(expression.table)[expression.key])


@pytest.mark.oracle
@each_expression
def test_expression_answers_as_pytorch_does_now(expression: Expression) -> None:
    pytest.importorskip("torch")
    from .expressions.pytorch import their_answer

    check(expression, their_answer(expression))


def test_every_expression_is_there_once() -> None:
    assert len(EXPRESSIONS) >= 900
    assert len({each.key for each in EXPRESSIONS}) == len(EXPRESSIONS)
