"""Products of Householder reflections, as QR decompositions leave them: LAPACK's ``geqrf``, ``orgqr``, ``ormqr``."""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics.linear_algebra.columns import (
    WORK_PER_COLUMN,
    as_stack,
    broadcast_stack,
    column_copy,
    lapack,
)


def reflections(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The packed QR decomposition and the scales of its reflections, as LAPACK's ``geqrf``.

    Results are written back: SciPy overwrites a copy of a matrix that does not begin at a multiple of 8 bytes.
    """
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
