"""Systems with triangular matrices: BLAS' ``trsm``, which divides by zeros where LAPACK's ``trtrs`` refuses to.

Many small ones are solved together, see `stacks`.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics.linear_algebra import stacks
from tsc.runtime.numerics.linear_algebra.columns import as_stack, blas, broadcast_stack, column_copy


def solve_triangular(
    a: np.ndarray, b: np.ndarray, *, upper: bool, unit: bool = False, left: bool = True
) -> np.ndarray:
    """X with A X = B, or with X A = B, where only one triangle of the (..., n, n) matrices is looked at.

    With `unit` the diagonal counts as ones. A zero on it gives infinities. Leading dimensions broadcast. Columns
    of the result are contiguous.
    """
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    if stacks.is_stack_of_small(batch, *b.shape[-2:]):
        return _solve_together(a, b, batch, upper=upper, unit=unit, left=left)
    x = column_copy(b, batch)
    if not x.size:
        return x
    solve = blas("trsm", x.dtype)
    for matrix, right in zip(broadcast_stack(a, batch), as_stack(x)):
        by_rows = matrix.flags.c_contiguous  # its transpose is what BLAS reads without a copy
        solve(
            1.0,
            matrix.T if by_rows else matrix,
            right,
            side=not left,
            lower=upper == by_rows,
            trans_a=by_rows,
            diag=unit,
            overwrite_b=True,
        )
    return x


def _solve_together(
    a: np.ndarray, b: np.ndarray, batch: tuple[int, ...], *, upper: bool, unit: bool, left: bool
) -> np.ndarray:
    """`solve_triangular` of a stack of small matrices; X A = B is solved as Aᵀ Xᵀ = Bᵀ."""
    factors, x = stacks.stack_last(a, batch), stacks.stack_last(b, batch)
    if left:
        stacks.substitute(factors, x, upper=upper, unit=unit)
    else:
        factors, transposed = factors.swapaxes(0, 1), x.swapaxes(0, 1)
        stacks.substitute(factors, transposed, upper=not upper, unit=unit)
    return stacks.stack_first(x, batch)
