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
gradient.scalarint
    = slopes_along(self, even_steps([1.0 if spacing is None else float(spacing)], one_or_all_dims(self, dim)), one_or_all_dims(self, dim), edge_order)
gradient.scalararray
    = slopes_along(self, even_steps([float(spacing)], dim), dim, edge_order)
gradient.array
    = slopes_along(self, even_steps([1.0], dim), dim, edge_order)
gradient.scalarrayint
    = slopes_along(self, even_steps([float(each) for each in spacing], one_or_all_dims(self, dim)), one_or_all_dims(self, dim), edge_order)
gradient.scalarrayarray
    = slopes_along(self, even_steps([float(each) for each in spacing], dim), dim, edge_order)
gradient.tensorarrayint
    = slopes_along(self, spacing, one_or_all_dims(self, dim), edge_order)
gradient.tensorarray
    = slopes_along(self, spacing, dim, edge_order)
"""

FUNCTIONS: Final = '''
def one_or_all_dims(self: Tensor, dim: Optional[int]):
    return [place for place in range(self.dim())] if dim is None else [dim]


def even_steps(steps: List[float], dims: List[int]):
    """A tensor without dimensions for each dimension; one number is for all."""
    return [torch.scalar_tensor(steps[place if len(steps) > 1 else 0]) for place in range(len(dims))]


def slopes_along(self: Tensor, spacing: List[Tensor], dims: List[int], edge_order: int):
    return [slopes(self, dim, where, edge_order) for dim, where in zip(dims, spacing)]


def slopes(self: Tensor, dim: int, where: Tensor, edge_order: int):
    """Differences over distances: `where` has the places along the dimension, or how far they are apart."""
    f = self.movedim(dim, -1)
    count = f.size(-1)
    x = where.to(torch.real(self).dtype)
    if where.dim() == 0:
        x = torch.arange(count, dtype=x.dtype) * x
    h = x[1:] - x[:-1]
    left, right = h[:-1], h[1:]
    ratio, total = left / right, left + right
    inner = (f[..., 2:] * ratio + f[..., 1:-1] * (1 / ratio - ratio) - f[..., :-2] / ratio) / total
    rise = f[..., 1:] - f[..., :-1]
    first, last = rise[..., :1] / h[:1], rise[..., -1:] / h[-1:]
    if edge_order == 2:
        first = first + (first - rise[..., 1:2] / h[1:2]) * h[:1] / (h[:1] + h[1:2])
        last = last + (last - rise[..., -2:-1] / h[-2:-1]) * h[-1:] / (h[-1:] + h[-2:-1])
    return torch.cat([first, inner, last], -1).movedim(-1, dim)


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
'''
