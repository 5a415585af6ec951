"""Products of Householder reflections, as QR decompositions leave them."""

from __future__ import annotations

import numpy as np


def reflections(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The packed QR decomposition and the scales of its reflections, as LAPACK's ``geqrf``."""
    if 0 in a.shape:
        return a.copy(), np.zeros((*a.shape[:-2], min(a.shape[-2:])), a.dtype)
    packed, scales = np.linalg.qr(a, "raw")
    return np.ascontiguousarray(packed.swapaxes(-1, -2)), scales


def product(packed: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The first columns of H₁ H₂ … Hₖ; as many as `packed` has."""
    columns = packed.shape[-1]
    result = np.zeros(packed.shape, packed.dtype)
    result[..., range(columns), range(columns)] = 1
    for step in reversed(range(scales.shape[-1])):
        _reflect(result[..., step:, step:], packed[..., step:, step], scales[..., step])
    return result


def multiply(
    packed: np.ndarray, scales: np.ndarray, other: np.ndarray, *, adjoint: bool
) -> np.ndarray:
    """Q `other`, or the adjoint of Q times it, where Q is the whole product of the reflections."""
    batch = np.broadcast_shapes(packed.shape[:-2], other.shape[:-2])
    result = np.array(np.broadcast_to(other, (*batch, *other.shape[-2:])))
    steps = range(scales.shape[-1])
    if adjoint:
        scales = scales.conj()
    for step in steps if adjoint else reversed(steps):
        _reflect(result[..., step:, :], packed[..., step:, step], scales[..., step])
    return result


def _reflect(target: np.ndarray, direction: np.ndarray, scale: np.ndarray) -> None:
    """Subtract scale · v · (vᴴ target) in place, where v is `direction` with a one on top."""
    v = direction.copy()
    v[..., 0] = 1
    along = v.conj()[..., None, :] @ target
    target -= (scale[..., None] * v)[..., None] * along
