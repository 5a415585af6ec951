"""Operators whose results have as many elements as the data says, and what to say of them."""

from __future__ import annotations

from typing import Final

DATA_SIZED: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("nonzero", "nonzero_numpy", "argwhere", "masked_select", "unique_consecutive", "_unique"),
        *("_unique2", "unique_dim", "unique_dim_consecutive", "bincount", "where"),
        *("repeat_interleave.Tensor", "repeat_interleave.self_Tensor"),
        *("_pack_padded_sequence", "_pad_packed_sequence"),
    )
)
"""By their qualified names: those that always do, and have a symbol for such a size (``u0``)."""
UNKNOWN_SIZES: Final = frozenset({"aten::tensor_split.tensor_indices_or_sections"})
"""Those whose sizes have no symbols."""
INDEXING: Final = "aten::index.Tensor"
"""It does where an index is a mask."""
ONE_HOT: Final = "aten::one_hot"
"""It does without a number of classes."""


def told_of(name: str) -> str:
    """What to say of one of them."""
    if name == INDEXING:
        return "a tensor is indexed by a mask and by another tensor: how many elements that gives is decided by data"
    if name == ONE_HOT:
        return "the number of classes of one_hot is found in the data"
    return f"how many elements {name} gives is decided by data"
