"""Tensors that are saved for gradients: with the count of writes to their memory, and the history they had then."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING
from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.gradient_state import version_of
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor


class Saved:
    """An array with what its tensor carried when it was saved.

    Of a result it knows only its number: the node that saves it would otherwise hold itself.
    """

    __slots__ = ("array", "output", "seen", "target", "version")

    def __init__(self, tensor: Tensor, result: int = -1) -> None:
        record = tensor.autograd
        if record is not None and record.inference is not None:
            raise ScriptError("RuntimeError", _INFERENCE)
        self.array = tensor.array
        self.version = version_of(storage_of(self.array))
        self.seen = self.version.count
        self.output = result
        self.target: Any = None
        if result < 0 and record is not None and record.requires:
            self.target = record if record.node is None else record.node
            self.output = record.output

    def restored(self, create_graph: bool, node: Any) -> Tensor:
        """The tensor; with its history, where gradients of gradients are wanted. `node` saved it.

        Raises:
            ScriptError: it was written to since.
        """
        if self.version.count != self.seen:
            message = (
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"a tensor of sizes {list(self.array.shape)}, an operand or the result of {node.name}, is at version "
                f"{self.version.count}; expected version {self.seen} instead. Write to a clone, or compute a new tensor"
            )
            raise ScriptError("RuntimeError", message)
        made = Tensor(self.array)
        if create_graph:
            made.autograd = self._history(node)
        return made

    def _history(self, node: Any) -> AutogradRecord | None:
        if CATEGORY[self.array.dtype] < FLOATING:
            return None  # indices have none, though they are results
        if self.target is None:
            return AutogradRecord(True, node, self.output) if self.output >= 0 else None
        if isinstance(self.target, AutogradRecord):
            return self.target
        return AutogradRecord(True, self.target, self.output)


_INFERENCE = (
    "Inference tensors cannot be saved for backward: one that was made in inference_mode is needed for a gradient. "
    "Take a clone of it, or make it under no_grad()"
)


class Hollow(NamedTuple):
    """Of a tensor whose elements no formula reads: its sizes and dtype."""

    shape: tuple[int, ...]
    dtype: np.dtype

    def restored(self, _create_graph: bool, _node: Any) -> Tensor:
        return Tensor(np.broadcast_to(np.zeros((), self.dtype), self.shape))


def restored(value: Any, create_graph: bool, node: Any) -> Any:
    """What was saved, as the formula takes it. Raises ScriptError for a tensor that was written to since."""
    if isinstance(value, Saved | Hollow):
        return value.restored(create_graph, node)
    if type(value) is list:
        return [restored(each, create_graph, node) for each in value]
    return value
