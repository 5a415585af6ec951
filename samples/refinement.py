"""Optional refinement: `x` is Optional[int] at the `continue`, and an int after it."""
from typing import Optional

import torch


def refine(conditions: list[bool], limit: int) -> int:
    total = 0
    for i in range(len(conditions)):
        if conditions[i]:
            x = torch.jit.annotate(Optional[int], None)
            if i < limit:
                continue
            x = 1
        else:
            x = 2
        total += x
    return total


def default_to(x: Optional[int], fallback: int) -> int:
    if x is None:
        return fallback
    return x + 1


def main():
    return refine([True, False, True, True], 1), default_to(None, 7), default_to(1, 7)
