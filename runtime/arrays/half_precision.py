"""The half-precision dtypes are stored, and computed with in float32."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import BFLOAT16, FLOAT, HALF


def widened(a: np.ndarray) -> np.ndarray:
    """`a` in the dtype to compute with."""
    dtype = a.dtype
    return a.astype(FLOAT) if dtype is HALF or dtype is BFLOAT16 else a


def narrowed(result: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """`result`, computed in a wider dtype, as an array of `dtype`."""
    if result.dtype is dtype and type(result) is np.ndarray:
        return result
    return np.asarray(result).astype(dtype, copy=False)
