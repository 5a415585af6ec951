"""Single calls: the overloads that PyTorch chooses, and its messages where nothing fits."""

from __future__ import annotations

import json
from functools import cache

import pytest

from .apart import apart
from .calls import RECORDED, Answer, all_calls, our_answer

CALLS = all_calls()


@cache
def recorded() -> dict[str, Answer]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_understood_as_recorded(name: str) -> None:
    assert our_answer(CALLS[name]) == recorded()[name]


@pytest.mark.oracle
@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_understood_as_pytorch_does_now(name: str) -> None:
    pytest.importorskip("torch")
    from .calls import pytorch_answer

    assert our_answer(CALLS[name]) == apart(pytorch_answer, CALLS[name])
