"""Whose tensors a traced function computes with, as far as the recorder has to know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tsc.compiler.schema import Operator
from tsc.compiler.types import TensorType
from tsc.runtime.values.tensor import Tensor


class TensorLibrary(Protocol):
    """Whose tensors the traced function computes with: tsc's or PyTorch's."""

    def is_tensor(self, value: Any) -> bool: ...

    def describe(self, tensor: Any) -> TensorType:
        """The complete type: dtype, sizes, strides, device, whether it requires gradients."""
        ...

    def as_constant(self, tensor: Any) -> Tensor: ...

    def number(self, value: int) -> Any:
        """A new tensor of one int."""
        ...

    def alias(self, tensor: Any) -> Any:
        """Another tensor over the same memory."""
        ...

    def program_value(self, value: Any) -> Any:
        """A value as programs take it."""
        ...

    def from_program(self, value: Any, *, requires_grad: bool) -> Any:
        """A value that a program gave as the traced function sees it."""
        ...

    def run(self, operator: Operator, values: Sequence[Any]) -> Any: ...

    def note_result(self, operator: Operator, values: Sequence[Any], result: Any) -> None:
        """A recorded operator gave a result."""
        ...
