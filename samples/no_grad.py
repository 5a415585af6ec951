"""A with-statement: Enter and Exit stay around the body."""
import torch
from torch import Tensor


def clipped_sum(x: Tensor, limit: float) -> Tensor:
    with torch.no_grad():
        total = x.sum()
        if bool(total > limit):
            total = torch.full_like(total, limit)
        total = total * 2
    return total


def main():
    x = torch.arange(4, dtype=torch.float32)
    return clipped_sum(x, 5.0), clipped_sum(x, 50.0)
