"""What a run changes, and how it is put back: a program is captured by running it, and stays what it was."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor


class UndoLog:
    """Elements of tensors and attributes of objects as they were before they were written."""

    def __init__(self) -> None:
        self._tensors: list[tuple[Tensor, np.ndarray, np.ndarray]] = []
        self._attributes: list[tuple[ScriptObject, str, Any]] = []

    @property
    def writes(self) -> int:
        """How many writes to tensors there have been."""
        return len(self._tensors)

    def is_written_since(self, count: int, tensor: Tensor) -> bool:
        """Whether anything that a tensor looks at was written after the first `count` writes."""
        later = self._tensors[count:]
        return any(np.may_share_memory(array, tensor.array) for _, array, _ in later)

    def before_write(self, tensor: Tensor) -> None:
        """Keep the elements of a tensor, and which memory it looks at."""
        self._tensors.append((tensor, tensor.array, tensor.array.copy()))

    def clear(self) -> None:
        """Nothing will be put back any more."""
        self._tensors.clear()
        self._attributes.clear()

    def before_assignment(self, owner: ScriptObject, name: str) -> None:
        """Keep an attribute."""
        self._attributes.append((owner, name, owner.script_attributes[name]))

    def undo(self) -> None:
        """Put everything back, what was changed last first."""
        for tensor, array, elements in reversed(self._tensors):
            tensor.array = array
            array[...] = elements
        for owner, name, value in reversed(self._attributes):
            owner.script_attributes[name] = value
