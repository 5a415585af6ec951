"""Every program of the corpus: the same results, graph text and code text as PyTorch 2.13."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from .answers import SINGLE, Answer, same_value
from .apart import apart
from .deviations import DEVIATIONS
from .ours import answer as our_answer
from .programs import ANSWERS, Program, all_programs

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
"""Programs of the corpus warn as PyTorch does, which is none of these tests' business."""

PROGRAMS = all_programs()
SHARE_WANTED = 0.9
ROUNDED_TO_FLOAT32 = {
    *("functional/norm_by_number", "functional/norm_of_fixed_arguments"),
    *("library/softmax", "library/softmin", "library/log_softmax"),
    *("samples/beam_search", "samples/ctc_beam", "samples/greedy_search"),
    *("samples/lfilter", "samples/rnnt_beam"),
}
"""Programs whose float64 numbers come out of float32 tensors, so that they are as exact as these."""


@functools.cache
def recorded(topic: str) -> dict[str, Answer]:
    """PyTorch's recorded answers to the programs of a topic."""
    return json.loads((ANSWERS / f"{topic}.json").read_text(encoding="utf-8"))


def live(program: Program) -> Answer:
    """PyTorch's answer now."""
    pytest.importorskip("torch")
    from .pytorch import answer

    return apart(answer, program)


def differences(ours: Answer, theirs: Answer, tolerance: float | None = None) -> dict[str, str]:
    """What differs between two answers: by part, with both texts."""
    if ("error" in ours) != ("error" in theirs):
        return {"error": f"ours: {ours.get('error')}\ntheirs: {theirs.get('error')}"}
    if "error" in ours:
        return {}
    found: dict[str, str] = {}
    for part in ("graph", "code"):
        for name, text in theirs[part].items():
            if ours[part].get(name) != text:
                found[part] = f"ours:\n{ours[part].get(name)}\ntheirs:\n{text}"
    for index, (mine, other) in enumerate(zip(ours["results"], theirs["results"], strict=True)):
        if not same_result(mine, other, tolerance):
            found["result"] = f"call {index}: ours: {mine}\ntheirs: {other}"
    return found


def same_result(ours: Any, theirs: Any, tolerance: float | None = None) -> bool:
    """Whether a call did the same: the same value, or the same kind of error. Messages are tsc's own."""
    ours = {key: part for key, part in ours.items() if key != "message"}
    if ours.keys() != theirs.keys():
        return False
    if "error" in ours:
        return True
    return same_value(ours, theirs, tolerance)


def check(program: Program, theirs: Answer) -> None:
    """Fail on a difference that is not listed, and on a listed one that does not show."""
    tolerance = SINGLE if program.key in ROUNDED_TO_FLOAT32 else None
    found = differences(our_answer(program), theirs, tolerance)
    listed = DEVIATIONS.get(program.key, {})
    unlisted = {part: text for part, text in found.items() if part not in listed}
    assert not unlisted, "\n".join(f"[{part}] {text}" for part, text in unlisted.items())
    stale = set(listed) - set(found)
    assert not stale, f"{program.key}: the deviations {sorted(stale)} no longer show"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.key)
def test_program_answers_as_recorded(program: Program) -> None:
    check(program, recorded(program.topic)[program.name])


@pytest.mark.oracle
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.key)
def test_program_answers_as_pytorch_does_now(program: Program) -> None:
    check(program, live(program))


def test_corpus_is_large_and_mostly_equal() -> None:
    assert len(PROGRAMS) >= 300
    assert len({program.key for program in PROGRAMS}) == len(PROGRAMS)
    for part in ("graph", "code"):
        differing = sum(part in listed for listed in DEVIATIONS.values())
        assert 1 - differing / len(PROGRAMS) >= SHARE_WANTED
    differing = sum("result" in listed for listed in DEVIATIONS.values())
    assert differing <= len(PROGRAMS) / 400


def test_every_deviation_names_a_program() -> None:
    keys = {program.key for program in PROGRAMS}
    assert set(DEVIATIONS) | ROUNDED_TO_FLOAT32 <= keys
