"""Products of Householder reflections, as QR decompositions leave them: LAPACK's ``geqrf``, ``orgqr``, ``ormqr``.

Stacks of small matrices are decomposed by NumPy, which takes them in one call, but in double precision and
with a copy of each; many of them are multiplied together, see `stacks`.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics.linear_algebra import stacks
from tsc.runtime.numerics.linear_algebra.columns import (
    WORK_PER_COLUMN,
    as_stack,
    broadcast_stack,
    column_copy,
    lapack,
)

_MOST_ROWS_OF_NUMPY = 24


def reflections(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The packed QR decomposition and the scales of its reflections, as LAPACK's ``geqrf``.

    Results are written back: SciPy overwrites a copy of a matrix that does not begin at a multiple of 8 bytes.
    """
    if a.size and a.ndim > 2 and max(a.shape[-2:]) <= _MOST_ROWS_OF_NUMPY:
        packed, scales = np.linalg.qr(a, "raw")
        return packed.swapaxes(-1, -2), scales
    packed = column_copy(a)
    scales = np.zeros((*a.shape[:-2], min(a.shape[-2:])), a.dtype)
    if packed.size:
        decompose = lapack("geqrf", a.dtype)
        work = WORK_PER_COLUMN * a.shape[-1]
        for matrix, scale in zip(as_stack(packed), scales.reshape(-1, scales.shape[-1])):
            matrix[...], scale[...] = decompose(matrix, work, overwrite_a=True)[:2]
    return packed, scales


def _family(dtype: np.dtype) -> str:
    """What the names of the routines begin with: orthogonal or unitary."""
    return "un" if dtype.kind == "c" else "or"


def product(packed: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The first columns of H₁ H₂ … Hₖ; as many as `packed` has, which are at least k and at most its rows."""
    batch = packed.shape[:-2]
    if stacks.is_stack_of_small(batch, *packed.shape[-2:]):
        identity = np.broadcast_to(np.eye(*packed.shape[-2:], dtype=packed.dtype), packed.shape)
        return _multiply_together(packed, scales, identity, batch, adjoint=False, left=True)
    result = column_copy(packed)
    if not result.size:
        return result
    if not scales.size:
        result[...] = np.eye(*packed.shape[-2:])
        return result
    expand = lapack(f"{_family(packed.dtype)}gqr", packed.dtype)
    work = WORK_PER_COLUMN * packed.shape[-1]
    for matrix, scale in zip(as_stack(result), scales.reshape(-1, scales.shape[-1])):
        expand(matrix, scale, lwork=work, overwrite_a=True)
    return result


def multiply(
    packed: np.ndarray,
    scales: np.ndarray,
    other: np.ndarray,
    *,
    adjoint: bool,
    left: bool = True,
) -> np.ndarray:
    """Q `other`, or `other` Q; with the adjoint of Q in place of Q, the whole product of the reflections.

    Columns of the result are contiguous.
    """
    batch = np.broadcast_shapes(packed.shape[:-2], other.shape[:-2])
    count = scales.shape[-1]
    if stacks.is_stack_of_small(batch, *other.shape[-2:]):
        return _multiply_together(packed, scales, other, batch, adjoint=adjoint, left=left)
    result = column_copy(other, batch)
    if not (result.size and count):
        return result
    dtype = result.dtype
    apply = lapack(f"{_family(dtype)}mqr", dtype)
    transposition = ("C" if dtype.kind == "c" else "T") if adjoint else "N"
    work = WORK_PER_COLUMN * max(*other.shape[-2:], WORK_PER_COLUMN)
    columns = broadcast_stack(packed[..., :count], batch)
    factors = broadcast_stack(scales[..., np.newaxis], batch)[..., 0]
    for matrix, scale, target in zip(columns, factors, as_stack(result)):
        apply("L" if left else "R", transposition, matrix, scale, target, work, overwrite_c=True)
    return result


def _multiply_together(
    packed: np.ndarray,
    scales: np.ndarray,
    other: np.ndarray,
    batch: tuple[int, ...],
    *,
    adjoint: bool,
    left: bool,
) -> np.ndarray:
    """`multiply` for a stack of small matrices: from the right, the transpose is reflected by conjugates."""
    directions, result = stacks.stack_last(packed, batch), stacks.stack_last(other, batch)
    factors = stacks.stack_last(scales[..., np.newaxis], batch)[:, 0]
    target = result if left else result.swapaxes(0, 1)
    if adjoint:
        factors = factors.conj()
    if not left:
        directions = directions.conj()
    steps = range(len(factors))
    for step in steps if adjoint == left else reversed(steps):
        stacks.reflect(target[step:], directions[step:, step], factors[step])
    return stacks.stack_first(result, batch)
