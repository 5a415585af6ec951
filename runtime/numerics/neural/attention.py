"""Attention: weighted sums of values, by the softmax of products of queries and keys.

Heads are taken in blocks whose scores stay in the cache. The sums of the exponentials divide the
outputs, which are fewer than the scores. Where all scores lie close together, the greatest of them
all is subtracted before taking exponentials, and hidden places are multiplied with zero after it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.numerics.neural.softmax import RANGE, exponential_sums

BLOCK_ELEMENTS = 1 << 19


@dataclass(frozen=True, slots=True)
class Masks:
    """What is added to scores, and which places are seen; each broadcasts to the scores."""

    added: np.ndarray | None = None
    seen: np.ndarray | None = None

    def of(self, block: slice) -> Masks:
        """The masks of some of the heads."""
        return Masks(_heads(self.added, block), _heads(self.seen, block))


def _heads(mask: np.ndarray | None, block: slice) -> np.ndarray | None:
    return mask if mask is None or mask.ndim < 3 or len(mask) == 1 else mask[block]


def masks_of(
    mask: np.ndarray | None, is_causal: bool, lead: tuple[int, ...], queries: int, keys: int
) -> Masks:
    """From a mask of truth values or numbers, with the heads in one dimension."""
    if is_causal:
        return Masks(seen=np.tri(queries, keys, dtype=BOOL))
    if mask is None:
        return Masks()
    if math.prod(mask.shape[:-2]) != 1:
        mask = np.broadcast_to(mask, (*lead, *mask.shape[-2:])).reshape(-1, *mask.shape[-2:])
    else:
        mask = mask.reshape(1, *mask.shape[-2:]) if mask.ndim > 2 else mask
    return Masks(seen=mask) if mask.dtype is BOOL else Masks(added=mask)


def attend(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float, masks: Masks
) -> tuple[np.ndarray, np.ndarray]:
    """(heads, queries, features), (heads, keys, features), (heads, keys, values).

    Returns the outputs, (heads, queries, values), and the logarithms of the sums of exponentials.
    Queries that see nothing get zeros.
    """
    heads, queries = q.shape[:2]
    output = np.zeros((heads, queries, v.shape[2]), q.dtype)
    sums = np.full((heads, queries, 1), -np.inf, q.dtype)
    if not queries * k.shape[1]:
        return output, sums[..., 0]
    step = max(BLOCK_ELEMENTS // (queries * k.shape[1]), 1)
    for start in range(0, heads, step):
        block = slice(start, start + step)
        scores = _scores(q[block], k[block], scale, masks.of(block).added)
        top, total = _exponentials(scores, masks.of(block).seen)
        out = matrix_product(scores, v[block], out=output[block])
        nothing = np.equal(total, 0)
        np.true_divide(out, np.where(nothing, total.dtype.type(1), total), out)
        sums[block] = np.where(nothing, total.dtype.type(0), np.log(total) + top)
    return output, sums[..., 0]


def _scores(q: np.ndarray, k: np.ndarray, scale: float, added: np.ndarray | None) -> np.ndarray:
    scores = matrix_product(q, k.swapaxes(1, 2))
    np.multiply(scores, scores.dtype.type(scale), scores)
    return scores if added is None else np.add(scores, added, scores, casting="same_kind")


def _exponentials(scores: np.ndarray, seen: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Take exponentials in place; what was subtracted, and the sum of each row."""
    top = scores.max()
    if top - scores.min() <= RANGE:
        np.subtract(scores, top, scores)
        np.exp(scores, scores)
        if seen is not None:
            np.multiply(scores, seen.astype(scores.dtype), scores)
        return top, exponential_sums(scores, 2)
    if seen is not None:
        scores[...] = np.where(seen, scores, scores.dtype.type(-np.inf))
    tops = np.maximum.reduce(scores, 2, keepdims=True)
    tops = np.where(np.isneginf(tops), tops.dtype.type(0), tops)
    np.subtract(scores, tops, scores)
    np.exp(scores, scores)
    return tops, exponential_sums(scores, 2)


def attention_weights(
    q: np.ndarray, k: np.ndarray, scale: float, masks: Masks, *, blind: float
) -> np.ndarray:
    """The softmax of the scores, (heads, queries, keys); queries that see nothing get `blind`."""
    scores = _scores(q, k, scale, masks.added)
    if scores.size:
        _, total = _exponentials(scores, masks.seen)
        nothing = np.equal(total, 0)
        np.true_divide(scores, total, scores)
        if nothing.any():
            np.copyto(scores, scores.dtype.type(blind), where=nothing)
    return scores
