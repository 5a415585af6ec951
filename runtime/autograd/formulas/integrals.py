"""Gradients of integrals and of slopes by differences."""

from typing import Final

FORMULAS: Final = """
trapezoid.x trapz.x
    = strips(y, steps_of(y, x, dim), dim).sum(dim)
trapezoid.dx
    = strips(y, torch.scalar_tensor(dx, dtype=y.dtype), dim).sum(dim)
trapz.dx
    = strips(y, torch.scalar_tensor(dx, dtype=y.dtype), dim).sum(dim)
cumulative_trapezoid.x
    = strips(y, steps_of(y, x, dim), dim).cumsum(dim)
cumulative_trapezoid.dx
    = strips(y, torch.scalar_tensor(dx, dtype=y.dtype), dim).cumsum(dim)
"""

FUNCTIONS: Final = """
def steps_of(y: Tensor, x: Tensor, dim: int):
    if x.dim() == 1 and y.dim() != 1:
        shape = [1] * y.dim()
        shape[dim] = -1
        steps = (x.narrow(0, 1, x.size(0) - 1) - x.narrow(0, 0, x.size(0) - 1)).reshape(shape)
        return steps
    if x.dim() < y.dim():
        x = x.reshape([1] * (y.dim() - x.dim()) + list(x.size()))
    count = x.size(dim)
    return x.narrow(dim, 1, count - 1) - x.narrow(dim, 0, count - 1)


def strips(y: Tensor, steps: Tensor, dim: int):
    count = y.size(dim)
    return (y.narrow(dim, 1, count - 1) + y.narrow(dim, 0, count - 1)) * steps / 2
"""
