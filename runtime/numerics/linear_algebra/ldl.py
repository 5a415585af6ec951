"""The LDL decomposition of symmetric and Hermitian matrices (J. Bunch and L. Kaufman, Math. Comp. 31, 1977).

A = L D Lᵀ with blocks of size 1 and 2 in D; packed factors and pivots are LAPACK's (``sytrf``, ``hetrf``, lower
triangle): a pivot k > 0 stands for a block of size 1 and a swap with row k, two equal negative ones for a block of
size 2 and a swap of its second row.
"""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

from tsc.runtime.numerics.linear_algebra.columns import (
    WORK_PER_COLUMN,
    as_stack,
    broadcast_stack,
    column_copy,
    lapack,
)
from tsc.runtime.numerics.linear_algebra.lu import PIVOT_DTYPE


def _family(dtype: np.dtype, hermitian: bool) -> str:
    """What the names of the routines begin with; real Hermitian matrices are symmetric."""
    return "he" if hermitian and dtype.kind == "c" else "sy"


def factor(a: np.ndarray, *, hermitian: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packed factors, pivots and status (the place of the first zero block, or 0)."""
    batch, size = a.shape[:-2], a.shape[-1]
    packed = column_copy(np.tril(a))
    pivots = np.zeros((math.prod(batch), size), PIVOT_DTYPE)
    status = np.zeros(len(pivots), PIVOT_DTYPE)
    if packed.size:
        decompose = lapack(f"{_family(a.dtype, hermitian)}trf", a.dtype)
        work = WORK_PER_COLUMN * size
        for place, matrix in enumerate(as_stack(packed)):
            _, pivots[place], status[place] = decompose(
                matrix, lower=True, lwork=work, overwrite_a=True
            )
    return packed, pivots.reshape(*batch, size), status.reshape(batch)


def are_whole_blocks(pivots: np.ndarray) -> bool:
    """Whether negative pivots come in pairs, as `solve` takes for granted."""
    rows = pivots.reshape(-1, pivots.shape[-1]) < 0
    return not rows.any() or all(
        len(list(run)) % 2 == 0
        for row in rows.tolist()
        for negative, run in groupby(row)
        if negative
    )


def solve(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, *, hermitian: bool) -> np.ndarray:
    """X with A X = B, from the factors; columns of the result are contiguous."""
    batch = np.broadcast_shapes(packed.shape[:-2], b.shape[:-2])
    x = column_copy(b, batch)
    if not x.size:
        return x
    substitute = lapack(f"{_family(x.dtype, hermitian)}trs", x.dtype)
    swaps = broadcast_stack(pivots[..., np.newaxis], batch)[..., 0]
    for matrix, swap, right in zip(broadcast_stack(packed, batch), swaps, as_stack(x)):
        substitute(matrix, swap, right, lower=True, overwrite_b=True)
    return x
