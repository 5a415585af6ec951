"""No operator that indexes memory reaches outside of it, whatever sizes, strides and offsets it is given.

``TSC_FUZZ_EXAMPLES=5000`` tries more of them.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load
from tsc.runtime.python_api.eager import call
from tsc.runtime.values.tensor import Tensor

from .bounds_calls import ELEMENTS, OPERATORS, Call, Dtype, Indices, Ones, Part, call_of
from .tensor_answers import dtype_code

GUARD = 4096
"""Bytes before and behind each storage, which nobody may write to."""
MARK = 0xA5
WRITABLE = 10_000
"""Larger views are not written to: a view with strides of 0 may have any number of elements."""

REFUSALS = (ScriptError, ValueError, IndexError, ArithmeticError, MemoryError)
"""Errors that programs see as errors of theirs."""


class Storages:
    """Storages with guards around them."""

    def __init__(self) -> None:
        self.memories: list[bytearray] = []

    def part(self, part: Part) -> Tensor:
        dtype = np.dtype(part.dtype)
        size = ELEMENTS * dtype.itemsize
        memory = bytearray([MARK]) * (size + 2 * GUARD)
        self.memories.append(memory)
        storage = np.frombuffer(memoryview(memory)[GUARD : GUARD + size], dtype)
        storage[:] = np.arange(ELEMENTS)
        return Tensor(part.of(storage))

    def check_guards(self) -> None:
        for memory in self.memories:
            for guard in (memory[:GUARD], memory[-GUARD:]):
                assert guard == bytearray([MARK]) * GUARD


def arguments_of(drawn: Call, storages: Storages) -> list[Any]:
    def value(argument: Any) -> Any:
        match argument:
            case Part():
                return storages.part(argument)
            case Indices():
                return Tensor(argument.array())
            case Ones():
                return Tensor(np.ones(argument.shape, drawn.arguments[0].dtype))
            case Dtype():
                return dtype_code(argument.name)
            case tuple():
                return [value(each) for each in argument]
            case _:
                return argument

    return [value(argument) for argument in drawn.arguments]


def results_of(drawn: Call, storages: Storages) -> list[Tensor] | None:
    """What the operator returns; None if it refuses."""
    operator = load().find(f"aten::{drawn.name}", drawn.overload)
    assert operator is not None, drawn
    arguments = arguments_of(drawn, storages)
    try:
        with np.errstate(all="ignore"):
            result = operator.kernel(*arguments)
    except REFUSALS:
        return None
    return result if isinstance(result, list) else [result]


def check_within_its_storage(a: np.ndarray) -> None:
    if a.size:
        low, high = np.lib.array_utils.byte_bounds(a)
        first, last = np.lib.array_utils.byte_bounds(storage_of(a))
        assert first <= low
        assert high <= last


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_nothing_is_read_or_written_outside_of_storages(name: str) -> None:
    @settings(
        max_examples=int(os.environ.get("TSC_FUZZ_EXAMPLES", "60")),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(st.data())
    def check(data: st.DataObject) -> None:
        drawn = call_of(data.draw, name)
        storages = Storages()
        for result in results_of(drawn, storages) or []:
            check_within_its_storage(result.array)
            if 0 < result.array.size <= WRITABLE and result.array.flags.writeable:
                result.array[...] = 1
        storages.check_guards()

    check()


WRAPPING = 1 << 62
"""Four times as many elements are none, for whoever counts in 64 bits."""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("repeat", (np.ones((4, 3)), [1, WRAPPING])),
        ("tile", (np.ones((4, 3)), [WRAPPING])),
        ("repeat_interleave", (np.ones(4), WRAPPING)),
        ("repeat_interleave", (np.ones((4, 3)), WRAPPING, 0)),
        ("repeat_interleave", (np.full(4, WRAPPING),)),
        ("repeat_interleave", (np.ones(4), np.full(4, WRAPPING))),
        ("as_strided_copy", (np.ones(4), [4, WRAPPING], [0, 0])),
        ("constant_pad_nd", (np.ones((4, 3)), [WRAPPING, WRAPPING])),
    ],
)
def test_numbers_of_elements_that_wrap_around_are_refused(
    name: str, arguments: tuple[Any, ...]
) -> None:
    values = [Tensor(each) if isinstance(each, np.ndarray) else each for each in arguments]
    with pytest.raises(ScriptError, match="overflow"):
        call(name, *values)
