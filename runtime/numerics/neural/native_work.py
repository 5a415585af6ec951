"""When windows are worth native code: loading LLVM and making code takes about a quarter of a second, once."""

from __future__ import annotations

from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.context.native_availability import is_available

_COST_OF_CODE: Final = 250_000_000
_LEAST_WORK: Final = 50_000
"""What a call of NumPy is to take, by its estimate in nanoseconds, for native code to be faster."""


class _NativeWork:
    """Counts what native code could have done, in estimates: so each run of a program takes the same way."""

    __slots__ = ("_estimated",)

    def __init__(self) -> None:
        self._estimated = 0

    def pays(self, dtype: np.dtype, nanoseconds: int) -> bool:
        """Whether to take native code for work that takes NumPy about so long."""
        if nanoseconds < _LEAST_WORK or dtype not in (FLOAT, DOUBLE) or not is_available():
            return False
        self._estimated += nanoseconds
        return self._estimated >= _COST_OF_CODE


NATIVE_WORK: Final = _NativeWork()
