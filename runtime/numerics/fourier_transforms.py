"""Fourier transforms over one and several dimensions: SciPy's, which take several lines at a time.

For few points NumPy's take a microsecond longer, and SciPy's import a seventh of a second. Size alone decides.
Results are contiguous, and of the precision of the argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tsc.runtime.numerics import scipy_modules

_FEW: Final = 1024
"""Points that NumPy transforms."""


def _transform(name: str) -> Callable[..., np.ndarray]:
    """The transform called `name` of NumPy and SciPy, which are imported when they are first called."""

    def transform(
        a: np.ndarray,
        count: int | list[int] | None,
        axis: int | list[int],
        norm: str | None,
    ) -> np.ndarray:
        room = np.fft if _has_few_points(a, count) else scipy_modules.fourier
        return getattr(room, name)(a, count, axis, norm)

    return transform


def _has_few_points(a: np.ndarray, count: int | list[int] | None) -> bool:
    points = 1 if count is None else int(np.prod(count))
    return 0 < a.size <= _FEW and 0 < points <= _FEW and a.dtype.char in "fdFD"


fft = _transform("fft")
ifft = _transform("ifft")
rfft = _transform("rfft")
irfft = _transform("irfft")
hfft = _transform("hfft")
ihfft = _transform("ihfft")
"""From an array, the number of points, the dimension and the kind of scaling."""

fftn = _transform("fftn")
ifftn = _transform("ifftn")
rfftn = _transform("rfftn")
irfftn = _transform("irfftn")
"""The same over several dimensions, the last one first."""
