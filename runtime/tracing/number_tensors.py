"""Numbers that operators take for tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.runtime.values.tensor import Tensor


class NumberTensor(Tensor):
    """A number that an operator took for a tensor. It does not decide on the dtype of results."""

    __slots__ = ("number",)

    def __init__(self, number: Any) -> None:
        made = np.array(number, np.float64) if type(number) is float else np.array(number)
        super().__init__(made)
        self.number = number
