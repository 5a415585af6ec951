"""How PyTorch prints a tensor."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import torch

from tests.runtime.printing_samples import read


def as_torch(array: np.ndarray) -> torch.Tensor:
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
    return torch.from_numpy(array.copy())


def answer(text: str) -> str:
    array, requires_grad = read(text)
    return repr(as_torch(array).requires_grad_(requires_grad))
