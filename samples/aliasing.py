"""The aliasing example of the JIT overview: `r` is a view of `a` or of `b`, and `a` is written to."""
from typing import Tuple

import torch
from torch import Tensor


def foo(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:
    c = 2 * b
    a += 1
    if bool(a.max() > 4):
        r = a[0]
    else:
        r = b[0]
    return c, r


def main():
    a, b = torch.zeros(3), torch.arange(3)
    low = foo(a, b)
    high = foo(a + 9, b)
    return low, high, a
