"""When windows are worth native code.

It is said of each call by itself, so that two runs of a program in one process give the same, to the last bit; but of
recurrent layers of few steps, which native code takes once they have taken long together.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.context.native_availability import is_available

_LEAST_WORK: Final = 200_000
"""What a call of NumPy is to take, by its estimate in nanoseconds; for less, code need not be made or loaded."""


def is_native_work(dtype: np.dtype, nanoseconds: int) -> bool:
    """Whether to take native code for work that takes NumPy about so long."""
    return nanoseconds >= _LEAST_WORK and dtype in (FLOAT, DOUBLE) and is_available()
