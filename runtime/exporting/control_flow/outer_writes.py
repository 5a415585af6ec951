"""Writes of branches and loops to tensors from outside: each graph writes to a copy, which is copied back behind it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from tsc.runtime.exporting.branch_recorder import BranchRecorder
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor


@dataclass(frozen=True, slots=True)
class OuterWrite:
    """A tensor from outside that a graph writes to, and what it holds when the graph begins."""

    tensor: Tensor
    start: Tensor


@contextmanager
def outer_writes(recorder: BranchRecorder, writes: Sequence[OuterWrite]) -> Generator[None]:
    """Have a graph write to copies of these tensors; afterwards these hold what they held before."""
    held = [(each.tensor.array, each.tensor.array.copy()) for each in writes]
    try:
        for each in writes:
            recorder.take_over(each.tensor, each.start)
        yield
    finally:
        for array, elements in held:
            array[...] = elements


def written(recorder: BranchRecorder, writes: Sequence[OuterWrite]) -> list[Tensor]:
    """What the tensors hold when a graph ends, as results of it."""
    return [recorder.snapshot(each.tensor) for each in writes]


def kept(recorder: BranchRecorder, value: Any, writes: Sequence[OuterWrite]) -> Any:
    """A result of a graph that does not look into these tensors, which hold something else afterwards."""
    if isinstance(value, list | tuple):
        parts = [kept(recorder, each, writes) for each in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, DataNumber | Condition):
        return replace(value, tensor=_copied(recorder, value.tensor, value.read_at, writes))
    return _copied(recorder, value, None, writes) if isinstance(value, Tensor) else value


def _copied(
    recorder: BranchRecorder, tensor: Tensor, read_at: int | None, writes: Sequence[OuterWrite]
) -> Tensor:
    if not any(np.may_share_memory(tensor.array, each.tensor.array) for each in writes):
        return tensor
    if read_at is not None:
        recorder.refuse_written(tensor, read_at)
    return recorder.run("aten::clone", "", [tensor, None], tensor.array.copy())


def write_back(recorder: Recorder, writes: Sequence[Tensor], results: Sequence[Tensor]) -> None:
    """Copy what graphs gave for tensors into these."""
    copy = load().find("aten::copy_", "")
    assert copy is not None
    for tensor, result in zip(writes, results, strict=True):
        recorder.separations.forget(result)
        recorder.before_call(copy, [tensor, result, False])
        tensor.array[...] = result.array
        recorder.call(copy, [tensor, result, False], tensor)
