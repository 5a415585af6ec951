"""Lists of numbers that data decides, which become tensors: ``torch.tensor([int(x[0]), n])``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.runtime.arrays.dtypes import CODE_OF_NUMPY, DTYPE_OF_CODE
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.wide_numbers import tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.values.tensor import Tensor

_CODES: Final = {each.name: each.code for each in SCALAR_TYPES}


def holds_late_numbers(value: Any) -> bool:
    """Whether a list holds, at any depth, what is known when the program runs."""
    if not isinstance(value, list | tuple):
        return False
    parts = cast("Sequence[Any]", value)
    return any(
        isinstance(e, DataNumber | Condition | SymValue) or holds_late_numbers(e) for e in parts
    )


def tensor_of_list(recorder: Recorder, numbers: Sequence[Any], dtype: int | None) -> Tensor:
    """What ``torch.tensor(numbers)`` gives: truth values, int64 or float32 unless it is told."""
    return _stacked(recorder, numbers, _found_dtype(numbers) if dtype is None else dtype)


def _stacked(recorder: Recorder, numbers: Sequence[Any], code: int) -> Tensor:
    parts = [
        _stacked(recorder, each, code)
        if isinstance(each, list | tuple)
        else _element(recorder, each, code)
        for each in numbers
    ]
    return recorder.run("aten::stack", "", [parts, 0], np.stack([each.array for each in parts]))


def _element(recorder: Recorder, number: Any, code: int) -> Tensor:
    held: Tensor = tensor_of(recorder, number)
    if CODE_OF_NUMPY[held.array.dtype] == code:
        return held
    made = held.array.astype(DTYPE_OF_CODE[code].numpy)
    return recorder.run("aten::to", "dtype", [held, code], made)


def _found_dtype(numbers: Sequence[Any]) -> int:
    kinds = set(_kinds(numbers))
    if float in kinds:
        return _CODES["float32"]
    return _CODES["bool"] if kinds == {bool} else _CODES["int64"]


def _kinds(numbers: Sequence[Any]) -> list[type[Any]]:
    found: list[type[Any]] = []
    for each in numbers:
        if isinstance(each, list | tuple):
            found += _kinds(cast("Sequence[Any]", each))
        else:
            is_late = isinstance(each, DataNumber | Condition | SymValue)
            found.append(type(each.hint) if is_late else type(each))
    return found
