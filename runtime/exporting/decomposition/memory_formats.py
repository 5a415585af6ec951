"""How the elements of tensors lie in memory."""

from __future__ import annotations

from typing import Final

import numpy as np

from tsc.compiler.types.tensor_options import MEMORY_FORMATS

_CHANNELS_LAST: Final = {MEMORY_FORMATS["channels_last"]: 4, MEMORY_FORMATS["channels_last_3d"]: 5}
"""Formats in which channels lie innermost, and the number of dimensions of their tensors."""


def lies_as(array: np.ndarray, memory_format: int) -> bool:
    """Whether elements lie row by row, or channels innermost."""
    if _CHANNELS_LAST.get(memory_format) == array.ndim:
        return bool(np.moveaxis(array, 1, -1).flags.c_contiguous)
    return memory_format not in _CHANNELS_LAST and bool(array.flags.c_contiguous)
