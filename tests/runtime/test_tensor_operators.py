"""Every sample of a tensor operator gives what PyTorch gave when its answers were recorded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from .tensor_answers import answer
from .tensor_samples import Sample, difference, keep_own_words, own_words, samples

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
"""Operators warn as PyTorch's do, which is none of these tests' business."""

RECORDED = Path(__file__).parent / "recorded" / "operators"
SAMPLES = list(samples())


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for path in RECORDED.glob("*.json"):
        answers |= json.loads(path.read_text(encoding="utf-8"))
    return answers


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.text)
def test_operator_answers_as_pytorch(sample: Sample, recorded: dict[str, Any]) -> None:
    """``make bless`` records the texts of errors that tsc words itself."""
    found = answer(sample)
    if os.environ.get("TSC_BLESS"):
        keep_own_words(sample, recorded[sample.text], found)
    assert difference(sample, recorded[sample.text], found) is None


def test_no_recorded_answer_is_left_without_its_sample(recorded: dict[str, Any]) -> None:
    assert set(recorded) == {sample.text for sample in SAMPLES}


def test_own_words_are_of_errors_that_pytorch_words_otherwise(recorded: dict[str, Any]) -> None:
    for sample, words in own_words().items():
        assert words != recorded[sample]["error"], sample
