"""No text makes tsc fail: neither random ones nor samples with a few changes.

``TSC_FUZZ_EXAMPLES=5000`` tries more of them.
"""

from __future__ import annotations

import os
from datetime import timedelta

from hypothesis import HealthCheck, given, settings

from tests.fuzz.checks import check_program
from tests.fuzz.mutations import bodies, mutated_programs, texts, token_soups

EXAMPLES = int(os.environ.get("TSC_FUZZ_EXAMPLES", "60"))

fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=timedelta(seconds=10),
    suppress_health_check=list(HealthCheck),
    database=None,
)


@fuzzed
@given(texts)
def test_any_text(text: str) -> None:
    check_program(text)


@fuzzed
@given(token_soups)
def test_any_tokens(text: str) -> None:
    check_program(text)


@fuzzed
@given(bodies)
def test_any_tokens_in_a_function(text: str) -> None:
    check_program(text)


@fuzzed
@given(mutated_programs())
def test_samples_with_a_few_changes(text: str) -> None:
    check_program(text)
