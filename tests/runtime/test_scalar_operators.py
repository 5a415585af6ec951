"""Every overload of the scalar and container operators answers as PyTorch 2.13 does."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from tests.runtime.operator_cases import cases, qualified_name, schemas
from tests.runtime.scalar_answers import OTHER_RESULTS, RECORDED, agrees, answer
from tsc.compiler.schema import FunctionSchema

each_schema = pytest.mark.parametrize("schema", schemas(), ids=qualified_name)


@functools.cache
def recorded() -> dict[str, list[Any]]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def check(schema: FunctionSchema, theirs: list[Any]) -> None:
    """Fail on a difference that is not listed, and on a listed operator that does not differ."""
    rows = cases(schema)
    assert len(rows) == len(theirs)
    found = [
        f"{row}: ours {ours}, theirs {other}"
        for row, other in zip(rows, theirs)
        if not agrees(schema, ours := answer(schema, row), other)
    ]
    if qualified_name(schema) in OTHER_RESULTS:
        assert found, "listed in OTHER_RESULTS, but there is no difference"
    else:
        assert not found, "\n".join(found)


@each_schema
def test_operator_answers_as_recorded(schema: FunctionSchema) -> None:
    check(schema, recorded()[str(schema)])


@pytest.mark.oracle
@each_schema
def test_operator_answers_as_pytorch_does(schema: FunctionSchema) -> None:
    pytest.importorskip("torch")
    from tests.oracle.scalar_operators import answers

    check(schema, answers(schema))


def test_nothing_is_recorded_in_vain() -> None:
    assert set(recorded()) == {str(schema) for schema in schemas()}
