"""Fourier transforms over one and several dimensions: SciPy's, which take several lines at a time.

Results are contiguous, and of the precision of the argument.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.numerics import scipy_modules


def _from_scipy(name: str) -> Callable[..., np.ndarray]:
    """SciPy's transform called `name`, which is imported when it is first called."""

    def transform(
        a: np.ndarray,
        count: int | list[int] | None,
        axis: int | list[int],
        norm: str | None,
    ) -> np.ndarray:
        return getattr(scipy_modules.fourier, name)(a, count, axis, norm)

    return transform


fft = _from_scipy("fft")
ifft = _from_scipy("ifft")
rfft = _from_scipy("rfft")
irfft = _from_scipy("irfft")
hfft = _from_scipy("hfft")
ihfft = _from_scipy("ihfft")
"""From an array, the number of points, the dimension and the kind of scaling."""

fftn = _from_scipy("fftn")
ifftn = _from_scipy("ifftn")
rfftn = _from_scipy("rfftn")
irfftn = _from_scipy("irfftn")
"""The same over several dimensions, the last one first."""
