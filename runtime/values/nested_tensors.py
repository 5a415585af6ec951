"""Tensors of tensors that differ in length, as encoders have them between their layers."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor


class NestedTensor(Tensor):
    """Sequences of vectors: `padded`, (batch, longest, features), of which the first `lengths` count.

    Only what encoders do with it knows it; for everything else it has no array.
    """

    __slots__ = ("lengths", "padded")

    has_array = False

    def __init__(self, padded: np.ndarray, lengths: np.ndarray) -> None:  # no array to set
        self.padded = padded
        self.lengths = lengths
        self.autograd = None

    @property
    def array(self) -> NoReturn:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise ScriptError(
            "NotImplementedError",
            "this operator is not available for nested tensors; to_padded_tensor makes a plain one",
        )

    @property
    def dtype(self) -> DType:
        return DTYPE_OF_NUMPY[self.padded.dtype]

    @property
    def ndim(self) -> int:
        return self.padded.ndim

    @property
    def hidden(self) -> np.ndarray:
        """Where there is padding, (batch, longest)."""
        longest: int = self.padded.shape[1]
        return np.arange(longest) >= self.lengths[:, None]

    def padded_with(self, value: float) -> np.ndarray:
        filled = np.where(self.hidden[:, :, None], value, self.padded)
        return filled.astype(self.padded.dtype, copy=False)
