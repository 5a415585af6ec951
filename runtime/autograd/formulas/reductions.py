"""Gradients of sums, products, extremes, norms, statistics and cumulative operators."""

from typing import Final

FORMULAS: Final = """
sum
    self: grad.expand(self.size())
sum.dim_IntList
    self: with_dims(grad, self.dim(), dim, keepdim).expand(self.size())
nansum
    self: with_dims(grad, self.dim(), dim, keepdim).expand(self.size()) * ~torch.isnan(self)
mean
    self: grad.expand(self.size()) / self.numel()
mean.dim
    self: with_dims(grad, self.dim(), dim, keepdim).expand(self.size()) / count_of(self.size(), dim)
nanmean
    = torch.nansum(self, dim, keepdim, dtype=dtype) / (~torch.isnan(self)).sum(dim, keepdim)
prod
    self: prod_gradient(grad, self.reshape(-1), result, 0).reshape(self.size())
prod.dim_int
    self: prod_dim_gradient(grad, self, result, dim, keepdim)
cumsum
    self: grad.flip([dim]).cumsum(dim).flip([dim])
cumprod
    self: cumprod_gradient(grad, self, result, dim)
_grad_sum_to_size
    self: grad.expand(self.size())
logcumsumexp
    self: logcumsumexp_gradient(grad, self, result, dim)
cummax cummin
    self: grad.new_zeros(self.size()).scatter_add(dim, result1, grad)
max min median nanmedian
    self: extreme_gradient(grad, self, result)
max.dim min.dim median.dim nanmedian.dim mode kthvalue
    self: picked_gradient(grad, result1, self.size(), dim, keepdim)
amax amin
    self: extremes_gradient(grad, self, result, dim, keepdim)
aminmax
    self: aminmax_gradient(grad, grad1, self, result, result1, dim, keepdim)
max.other
    = torch.maximum(self, other)
min.other
    = torch.minimum(self, other)
sort sort.stable topk
    self: grad.new_zeros(self.size()).scatter_add(dim, result1, grad) if self.dim() > 0 else grad
msort
    = torch.sort(self, 0)[0]
logsumexp special_logsumexp
    self: logsumexp_gradient(grad, self, result, dim, keepdim)
var
    self: var_gradient(grad, self, None, 1 if unbiased else 0, True)
var.dim
    self: var_gradient(grad, self, dim, 1 if unbiased else 0, keepdim)
var.correction
    self: var_gradient(grad, self, dim, correction, keepdim)
std
    self: var_gradient(half_over(grad, result), self, None, 1 if unbiased else 0, True)
std.dim
    self: var_gradient(half_over(grad, result), self, dim, 1 if unbiased else 0, keepdim)
std.correction
    self: var_gradient(half_over(grad, result), self, dim, correction, keepdim)
var_mean
    = (torch.var(self, unbiased), torch.mean(self))
var_mean.dim
    = (torch.var(self, dim, unbiased, keepdim), mean_over(self, dim, keepdim))
var_mean.correction
    = (torch.var(self, dim, correction=correction, keepdim=keepdim), mean_over(self, dim, keepdim))
std_mean
    = (torch.std(self, unbiased), torch.mean(self))
std_mean.dim
    = (torch.std(self, dim, unbiased, keepdim), mean_over(self, dim, keepdim))
std_mean.correction
    = (torch.std(self, dim, correction=correction, keepdim=keepdim), mean_over(self, dim, keepdim))
norm.Scalar
    self: norm_gradient(grad, self, p, result, None, False)
norm.ScalarOpt_dtype
    self: norm_gradient(grad, self.to(dtype), p, result, None, False)
norm.ScalarOpt_dim
    self: norm_gradient(grad, self, p, result, dim, keepdim)
norm.ScalarOpt_dim_dtype
    self: norm_gradient(grad, self.to(dtype), p, result, dim, keepdim)
linalg_vector_norm
    self: norm_gradient(grad, self.to(result.dtype) if dtype is not None else self, ord, result, dim, keepdim)
dist
    self: norm_gradient(grad, self - other, p, result, None, False)
    other: -norm_gradient(grad, self - other, p, result, None, False)
trace
    self: grad * torch.eye(self.size(0), self.size(1), dtype=grad.dtype)
quantile
    = quantile_of(self, q, dim, keepdim, interpolation, False)
quantile.scalar
    = quantile_of(self, torch.scalar_tensor(q, dtype=self.dtype), dim, keepdim, interpolation, False)
nanquantile
    = quantile_of(self, q, dim, keepdim, interpolation, True)
nanquantile.scalar
    = quantile_of(self, torch.scalar_tensor(q, dtype=self.dtype), dim, keepdim, interpolation, True)
diff
    == diff_of(self, n, dim, prepend, append)
"""

FUNCTIONS: Final = '''
def with_dims(value: Tensor, rank: int, dims: Optional[List[int]], keepdim: bool):
    """A reduced tensor with extents of one where it was reduced."""
    if keepdim or rank == 0:
        return value
    if dims is None or len(dims) == 0:
        return value.reshape([1] * rank)
    reduced = [False] * rank
    for dim in dims:
        reduced[dim] = True
    for place in range(rank):
        if reduced[place]:
            value = value.unsqueeze(place)
    return value


def count_of(sizes: List[int], dims: Optional[List[int]]):
    count = 1
    if dims is None or len(dims) == 0:
        for size in sizes:
            count *= size
    elif len(sizes) > 0:
        for dim in dims:
            count *= sizes[dim]
    return count


def mean_over(self: Tensor, dims: Optional[List[int]], keepdim: bool):
    return torch.mean(self, dims, keepdim)


def products_of_others(self: Tensor, dim: int):
    """For each element the product of all others along a dimension."""
    ones = torch.ones_like(self.narrow(dim, 0, 1))
    count = self.size(dim)
    before = torch.cat([ones, self.narrow(dim, 0, count - 1)], dim).cumprod(dim)
    behind = torch.cat([ones, self.flip([dim]).narrow(dim, 0, count - 1)], dim).cumprod(dim).flip([dim])
    return before * behind


def prod_gradient(grad: Tensor, self: Tensor, result: Tensor, dim: int):
    if self.size(dim) == 0:
        return torch.zeros_like(self)
    if bool((self == 0).any()):
        return grad * products_of_others(self, dim).conj()
    return grad * (result / self).conj()


def prod_dim_gradient(grad: Tensor, self: Tensor, result: Tensor, dim: int, keepdim: bool):
    if self.dim() == 0:
        return grad
    given = with_dims(grad, self.dim(), [dim], keepdim)
    return prod_gradient(given, self, with_dims(result, self.dim(), [dim], keepdim), dim)


def cumprod_gradient(grad: Tensor, self: Tensor, result: Tensor, dim: int):
    if self.dim() == 0 or self.numel() == 0:
        return grad
    if not bool((self == 0).any()):
        return (grad * result.conj()).flip([dim]).cumsum(dim).flip([dim]) / self.conj()
    parts: List[Tensor] = []
    count = self.size(dim)
    for place in range(count):
        before = self.narrow(dim, 0, place)
        one = torch.ones_like(self.narrow(dim, place, 1))
        behind = self.narrow(dim, place + 1, count - place - 1)
        without = torch.cat([before, one, behind], dim).cumprod(dim)
        product = grad * without.conj()
        parts.append(product.narrow(dim, place, count - place).sum([dim], True))
    return torch.cat(parts, dim)


def logcumsumexp_slopes(grad: Tensor, self: Tensor, result: Tensor, dim: int):
    """The same as a product with a matrix, which has gradients that logarithms of nothing spoil."""
    given, ends = self.movedim(dim, -1).unsqueeze(-1), result.movedim(dim, -1).unsqueeze(-2)
    apart = given - ends
    earlier = torch.ones_like(apart, dtype=torch.bool).tril(-1)
    shares = apart.masked_fill(earlier, float('-inf')).exp()
    return (shares @ grad.movedim(dim, -1).unsqueeze(-1)).squeeze(-1).movedim(-1, dim)


def logcumsumexp_gradient(grad: Tensor, self: Tensor, result: Tensor, dim: int):
    if grad.dim() == 0 or grad.numel() == 0:
        return grad
    if self.requires_grad:
        return logcumsumexp_slopes(grad, self, result, dim)
    low = torch.full_like(grad, float('-inf'))
    above = torch.where(grad > 0, torch.where(grad > 0, grad, torch.ones_like(grad)).log(), low)
    below = torch.where(grad < 0, torch.where(grad < 0, -grad, torch.ones_like(grad)).log(), low)
    above = ((above - result).flip([dim]).logcumsumexp(dim).flip([dim]) + self).exp()
    below = ((below - result).flip([dim]).logcumsumexp(dim).flip([dim]) + self).exp()
    return above - below


def extreme_gradient(grad: Tensor, self: Tensor, result: Tensor):
    chosen = torch.isnan(self) if bool(torch.isnan(result)) else self == result
    return grad * chosen / chosen.sum()


def picked_gradient(grad: Tensor, indices: Tensor, sizes: List[int], dim: int, keepdim: bool):
    if len(sizes) == 0:
        return grad
    rank = len(sizes)
    given = with_dims(grad, rank, [dim], keepdim)
    return given.new_zeros(sizes).scatter(dim, with_dims(indices, rank, [dim], keepdim), given)


def extremes_gradient(grad: Tensor, self: Tensor, result: Tensor, dims: List[int], keepdim: bool):
    given = with_dims(grad, self.dim(), dims, keepdim)
    chosen = self == with_dims(result, self.dim(), dims, keepdim)
    if len(dims) == 0:
        return given * chosen / chosen.sum()
    return given * chosen / chosen.sum(dims, True)


def aminmax_gradient(low: Tensor, high: Tensor, self: Tensor, least: Tensor, most: Tensor, dim: Optional[int], keepdim: bool):
    dims = torch.jit.annotate(List[int], [])
    if dim is not None:
        dims.append(dim)
    return extremes_gradient(low, self, least, dims, keepdim) + extremes_gradient(high, self, most, dims, keepdim)


def logsumexp_gradient(grad: Tensor, self: Tensor, result: Tensor, dims: List[int], keepdim: bool):
    total = with_dims(result, self.dim(), dims, keepdim)
    finite = torch.where(torch.isinf(total.abs()), torch.zeros_like(total), total)
    return with_dims(grad, self.dim(), dims, keepdim) * (self - finite).exp().conj()


def var_gradient(grad: Tensor, self: Tensor, dims: Optional[List[int]], correction: Optional[number], keepdim: bool):
    if self.numel() == 0:
        return torch.zeros_like(self)
    rest = count_of(self.size(), dims) - (1.0 if correction is None else float(correction))
    mean = self.mean() if dims is None or len(dims) == 0 else self.mean(dims, True)
    given = grad if dims is None else with_dims(grad, self.dim(), dims, keepdim)
    if dims is not None and len(dims) == 0 and not keepdim and self.dim() > 0:
        given = grad.reshape([1] * self.dim())
    if dims is None:
        given = grad.reshape([1] * self.dim()) if self.dim() > 0 else grad.sum()
    return (2.0 / rest if rest > 0 else float('nan') if rest == 0 else 2.0 / rest) * given * (self - mean)


def half_over(grad: Tensor, result: Tensor):
    return (grad / (result * 2)).masked_fill(result == 0, 0)


def norm_gradient(grad: Tensor, self: Tensor, p: Optional[number], result: Tensor, dims: Optional[List[int]], keepdim: bool):
    order = 2.0 if p is None else float(p)
    given = grad
    total = result
    if dims is not None or keepdim:
        given = with_dims(grad, self.dim(), dims, keepdim)
        total = with_dims(result, self.dim(), dims, keepdim)
    if order == 0:
        return torch.zeros_like(self)
    if order == 1:
        return given * self.sgn()
    if order == 2:
        return given * (self / total).masked_fill(total == 0, 0)
    if order == float('inf') or order == float('-inf'):
        chosen = self.abs() == total
        count = chosen.sum() if dims is None or len(dims) == 0 else chosen.sum(dims, True)
        return self.sgn() * (given / count) * chosen
    if order < 1:
        scaled = (self.sgn() * self.abs().pow(order - 1)).masked_fill(self == 0, 0)
        return scaled * given * total.pow(1 - order)
    if order < 2:
        scaled = self.sgn() * self.abs().pow(order - 1)
    else:
        scaled = self * self.abs().pow(order - 2)
    return scaled * (given / total.pow(order - 1)).masked_fill(total == 0, 0)


def quantile_of(self: Tensor, q: Tensor, dim: Optional[int], keepdim: bool, interpolation: str, ignores_nan: bool):
    """Numbers of the sorted elements, as far apart as they are asked for."""
    rank = self.dim()
    if dim is None:
        whole = self.reshape(-1)
    elif rank == 0:
        whole = self.reshape(1)
    else:
        whole = self.movedim(dim, -1)
    ordered = whole.sort(-1)[0]
    count = ordered.size(-1)
    last = torch.full_like(ordered.narrow(-1, 0, 1), float(count - 1)).detach()
    if ignores_nan:
        last = ((~torch.isnan(ordered)).sum(-1, keepdim=True) - 1).clamp_min(0).to(ordered.dtype)
    places = q.reshape([-1]) * last
    if not ignores_nan:
        holes = torch.isnan(ordered).any(-1, keepdim=True)
        places = torch.where(holes, torch.full_like(places, float(count - 1)), places)
    if interpolation == "lower":
        places = places.floor()
    elif interpolation == "higher":
        places = places.ceil()
    elif interpolation == "nearest":
        places = places.round()
    below = places.floor()
    found = ordered.gather(-1, below.detach().to(torch.int64))
    if interpolation == "linear" or interpolation == "midpoint":
        weight = places - below.detach()
        if interpolation == "midpoint":
            weight = torch.full_like(weight, 0.5)
        above = ordered.gather(-1, places.ceil().to(torch.int64))
        found = found + (above - found) * weight
    found = found.movedim(-1, 0)
    if keepdim:
        if dim is None:
            found = found.reshape([found.size(0)] + [1] * rank)
        elif rank > 0:
            found = found.unsqueeze(dim + 1 if dim >= 0 else dim + rank + 1)
    elif dim is not None and rank == 0:
        found = found.reshape([found.size(0)])
    return found.squeeze(0) if q.dim() == 0 else found


def diff_of(self: Tensor, n: int, dim: int, prepend: Optional[Tensor], append: Optional[Tensor]):
    parts: List[Tensor] = []
    if prepend is not None:
        parts.append(prepend)
    parts.append(self)
    if append is not None:
        parts.append(append)
    found = torch.cat(parts, dim) if len(parts) > 1 else self
    if n == 0:
        return self.clone()
    for time in range(n):
        count = found.size(dim)
        if count <= 1:
            return found.narrow(dim, 0, 0)
        found = found.narrow(dim, 1, count - 1) - found.narrow(dim, 0, count - 1)
    return found
'''
