"""The first example of the JIT overview: four operators in a row."""
import torch
from torch import Tensor


def f(a: Tensor, b: Tensor) -> Tensor:
    c = a + b
    d = c * c
    e = torch.tanh(d * c)
    return d + (e + e)


def main() -> Tensor:
    return f(torch.ones(2, dtype=torch.float64), torch.full([2], 0.5, dtype=torch.float64))
