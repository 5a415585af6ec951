"""A share of the random programs that ``make fuzz`` tries many of; always the same ones."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings

from .against_cpython import check_against_cpython, same
from .scalar_programs import scalar_programs
from .tensor_programs import tensor_programs

EXAMPLES = int(os.environ.get("TSC_FUZZ_EXAMPLES", "40"))

sampled = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)


@sampled
@given(scalar_programs)
def test_scalar_programs_agree_with_cpython(program: str) -> None:
    check_against_cpython(program)


@pytest.mark.oracle
@sampled
@given(tensor_programs)
def test_tensor_programs_agree_with_pytorch(program: str) -> None:
    pytest.importorskip("torch")
    from .against_pytorch import check_against_pytorch

    check_against_pytorch(program)


def test_a_wrong_result_is_noticed() -> None:
    assert same((1, [2.0], {"a": 1}), (1, [2.0], {"a": 1}))
    assert not same(1, True)
    assert not same([1], [1, 2])
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert same(float("nan"), float("nan"))
