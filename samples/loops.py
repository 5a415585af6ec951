"""Loops: `for` over a range, `while` with `continue`, and what the exit transform makes of them."""
import torch
from torch import Tensor


def power(x: Tensor) -> Tensor:
    z = x
    for i in range(x.size(0)):
        z = z * z
    return z


def skip_three(i: int) -> int:
    while i < 5:
        if i == 3:
            i += 1
            continue
        i += 2
    return i


def main():
    return power(torch.tensor([1.0, 1.5])), skip_three(0), skip_three(1)
