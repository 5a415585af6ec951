"""Modules with parameters and buffers of another dtype: ``.to``, ``.double()`` and its like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from tsc.compiler.types import Device
from tsc.runtime.arrays import dtypes
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.arrays.type_promotion import converted
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.opaque_tensors import SparseTensor
from tsc.runtime.values.tensor import Tensor


class ConvertibleModule:
    """What modules have for it. All change the module, and give it back."""

    def parameters(self) -> Iterator[Tensor]:
        raise NotImplementedError

    def buffers(self) -> Iterator[Tensor]:
        raise NotImplementedError

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """``to(dtype)``, ``to(device)``, ``to(device, dtype)`` or ``to(tensor)``.

        Parameters and buffers of floating point or complex numbers get the dtype. Raises
        `ScriptError` for a dtype of integers, and for any device but the CPU.
        """
        for value in (*args, *kwargs.values()):
            if isinstance(value, str | Device):
                _check_device(value)
            elif isinstance(value, DType):
                self._convert(value)
            elif isinstance(value, Tensor):
                self._convert(value.dtype)
            elif value is not None and not isinstance(value, bool):  # non_blocking
                kind = type(value).__name__
                raise ScriptError("TypeError", f"to() takes a dtype or a device, not a {kind}")
        return self

    def _convert(self, dtype: DType) -> None:
        if not (dtype.is_floating_point or dtype.is_complex):
            raise ScriptError(
                "TypeError",
                f"nn.Module.to only accepts floating point and complex dtypes, not {dtype}",
            )
        for tensor in (*self.parameters(), *self.buffers()):
            if tensor.dtype.is_complex and not dtype.is_complex:
                continue
            if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
                _convert_tensor(tensor, dtype)

    def _convert_floats(self, dtype: DType) -> Self:
        for tensor in (*self.parameters(), *self.buffers()):
            if tensor.dtype.is_floating_point:
                _convert_tensor(tensor, dtype)
        return self

    def float(self) -> Self:
        return self._convert_floats(dtypes.float32)

    def double(self) -> Self:
        return self._convert_floats(dtypes.float64)

    def half(self) -> Self:
        return self._convert_floats(dtypes.float16)

    def bfloat16(self) -> Self:
        return self._convert_floats(dtypes.bfloat16)

    def cpu(self) -> Self:
        return self


def _convert_tensor(tensor: Tensor, dtype: DType) -> None:
    """In place; of a sparse tensor, its values."""
    target = tensor.parts[-1] if isinstance(tensor, SparseTensor) else tensor
    target.array = converted(target.array, dtype.numpy)


def _check_device(device: str | Device) -> None:
    name = str(device)
    if name.partition(":")[0] != "cpu":
        raise ScriptError("RuntimeError", f"there is no device '{name}' here: tsc runs on the CPU")
