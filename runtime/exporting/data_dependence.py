"""Operators whose results have as many elements as the data says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tsc.compiler.exir.data_sizes import DATA_SIZED, INDEXING, ONE_HOT, told_of
from tsc.compiler.schema import Operator
from tsc.runtime.arrays.dtypes import BOOL, BYTE
from tsc.runtime.values.tensor import Tensor


def size_from_data(operator: Operator, values: Sequence[Any]) -> str | None:
    """What to say of a call whose result has a size that the elements of an argument decide; None if none does."""
    name = operator.qualified_name
    decided = name in DATA_SIZED
    if name == ONE_HOT:
        decided = values[1] == -1
    elif name == INDEXING:
        decided = any(map(_is_mask, values[1]))
    return told_of(name) if decided else None


def _is_mask(index: Any) -> bool:
    return isinstance(index, Tensor) and index.array.dtype in (BOOL, BYTE)
