"""Live comparison with PyTorch of operators that index memory: an answer of this runtime is PyTorch's answer.

This runtime may refuse what PyTorch does: negative sizes of empty tensors, sizes whose product overflows, and a
storage that would have to grow under other tensors.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.runtime.bounds_calls import (
    ELEMENTS,
    OPERATORS,
    Call,
    Dtype,
    Indices,
    Ones,
    Part,
    call_of,
)
from tests.runtime.test_bounds import Storages, results_of

pytestmark = pytest.mark.oracle

SMALL = 10_000
"""Larger views are compared by their shapes."""
UNINITIALIZED = {"resize_", "resize_as_"}


def arguments_of(call: Call) -> list[Any]:
    def value(argument: Any) -> Any:
        match argument:
            case Part():
                return argument.of(torch.arange(ELEMENTS).to(getattr(torch, argument.dtype)))
            case Indices():
                return torch.from_numpy(argument.array())
            case Ones():
                return torch.ones(argument.shape, dtype=getattr(torch, call.arguments[0].dtype))
            case Dtype():
                return getattr(torch, argument.name)
            case tuple():
                return [value(each) for each in argument]
            case _:
                return argument

    return [value(argument) for argument in call.arguments]


def expected_of(call: Call) -> list[Any] | None:
    operator = getattr(getattr(torch.ops.aten, call.name), call.overload or "default")
    try:
        result = operator(*arguments_of(call))
    except (RuntimeError, IndexError, ValueError, TypeError):
        return None
    return list(result) if isinstance(result, (list, tuple)) else [result]


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_answers_about_memory_are_those_of_pytorch(name: str) -> None:
    @settings(
        max_examples=int(os.environ.get("TSC_FUZZ_EXAMPLES", "100")),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(st.data())
    def check(data: st.DataObject) -> None:
        call = call_of(data.draw, name)
        found = results_of(call, Storages())
        if found is None:
            return
        expected = expected_of(call)
        assert expected is not None, "PyTorch refuses"
        assert [tuple(each.shape) for each in expected] == [each.shape for each in found]
        if call.name in UNINITIALIZED:
            return
        for theirs, ours in zip(expected, found):
            if 0 < ours.array.size <= SMALL:
                assert np.array_equal(theirs.numpy(), ours.array, equal_nan=True)

    check()
