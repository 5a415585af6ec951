"""Attention by native code: blocks of queries by several threads, none of whose scores outlast their block."""

from __future__ import annotations

import functools
from array import array as words
from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.memory_layout import made_like
from tsc.runtime.native.attention.attention_text import (
    ROWS,
    Word,
    attention_text,
    padded,
)
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts, worthwhile_parts

_ELEMENTS_OF_SCORE: Final = 4
"""Elements of a pass over memory that take about as long as a score."""


def attend(
    q: Array,
    k: Array,
    v: Array,
    lead: Sequence[int],
    scale: float,
    mask: Array | None,
    is_causal: bool,
) -> Array:
    """(…, queries, features), (…, keys, features), (…, keys, values) of float32 or float64, broadcast to `lead`.

    The mask, (…, queries, keys), is of truth values or added to scores. Queries that see nothing get zeros.
    """
    heads, queries, keys = prod(lead), q.shape[-2], k.shape[-2]
    result = _result_like(q, (*lead, queries, v.shape[-1]))
    arrays = [q, k, _with_adjacent_columns(v), result]
    arrays.append(result if mask is None else _added(mask, q.dtype))
    packed = np.empty((heads, q.shape[-1], keys), q.dtype)
    blocks = -(-queries // ROWS)
    layout = {
        Word.QUERIES: queries,
        Word.KEYS: keys,
        Word.FEATURES: q.shape[-1],
        Word.VALUES: v.shape[-1],
        Word.BLOCKS: blocks,
        Word.IS_CAUSAL: int(is_causal),
        Word.SCALE: int(np.float64(scale).view(np.int64)),
    }
    steps = [each.strides[axis] for axis in (-2, -1) for each in arrays]
    table = words("q", [*(layout[each] for each in Word), *steps])
    everything = [*arrays, packed, _offsets(arrays, lead)]
    pointers = words("q", [each.ctypes.data for each in everything])
    where = pointers.buffer_info()[0], table.buffer_info()[0]
    text = attention_text(q.dtype, has_mask=mask is not None)
    parts = worthwhile_parts(heads, packed.size)
    run_in_parts(function_of(text, "pack"), *where, heads, 0, parts)
    kernel = WithScratch(function_of(text, "attend"), ROWS * padded(keys, q.dtype) * q.itemsize)
    parts = worthwhile_parts(heads * blocks, heads * queries * keys * _ELEMENTS_OF_SCORE)
    run_in_parts(kernel, *where, heads * blocks, 0, parts)
    return result


def _result_like(q: Array, shape: tuple[int, ...]) -> Array:
    """Where PyTorch has it: in the order of the queries, so that heads can be put side by side without a copy."""
    if q.shape == shape and q.strides[-1] == q.itemsize:
        made = made_like(q, lambda inner: np.empty(inner, q.dtype))
        if made.strides[-1] == q.itemsize:
            return made
    return np.empty(shape, q.dtype)


def _with_adjacent_columns(a: Array) -> Array:
    return a if a.strides[-1] == a.itemsize or a.shape[-1] == 1 else np.ascontiguousarray(a)


def _added(mask: Array, dtype: np.dtype) -> Array:
    """What is added to scores, with the keys side by side; what is the same for all along an axis is kept once."""
    apart = tuple(slice(0, 1) if step == 0 else slice(None) for step in mask.strides[:-1])
    kept = mask[apart]
    if kept.dtype is BOOL:
        kept = np.where(kept, dtype.type(0), dtype.type(-np.inf))
    kept = np.ascontiguousarray(kept, dtype)
    return np.broadcast_to(kept, mask.shape)


def _offsets(arrays: Sequence[Array], lead: Sequence[int]) -> Array:
    """Bytes that lie before the matrices of a head in each array, for all heads."""
    made: list[Array] = []
    for each in arrays:
        strides = np.broadcast_to(each, (*lead, *each.shape[-2:])).strides[:-2]
        steps = [np.arange(count) * step for count, step in zip(lead, strides, strict=True)]
        made.append(functools.reduce(np.add.outer, steps, np.zeros((), np.int64)).reshape(-1))
    return np.stack(made, 1)
