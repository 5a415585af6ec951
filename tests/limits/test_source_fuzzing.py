"""A share of what ``make fuzz-sources`` tries."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.limits.source_fuzzing import mutated, run_part


def test_mutated_programs_end_in_errors_of_tsc_alone() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as process:  # its memory is its own
        outcome = process.submit(run_part, 0, 100).result()
    assert outcome.failure is None
    assert 50 < outcome.refused < 100


def test_the_same_number_makes_the_same_program() -> None:
    assert [mutated(number) for number in range(20)] == [mutated(number) for number in range(20)]
