"""Conditions that are in tensors: truth values of a program that are known when it runs, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tsc.compiler.ir import Node
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.values.tensor import Tensor

_READERS = ("aten::Bool", "aten::is_nonzero")


@dataclass(frozen=True, slots=True)
class Condition:
    """The truth value in a tensor of one element."""

    tensor: Tensor

    @property
    def hint(self) -> bool:
        """What it is in this run."""
        return bool(self.tensor.array.any())


def condition_read(recorder: Recorder, node: Node, values: list[Any]) -> Condition | None:
    """What a node gives that asks for the truth of a tensor, or turns a condition round; None for other nodes."""
    value = values[0] if values else None
    if node.kind == "aten::__not__" and isinstance(value, Condition):
        return Condition(
            recorder.run(
                "aten::logical_not", "", [value.tensor], np.logical_not(value.tensor.array)
            )
        )
    if node.kind not in _READERS or not isinstance(value, Tensor) or recorder.is_constant(value):
        return None
    if value.array.size != 1 or value.array.dtype == np.bool_:
        return Condition(value) if value.array.size == 1 else None
    return Condition(recorder.run("aten::ne", "Scalar", [value, 0], value.array != 0))
