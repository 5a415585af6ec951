"""Branches: an `if` whose two sides define one variable, and one that only changes an argument."""
import torch
from torch import Tensor


def f(a: Tensor, b: Tensor, c: bool) -> Tensor:
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e


def forward(x: Tensor, y: int, z: float) -> Tensor:
    if y > 2:
        x = x + z
    else:
        x = x + y
    return x


def main():
    a, b = torch.ones(3), torch.arange(3)
    return f(a, b, True), f(a, b, False), forward(a, 3, 0.5), forward(a, 1, 0.5)
