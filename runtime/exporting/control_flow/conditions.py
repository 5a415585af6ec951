"""Conditions that are in tensors: truth values of a program that are known when it runs, and not before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tsc.compiler.exir.data_numbers import TRUTHS
from tsc.compiler.ir import Node
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.values.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Condition:
    """The truth value in a tensor of one element."""

    tensor: Tensor
    read_at: int | None = None
    """How many writes there had been, if it is not the graph's own: later ones must not change it."""

    def checked(self, recorder: Recorder) -> Tensor:
        """The tensor. Raises `ExportError` if it has been overwritten since its truth was asked for."""
        if self.read_at is not None:
            recorder.refuse_written(self.tensor, self.read_at)
        return self.tensor

    @property
    def hint(self) -> bool:
        """What it is in this run."""
        return bool(self.tensor.array.any())


def condition_read(recorder: Recorder, node: Node, values: list[Any]) -> Condition | bool | None:
    """What a node gives that asks for the truth of a tensor, or computes with conditions; None for other nodes."""
    if any(isinstance(each, Condition) for each in values):
        compute = LOGIC.get(node.kind)
        return None if compute is None else compute(recorder, *values)
    value = values[0] if values else None
    if node.kind not in TRUTHS or not isinstance(value, Tensor) or recorder.is_constant(value):
        return None
    if value.array.size != 1:
        return None
    if value.array.dtype == np.bool_:
        return Condition(value, recorder.undo_log.writes)
    return Condition(recorder.run("aten::ne", "Scalar", [value, 0], value.array != 0))


def _not(recorder: Recorder, value: Condition) -> Condition:
    tensor = value.checked(recorder)
    return Condition(recorder.run("aten::logical_not", "", [tensor], np.logical_not(tensor.array)))


def _and(recorder: Recorder, first: Condition | bool, second: Condition | bool) -> Condition | bool:
    return _both(recorder, "aten::logical_and", first, second, neutral=True)


def _or(recorder: Recorder, first: Condition | bool, second: Condition | bool) -> Condition | bool:
    return _both(recorder, "aten::logical_or", first, second, neutral=False)


def _both(
    recorder: Recorder,
    name: str,
    first: Condition | bool,
    second: Condition | bool,
    *,
    neutral: bool,
) -> Condition | bool:
    """Two truth values of which one at least is a condition: one that is known decides, or leaves it to the other."""
    if isinstance(first, bool):
        return second if first is neutral else first
    if isinstance(second, bool):
        return first if second is neutral else second
    compute = np.logical_and if neutral else np.logical_or
    tensors = [first.checked(recorder), second.checked(recorder)]
    return Condition(recorder.run(name, "", tensors, compute(*[each.array for each in tensors])))


LOGIC: Final[dict[str, Callable[..., Condition | bool]]] = {
    "aten::__not__": _not,
    "aten::__and__": _and,
    "aten::__or__": _or,
}
