"""Traces of what tsc's own tensors do: called by the doors through which their operators run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from tsc.compiler.schema import Operator
from tsc.compiler.types import ListType, OptionalType, TensorType, Type, TypeKind
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.operators.creation.tensors_of_numbers import tensor_of_list, tensor_of_number
from tsc.runtime.python_api import eager
from tsc.runtime.tracing.bindings import Bindings
from tsc.runtime.tracing.number_tensors import NumberTensor
from tsc.runtime.tracing.recorder import Recorder
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.tensor_type import tensor_type

_WITHOUT_GRADIENT: Final = frozenset(("aten::detach", "aten::zeros_like", "aten::ones_like"))
_NUMBERS: Final = (TypeKind.IntType, TypeKind.FloatType, TypeKind.NumberType, TypeKind.BoolType)


class OwnTensors:
    """tsc's tensors. Its runtime keeps no gradients, so what would require them is noted here."""

    def __init__(self) -> None:
        self._requiring: dict[int, Tensor] = {}

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, Tensor)

    def describe(self, tensor: Tensor) -> TensorType:
        return replace(tensor_type(tensor), requires_grad=self._requires_grad(tensor))

    def _requires_grad(self, tensor: Tensor) -> bool:
        return tensor.requires_grad or id(tensor) in self._requiring

    def as_constant(self, tensor: Tensor) -> Tensor:
        return Tensor(tensor.array) if isinstance(tensor, NumberTensor) else tensor

    def number(self, value: int) -> Tensor:
        return Tensor(np.array(value, np.int64))

    def alias(self, tensor: Tensor) -> Tensor:
        return Tensor(tensor.array)

    def program_value(self, value: Any) -> Any:
        return value

    def from_program(self, value: Any, *, requires_grad: bool) -> Any:
        for tensor in _tensors_in(value) if requires_grad and is_grad_enabled() else ():
            self._note(tensor)
        return value

    def run(self, operator: Operator, values: Sequence[Any]) -> Any:
        schema = operator.schema.arguments
        plain = [plain_value(argument.type, each) for argument, each in zip(schema, values)]
        if not any(isinstance(each, NumberTensor) for each in plain):
            return eager.run(operator, plain)
        numbers = [each.number if isinstance(each, NumberTensor) else each for each in plain]
        named = {a.name: each for a, each in zip(schema, numbers) if a.kwarg_only}
        name = operator.name.removeprefix("aten::")
        return eager.call(name, *numbers[: len(numbers) - len(named)], **named)

    def note_result(self, operator: Operator, values: Sequence[Any], result: Any) -> None:
        if not is_grad_enabled() or operator.name in _WITHOUT_GRADIENT:
            return
        if any(map(self._requires_grad, _tensors_in(list(values)))):
            for tensor in _tensors_in(result):
                self._note(tensor)

    def _note(self, tensor: Tensor) -> None:
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            self._requiring[id(tensor)] = tensor


def bindings(recorder: Recorder) -> Bindings:
    """What hears the calls of a recorder of tsc's tensors."""
    return Bindings(recorder, _constant_of, _tensor_of, NumberTensor, runs_by_name=False)


def plain_value(type: Type, value: Any) -> Any:
    """The value of an argument, with numbers for the tensors that stand for numbers."""
    inner = type.element if isinstance(type, OptionalType) else type
    if isinstance(value, Tensor):
        return value.array.item() if inner.kind in _NUMBERS else value
    if isinstance(inner, ListType) and isinstance(value, list):
        return [plain_value(inner.element, each) for each in value]
    return value


def _constant_of(value: Any) -> Any:
    if isinstance(value, DType):
        return value.code
    return value.item() if isinstance(value, np.generic) else value


def _tensor_of(value: Any, like: Tensor | None = None) -> Tensor:
    code = None if like is None else DTYPE_OF_NUMPY[like.array.dtype].code
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, list | tuple):
        return tensor_of_list(list(value), code)
    return tensor_of_number(value, code)


def _tensors_in(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [tensor for each in value for tensor in _tensors_in(each)]
    return []
