"""The tensor that is none: what a parameter holds that is a Tensor by its annotation and None by its default."""

from __future__ import annotations

from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME, DType
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.opaque_tensors import OpaqueTensor


class UndefinedTensor(OpaqueTensor):
    """PyTorch compiles what uses it, and refuses when it is computed with."""

    __slots__ = ()

    @property
    def array(self) -> np.ndarray:
        message = (
            "Expected a proper Tensor but got None: an argument was left out whose default is None"
        )
        raise ScriptError("RuntimeError", f"{message}; annotate it as Optional[Tensor]")

    @property
    def kind(self) -> str:
        return "undefined"

    @property
    def dtype(self) -> DType:
        return DTYPE_OF_NAME["float32"]


UNDEFINED: Final = UndefinedTensor((0,))
"""All of them: it has no state."""
