"""Programs give the same results when one more pass runs over every graph before it runs."""

from __future__ import annotations

import pytest

import tsc
from tests.oracle.answers import Answer
from tests.oracle.ours import answer
from tests.oracle.programs import Program, all_programs
from tsc.compiler.passes.registry import pass_names
from tsc.runtime.execution import registered_passes
from tsc.runtime.execution.run_pass import find_pass

EVERY = 200
"""One of so many programs is run with each pass; which ones, differs from pass to pass."""

CHANGE_MORE_THAN_HOW = {
    "complete_shape_analysis": "needs the types of arguments",
    "erase_number_types": "makes tensors of numbers, which operators of numbers do not take",
    "erase_shape_information": "nothing that runs looks at what it erases",
    "inline_small_calls": "runs with what only the executor has",
    "insert_profile_nodes": "makes nodes that only the profiling executor runs",
    "lower_all_tuples": "changes what a graph takes and returns",
    "remove_inplace_ops": "does not look for other names of what is changed",
    "replace_pattern": "needs a pattern",
}
PASSES = [name for name in pass_names() if name not in CHANGE_MORE_THAN_HOW]
PROGRAMS = all_programs()


def seeded_answer(program: Program) -> Answer:
    tsc.manual_seed(0)
    return answer(program)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(PASSES)), ids=PASSES)
def test_a_pass_more(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = PROGRAMS[number::EVERY]
    plain = [seeded_answer(each) for each in programs]
    monkeypatch.setattr(registered_passes, "_passes", [find_pass(PASSES[number])])
    for program, known in zip(programs, plain, strict=True):
        assert seeded_answer(program) == known, program.key
