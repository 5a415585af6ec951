"""Strides for sizes that are symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def symbolic_strides(
    shape: Sequence[int], strides: Sequence[int], sizes: Sequence[Any]
) -> tuple[Any, ...]:
    """Those of a tensor that lies densely in memory, or is expanded, by its `sizes`; of others, those of this run.

    `shape` and `strides` are of this run, in elements.
    """
    found: list[Any] = list(strides)
    dense, symbolic = 1, 1
    for dim in sorted(range(len(shape)), key=lambda each: (strides[each], shape[each], -each)):
        if strides[dim] == 0 and shape[dim] != 1:
            continue
        if shape[dim] != 1 and strides[dim] != dense:
            return tuple(strides)
        found[dim] = symbolic if strides[dim] == dense else strides[dim]
        dense, symbolic = dense * shape[dim], symbolic * sizes[dim]
    return tuple(found)
