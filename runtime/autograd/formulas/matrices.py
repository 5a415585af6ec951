"""Gradients of products of matrices and vectors."""

from typing import Final

FORMULAS: Final = """
mm
    self: grad.mm(mat2.t().conj())
    mat2: self.t().conj().mm(grad)
bmm
    self: grad.bmm(mat2.transpose(1, 2).conj())
    mat2: self.transpose(1, 2).conj().bmm(grad)
mv
    self: torch.outer(grad, vec.conj())
    vec: self.t().conj().mv(grad)
dot
    self: grad * tensor.conj()
    tensor: grad * self.conj()
vdot
    self: grad.conj() * other
    other: grad * self
linalg_vecdot
    = (x.conj() * y).sum(dim)
outer ger
    self: grad.mv(vec2.conj())
    vec2: grad.t().mv(self.conj())
matmul linalg_matmul
    self: matmul_left(grad, self, other)
    other: matmul_right(grad, self, other)
linear
    input: linear_input(grad, weight)
    weight: linear_weight(grad, input, weight)
    bias: grad
addmm
    self: scaled(grad, beta)
    mat1: scaled(grad.mm(mat2.t().conj()), alpha)
    mat2: scaled(mat1.t().conj().mm(grad), alpha)
addmv
    self: scaled(grad, beta)
    mat: scaled(torch.outer(grad, vec.conj()), alpha)
    vec: scaled(mat.t().conj().mv(grad), alpha)
addr
    self: scaled(grad, beta)
    vec1: scaled(grad.mv(vec2.conj()), alpha)
    vec2: scaled(grad.t().mv(vec1.conj()), alpha)
baddbmm
    self: scaled(grad, beta)
    batch1: scaled(grad.bmm(batch2.transpose(1, 2).conj()), alpha)
    batch2: scaled(batch1.transpose(1, 2).conj().bmm(grad), alpha)
addbmm
    self: scaled(grad, beta)
    batch1: scaled(grad.unsqueeze(0).expand([batch1.size(0), batch1.size(1), batch2.size(2)]).bmm(batch2.transpose(1, 2).conj()), alpha)
    batch2: scaled(batch1.transpose(1, 2).conj().bmm(grad.unsqueeze(0).expand([batch1.size(0), batch1.size(1), batch2.size(2)])), alpha)
inner
    = inner_of(self, other)
kron
    = kron_of(self, other)
tensordot
    = tensordot_of(self, other, dims_self, dims_other)
chain_matmul
    = linalg_multi_dot_of(matrices)
linalg_multi_dot
    = linalg_multi_dot_of(tensors)
bilinear
    input1: torch.einsum('bo,oij,bj->bi', [grad.reshape([-1, weight.size(0)]), weight, input2.reshape([-1, weight.size(2)])]).reshape(input1.size())
    input2: torch.einsum('bo,oij,bi->bj', [grad.reshape([-1, weight.size(0)]), weight, input1.reshape([-1, weight.size(1)])]).reshape(input2.size())
    weight: torch.einsum('bo,bi,bj->oij', [grad.reshape([-1, weight.size(0)]), input1.reshape([-1, weight.size(1)]), input2.reshape([-1, weight.size(2)])])
    bias: grad
cross
    self: torch.linalg.cross(other.conj(), grad, dim=cross_dim(self.size(), dim))
    other: torch.linalg.cross(grad, self.conj(), dim=cross_dim(self.size(), dim))
linalg_cross
    self: torch.linalg.cross(other.conj(), grad, dim=dim)
    other: torch.linalg.cross(grad, self.conj(), dim=dim)
cov
    == cov_of(self, correction, fweights, aweights)
corrcoef
    == corrcoef_of(self)
cdist _cdist_forward
    x1: cdist_gradient(grad, x1, x2, result, p)
    x2: cdist_gradient(grad.mT, x2, x1, result.mT, p)
pdist _pdist_forward
    = pdist_of(self, p)
pairwise_distance
    = torch.linalg.vector_norm(x1 - x2 + eps, p, [-1], keepdim)
cosine_similarity
    = cosine_of(x1, x2, dim, eps)
renorm
    == renorm_of(self, p, dim, maxnorm)
"""

FUNCTIONS: Final = """
def matmul_left(grad: Tensor, self: Tensor, other: Tensor):
    if self.dim() == 1 and other.dim() == 1:
        return grad * other.conj()
    if self.dim() == 1:
        return (grad.unsqueeze(-2) @ other.mH).squeeze(-2)
    if other.dim() == 1:
        return grad.unsqueeze(-1) @ other.conj().unsqueeze(0)
    return grad @ other.mH


def matmul_right(grad: Tensor, self: Tensor, other: Tensor):
    if self.dim() == 1 and other.dim() == 1:
        return grad * self.conj()
    if self.dim() == 1:
        return self.conj().unsqueeze(-1) @ grad.unsqueeze(-2)
    if other.dim() == 1:
        return (self.mH @ grad.unsqueeze(-1)).squeeze(-1)
    return self.mH @ grad


def linear_input(grad: Tensor, weight: Tensor):
    if weight.dim() == 1:
        return grad.unsqueeze(-1) * weight.conj()
    return grad @ weight.conj()


def linear_weight(grad: Tensor, input: Tensor, weight: Tensor):
    if weight.dim() == 1:
        return (grad.unsqueeze(-1) * input.conj()).reshape(-1, weight.size(0)).sum(0)
    return grad.reshape(-1, weight.size(0)).t() @ input.reshape(-1, weight.size(1)).conj()


def scaled(grad: Tensor, factor: number):
    return grad if factor == 1 else (grad.conj() * factor).conj()


def inner_of(self: Tensor, other: Tensor):
    if self.dim() == 0 or other.dim() == 0:
        return self * other
    return torch.tensordot(self, other, [[-1], [-1]])


def kron_of(self: Tensor, other: Tensor):
    rank = max(self.dim(), other.dim())
    left = torch.jit.annotate(List[int], [])
    right = torch.jit.annotate(List[int], [])
    whole = torch.jit.annotate(List[int], [])
    for place in range(rank):
        at_left = place - rank + self.dim()
        at_right = place - rank + other.dim()
        a = self.size(at_left) if at_left >= 0 else 1
        b = other.size(at_right) if at_right >= 0 else 1
        left += [a, 1]
        right += [1, b]
        whole.append(a * b)
    return (self.reshape(left) * other.reshape(right)).reshape(whole)


def tensordot_of(self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]):
    left = [dim if dim >= 0 else dim + self.dim() for dim in dims_self]
    right = [dim if dim >= 0 else dim + other.dim() for dim in dims_other]
    count = 1
    for place in range(len(left)):
        if self.size(left[place]) == 1 and other.size(right[place]) != 1:
            other = other.sum([right[place]], True)
        elif other.size(right[place]) == 1 and self.size(left[place]) != 1:
            self = self.sum([left[place]], True)
        count *= self.size(left[place])
    rows = [dim for dim in range(self.dim()) if dim not in left]
    columns = [dim for dim in range(other.dim()) if dim not in right]
    shape = [self.size(dim) for dim in rows] + [other.size(dim) for dim in columns]
    height = 1
    for dim in rows:
        height *= self.size(dim)
    width = 1
    for dim in columns:
        width *= other.size(dim)
    a = self.permute(rows + left).reshape(height, count)
    b = other.permute(right + columns).reshape(count, width)
    return a.mm(b).reshape(shape)


def linalg_multi_dot_of(matrices: List[Tensor]):
    found = matrices[0]
    for place in range(1, len(matrices)):
        found = found @ matrices[place]
    return found


def cross_dim(sizes: List[int], dim: Optional[int]):
    if dim is not None:
        return dim
    for place in range(len(sizes)):
        if sizes[place] == 3:
            return place
    return -1


def cov_of(self: Tensor, correction: int, fweights: Optional[Tensor], aweights: Optional[Tensor]):
    rows = self.reshape(1, -1) if self.dim() < 2 else self
    weights = torch.ones([rows.size(1)], dtype=torch.int64)
    if fweights is not None:
        weights = weights * fweights
    if aweights is not None:
        weights = weights * aweights
    total = weights.sum()
    mean = (rows * weights).sum(1, True) / total
    divisor = total - correction
    if aweights is not None and correction != 0:
        divisor = total - correction * (weights * aweights).sum() / total
    apart = rows - mean
    found = (apart * weights) @ apart.mH
    return (found / divisor.clamp_min(0)).squeeze()


def corrcoef_of(self: Tensor):
    found = torch.cov(self)
    if found.dim() == 0:
        return found / found
    spread = torch.real(found.diagonal()).sqrt() if found.is_complex() else found.diagonal().sqrt()
    found = found / spread.unsqueeze(-1) / spread.unsqueeze(0)
    return found if found.is_complex() else found.clip(-1, 1)


def cdist_gradient(grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor, p: float):
    apart = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return norm_gradient(grad, apart, p, result, [-1], False).sum(-2)


def pdist_of(self: Tensor, p: float):
    pairs = torch.triu_indices(self.size(0), self.size(0), 1)
    apart = self.index_select(0, pairs[0]) - self.index_select(0, pairs[1])
    return torch.linalg.vector_norm(apart, p, [-1])


def cosine_of(x1: Tensor, x2: Tensor, dim: int, eps: float):
    a, b = torch.broadcast_tensors(x1, x2)
    return (a / at_least(torch.linalg.vector_norm(a, 2, [dim], True), eps) * (b / at_least(torch.linalg.vector_norm(b, 2, [dim], True), eps))).sum(dim)


def at_least(size: Tensor, eps: float):
    return size + (size.clamp_min(eps) - size).detach()


def renorm_of(self: Tensor, p: number, dim: int, maxnorm: number):
    own = dim if dim >= 0 else dim + self.dim()
    others = [place for place in range(self.dim()) if place != own]
    size = torch.linalg.vector_norm(self, p, others, True)
    factor = torch.where(size > maxnorm, (size + 1e-7).reciprocal() * maxnorm, torch.ones_like(size))
    return self * factor
"""
