"""Numbers that are in tensors as tensors: wide ones, new ones, and what they were read out of.

They are computed with in tensors of no dimensions, 64 bits wide, as numbers of programs are. Where an operator takes a
number, `aten::item` gives it as a number that no example has told: ``u0`` for ints, ``zuf0`` for floats.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.data_numbers import DataNumber, TensorArray
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.values.tensor import Tensor

_WIDE: Final = {int: np.dtype(np.int64), float: np.dtype(np.float64)}
_CODES: Final = {each.name: each.code for each in SCALAR_TYPES}


def number_in(recorder: Recorder, tensor: Tensor) -> DataNumber:
    """The number that a tensor of one element holds now."""
    kind = float if tensor.dtype.is_floating_point else int
    return DataNumber(tensor, kind, recorder.undo_log.writes)


def wide(recorder: Recorder, number: DataNumber, kind: type[Any] | None = None) -> Tensor:
    """A tensor of no dimensions, int64 or float64, that holds it as `kind`."""
    recorder.refuse_written(number.tensor, number.read_at)
    tensor, dtype = number.tensor, _WIDE[kind or number.kind]
    if tensor.array.ndim:
        tensor = recorder.run("aten::view", "", [tensor, []], tensor.array.reshape(()))
    if tensor.array.dtype == dtype:
        return tensor
    return recorder.run(
        "aten::to", "dtype", [tensor, _CODES[dtype.name]], tensor.array.astype(dtype)
    )


def as_tensor(recorder: Recorder, number: DataNumber | int | float, kind: type[Any]) -> Tensor:
    """A number, known or not, as a tensor of no dimensions."""
    if isinstance(number, DataNumber):
        return wide(recorder, number, kind)
    return recorder.filled((), kind(number), _WIDE[kind])


def tensor_of(recorder: Recorder, value: Any) -> Any:
    """What graphs have in the place of a number or truth value; other things are what they are."""
    if isinstance(value, DataNumber):
        return wide(recorder, value)
    if isinstance(value, TensorArray):
        return value.stacked
    if isinstance(value, Condition):
        tensor = value.checked(recorder)
        if tensor.array.ndim:
            return recorder.run("aten::view", "", [tensor, []], tensor.array.reshape(()))
        return tensor
    if isinstance(value, SymValue):
        held = np.array(value.hint)
        return recorder.run("aten::scalar_tensor", "", [value, _CODES[held.dtype.name]], held)
    if isinstance(value, bool | int | float):
        return recorder.filled((), value, np.array(value).dtype)
    return value


def like(recorder: Recorder, value: Any, tensor: Tensor) -> Any:
    """What a tensor of a graph stands for: a tensor, a number or a truth value, as `value` is one."""
    if isinstance(value, bool | Condition):
        return Condition(tensor)
    if isinstance(value, TensorArray):
        return TensorArray(tensor, value.kind)
    is_number = isinstance(value, int | float | DataNumber | SymValue)
    return number_in(recorder, tensor) if is_number else tensor


def new_tensor(recorder: Recorder, number: DataNumber, dtype: int | None) -> Tensor:
    """What ``torch.tensor(number)`` gives: int64 or float32 unless it is told."""
    default = _CODES["int64" if number.kind is int else "float32"]
    code = default if dtype is None else dtype
    held = wide(recorder, number)
    made = held.array.astype(DTYPE_OF_CODE[code].numpy)
    return recorder.run("aten::to", "dtype", [held, code, False, True], made)
