"""The texts of errors that the corpus meets, which are tsc's own: each is as it was when last looked at."""

from __future__ import annotations

import functools
import json
import os
from typing import Any

import pytest

from .answers import Answer
from .ours import answer
from .programs import ANSWERS, Program, all_programs

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
"""Programs of the corpus warn as PyTorch does, which is none of these tests' business."""

MESSAGES = ANSWERS.parent / "messages.json"


def messages(answer: Answer) -> dict[str, str]:
    """What errors say: of compiling the program, or of its calls by their number."""
    if "error" in answer:
        return {"program": answer["error"]}
    results = enumerate(answer["results"])
    said = {f"call {index}": _message(result) for index, result in results}
    return {place: text for place, text in said.items() if text is not None}


def _message(result: dict[str, Any]) -> str | None:
    return result.get("error", result.get("message"))


@functools.cache
def recorded() -> dict[str, dict[str, str]]:
    return json.loads(MESSAGES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("program", all_programs(), ids=lambda program: program.key)
def test_errors_say_what_they_said(program: Program) -> None:
    """``make bless`` records what they say now."""
    said = messages(answer(program))
    if os.environ.get("TSC_BLESS"):
        texts = recorded() | {program.key: said}
        present = {each.key for each in all_programs()}
        kept = {key: texts[key] for key in sorted(texts) if texts[key] and key in present}
        MESSAGES.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        recorded.cache_clear()
    assert said == recorded().get(program.key, {})
