"""Tensors among the values of a program: in nested values, those that are written, and what is known of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.schema import Aliasing, Operator
from tsc.runtime.arrays.dtypes import ALL_DTYPES
from tsc.runtime.arrays.storage import element_strides, storage_offset
from tsc.runtime.values.tensor import Tensor

_ANY_SIZE: Final = 4


def written_tensors(operator: Operator, values: Sequence[Any]) -> Iterator[Tensor]:
    """The arguments that an operator writes to; a normalization in training writes to its statistics."""
    for argument, value in zip(operator.schema.arguments, values):
        if argument.is_write:
            yield from tensors_in(value)
    if operator.aliasing is Aliasing.WRITES_STATISTICS and values[5]:
        yield from tensors_in(values[3:5])


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors in a value that may be nested."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[Any]", value):
            yield from tensors_in(each)
    elif isinstance(value, dict):
        yield from tensors_in(list(cast("dict[Any, Any]", value).values()))


def fake_tensor(tensor: Tensor) -> FakeTensor:
    """What is known of a tensor without its elements."""
    array = tensor.array
    return FakeTensor(
        array.shape,
        TorchConstant(str(tensor.dtype).removeprefix("torch.")),
        element_strides(array),
        requires_grad=tensor.requires_grad,
        storage_offset=storage_offset(array),
    )


def model_of(known: Any) -> Any:
    """A tensor of ones of which this is known, or a number; sizes that may change are as they were for the exporter."""
    if not isinstance(known, FakeTensor):
        return _hint(known)
    dtype = next(each for each in ALL_DTYPES if str(each) == f"torch.{known.dtype.name}")
    return Tensor(np.ones([_hint(each) for each in known.size], dtype.numpy))


def _hint(number: Any) -> Any:
    if isinstance(number, SymbolicExpression):
        return _ANY_SIZE if number.hint is None else number.hint
    return number
