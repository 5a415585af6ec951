"""Operators that no gradient goes through: their results require none."""

from typing import Final

FORMULAS: Final = """
empty_like ones_like zeros_like full_like rand_like randn_like randint_like
new_empty new_empty_strided new_full new_ones new_zeros
bincount
    none
bernoulli bernoulli.p poisson
    self: torch.zeros_like(grad)
normal.Tensor_float
    mean: torch.zeros_like(grad)
normal.float_Tensor
    std: torch.zeros_like(grad)
normal.Tensor_Tensor
    mean: torch.zeros_like(grad)
    std: torch.zeros_like(grad)
"""

FUNCTIONS: Final = ""
