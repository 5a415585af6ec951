"""The Hurwitz zeta function: SciPy's."""

from __future__ import annotations

import numpy as np

from tsc.runtime.numerics import scipy_modules


def hurwitz_zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The sum of (q + k)^-s over k from 0 on; as in PyTorch, NaN where `q` is infinite, but for the pole."""
    result = np.asarray(scipy_modules.special.zeta(s, q))
    endless = np.equal(q, np.inf)
    if endless.any():
        np.copyto(result, np.nan, where=endless & np.not_equal(s, 1))
    return result
