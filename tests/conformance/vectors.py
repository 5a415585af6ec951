"""Singular vectors and eigenvectors, which are determined only up to a factor of modulus one.

LAPACK's implementations choose different ones. Before a result is compared, its vectors are turned
to the expected ones: those that belong together, left and right, by one factor. The vectors that a
full decomposition adds, without a singular value, may be any basis of what the others leave.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .comparison import Described


def turned(operator: str, expected: Any, got: Any) -> Any:
    """`got` with the vectors of a decomposition turned to those of `expected`."""
    if operator not in _TURNS or not _are_alike(expected, got):
        return got
    return _TURNS[operator](expected, got)


def _are_alike(expected: Any, got: Any) -> bool:
    """Whether both are tuples of tensors of the same shapes."""
    if not (isinstance(expected, tuple) and isinstance(got, tuple) and len(expected) == len(got)):
        return False
    pairs = zip(expected, got)
    return all(
        isinstance(a, Described) and isinstance(b, Described) and a.values.shape == b.values.shape
        for a, b in pairs
    )


def _factors(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    """The factor for each column of `got` that takes it nearest to that of `expected`."""
    inner = (got.conj() * expected).sum(-2, keepdims=True)
    size = np.abs(inner)
    return np.divide(inner, size, out=np.ones_like(inner), where=size > 0)


def _turned_columns(expected: tuple, got: tuple) -> tuple:
    values, vectors = got
    factors = _factors(expected[1].values, vectors.values)
    return values, Described(vectors.dtype, vectors.values * factors)


def _turned_pairs(expected: tuple, got: tuple) -> tuple:
    """``(U, S, V)``: the first columns of U and V belong together; what is beyond stands alone."""
    left, values, right = got
    count = values.values.shape[-1]
    left_factors = _factors(expected[0].values, left.values)
    right_factors = _factors(expected[2].values, right.values)
    right_factors[..., :count] = left_factors[..., :count]
    turned_left = left.values * left_factors
    turned_right = right.values * right_factors
    return (
        Described(left.dtype, _with_basis(expected[0].values, turned_left, count)),
        values,
        Described(right.dtype, _with_basis(expected[2].values, turned_right, count)),
    )


def _with_basis(expected: np.ndarray, got: np.ndarray, count: int) -> np.ndarray:
    """`got` with the expected basis in place of its columns from `count` on, if they span the same."""
    basis, wanted = got[..., count:], expected[..., count:]
    adjoint = basis.conj().swapaxes(-1, -2)
    if not np.allclose(adjoint @ basis, np.eye(basis.shape[-1]), atol=1e-4):
        return got
    return np.concatenate([got[..., :count], basis @ (adjoint @ wanted)], axis=-1)


def _turned_adjoint_pairs(expected: tuple, got: tuple) -> tuple:
    """``(U, S, Vh)``."""
    left, values, right = _turned_pairs(_adjoint(expected), _adjoint(got))
    return _adjoint((left, values, right))


def _adjoint(parts: tuple) -> tuple:
    left, values, right = parts
    return left, values, Described(right.dtype, right.values.swapaxes(-1, -2).conj())


_TURNS = {
    "linalg.eig": _turned_columns,
    "linalg.eigh": _turned_columns,
    "svd": _turned_pairs,
    "linalg.svd": _turned_adjoint_pairs,
}
