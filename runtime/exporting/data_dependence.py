"""Operators whose results have as many elements as the data says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tsc.compiler.schema import Operator
from tsc.runtime.arrays.dtypes import BOOL, BYTE
from tsc.runtime.values.tensor import Tensor

_ALWAYS: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("nonzero", "nonzero_numpy", "argwhere", "masked_select", "unique_consecutive", "_unique"),
        *("_unique2", "unique_dim", "unique_dim_consecutive", "bincount", "_pack_padded_sequence"),
        *("_pad_packed_sequence", "repeat_interleave.Tensor", "repeat_interleave.self_Tensor"),
        *("tensor_split.tensor_indices_or_sections", "where"),
    )
)
_INDEXING: Final = frozenset({"aten::index.Tensor"})


def size_from_data(operator: Operator, values: Sequence[Any]) -> str | None:
    """What to say of a call whose result has a size that the elements of an argument decide; None if none does."""
    name = operator.qualified_name
    if name == "aten::one_hot" and values[1] == -1:
        return "the number of classes of one_hot is found in the data"
    if name in _INDEXING and any(map(_is_mask, values[1])):
        return "a tensor is indexed by a mask: how many elements that gives is decided by data"
    if name in _ALWAYS:
        return f"how many elements {name} gives is decided by data"
    return None


def _is_mask(index: Any) -> bool:
    return isinstance(index, Tensor) and index.array.dtype in (BOOL, BYTE)
