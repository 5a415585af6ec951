"""Operators whose results have as many elements as the data says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tsc.compiler.exir import refusals
from tsc.compiler.exir.data_sizes import DATA_SIZED, INDEXING, ONE_HOT, UNKNOWN_SIZES, told_of
from tsc.compiler.schema import Operator
from tsc.runtime.arrays.dtypes import BOOL, BYTE
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.tensor import Tensor


def has_late_size(operator: Operator, values: Sequence[Any]) -> bool:
    """Whether the elements of an argument decide how many elements a result has."""
    name = operator.qualified_name
    return any(map(_is_mask, values[1])) if name == INDEXING else name in DATA_SIZED


def refuse_unknown_size(operator: Operator, values: Sequence[Any]) -> None:
    """Raise `ExportError` for a call whose result has a size that data decides, and that no symbol can be."""
    name = operator.qualified_name
    if name in UNKNOWN_SIZES or (name == ONE_HOT and values[1] == -1):
        raise ExportError(told_of(name), refusal=refusals.SIZE)


def _is_mask(index: Any) -> bool:
    return isinstance(index, Tensor) and index.array.dtype in (BOOL, BYTE)
