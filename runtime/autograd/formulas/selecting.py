"""Gradients of indexing, gathering and scattering."""

from typing import Final

FORMULAS: Final = """
index.Tensor index.Tensor_hacked_twin
    self: grad.new_zeros(self.size()).index_put(indices, grad, True)
index_put index_put.hacked_twin _unsafe_index_put
    self: grad if accumulate else grad.index_put(indices, torch.zeros_like(values), False)
    values: torch.ops.aten.index(grad, indices)
_unsafe_index.Tensor
    self: grad.new_zeros(self.size()).index_put(indices, grad, True)
index_select
    self: index_select_gradient(grad, self.size(), dim, index)
index_add
    self: grad
    source: index_select_like(grad, source.size(), dim, index) * alpha
index_copy
    self: grad.index_fill(dim, index, 0)
    source: index_select_like(grad, source.size(), dim, index)
index_fill.int_Scalar
    self: grad.index_fill(dim, index, 0)
index_fill.int_Tensor
    self: grad.index_fill(dim, index, 0)
    value: grad.sum() if grad.dim() == 0 else grad.index_select(dim, torch.unique(index)).sum()
index_reduce
    self, source: index_reduce_gradient(grad, self, dim, index, source, reduce, include_self, result)
gather
    self: grad.new_zeros(self.size()).scatter_add(dim, index, grad)
scatter.src
    self: grad.scatter(dim, index, 0)
    src: grad.gather(dim, index)
scatter.value
    self: grad.scatter(dim, index, 0)
scatter.reduce
    = scatter_reduced(self, dim, index, src, reduce)
scatter.value_reduce
    = scatter_reduced(self, dim, index, torch.full(index.size(), value, dtype=self.dtype), reduce)
scatter_add
    self: grad
    src: grad.gather(dim, index)
scatter_reduce.two
    self, src: scatter_reduce_gradient(grad, self, dim, index, src, reduce, include_self, result)
take
    self: grad.new_zeros(self.size()).put(index, grad, True)
put
    self: grad if accumulate else grad.put(index, torch.zeros_like(source), False)
    source: grad.take(index).reshape(source.size())
take_along_dim
    = take_along_dim_of(self, indices, dim)
embedding
    indices: none
    weight: embedding_gradient(grad, weight.size(), indices, padding_idx, scale_grad_by_freq)
"""

FUNCTIONS: Final = """
def index_select_gradient(grad: Tensor, sizes: List[int], dim: int, index: Tensor):
    if len(sizes) == 0:
        return grad.sum()
    if index.dim() == 0:
        return grad.new_zeros(sizes).index_add(dim, index.reshape(1), grad)
    return grad.new_zeros(sizes).index_add(dim, index, grad)


def index_select_like(grad: Tensor, sizes: List[int], dim: int, index: Tensor):
    if grad.dim() == 0:
        return grad.expand(sizes)
    return grad.index_select(dim, index.reshape(-1)).reshape(sizes)


def scatter_reduced(self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str):
    if reduce == "add":
        return self.scatter_add(dim, index, src)
    return self.scatter_reduce(dim, index, src, "prod")


def scatter_reduce_gradient(
    grad: Tensor, self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool, result: Tensor
):
    if reduce == "sum":
        to_self = grad
        to_source = grad.gather(dim, index)
    elif reduce == "mean":
        counts = torch.ones_like(grad) if include_self else torch.zeros_like(grad)
        counts = counts.scatter_add(dim, index, torch.ones_like(src))
        counts = counts.masked_fill(counts == 0, 1)
        to_self = grad / counts
        to_source = (grad / counts).gather(dim, index)
    elif reduce == "prod":
        zeros = (self == 0).to(grad.dtype) if include_self else torch.zeros_like(grad)
        zeros = zeros.scatter_add(dim, index, (src == 0).to(grad.dtype))
        filled = src.masked_fill(src == 0, 1)
        own = self.masked_fill(self == 0, 1)
        rest = own.scatter_reduce(dim, index, filled, "prod", include_self=include_self)
        others_of_self = torch.where(self == 0, torch.where(zeros <= 1, rest, torch.zeros_like(rest)), torch.where(zeros == 0, result / own, torch.zeros_like(rest)))
        to_self = grad * others_of_self
        alone = (src == 0) & (zeros.gather(dim, index) == 1)
        share = torch.where(alone, rest.gather(dim, index), torch.where(src == 0, torch.zeros_like(src), result.gather(dim, index) / filled))
        to_source = grad.gather(dim, index) * share
    else:
        value = result.gather(dim, index)
        own_is = self == result
        counts = own_is.to(grad.dtype) if include_self else torch.zeros_like(grad)
        counts = counts.scatter_add(dim, index, (src == value).to(grad.dtype))
        shared = grad / counts.masked_fill(counts == 0, 1)
        to_self = shared * own_is
        to_source = (src == value) * shared.gather(dim, index)
    if not include_self:
        to_self = to_self.scatter(dim, index, 0)
    return to_self, to_source


def index_reduce_gradient(
    grad: Tensor, self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool, result: Tensor
):
    if self.dim() == 0:
        places = index.reshape(source.size())
        found = scatter_reduce_gradient(
            grad.reshape(1), self.reshape(1), 0, index.reshape(-1), source.reshape(-1), words_of(reduce), include_self, result.reshape(1)
        )
        return found[0].reshape(self.size()), found[1].reshape(source.size())
    shape = [1] * source.dim()
    shape[dim] = -1
    places = index.reshape(shape).expand(source.size())
    return scatter_reduce_gradient(grad, self, dim, places, source, words_of(reduce), include_self, result)


def words_of(reduce: str):
    return reduce


def take_along_dim_of(self: Tensor, indices: Tensor, dim: Optional[int]):
    if dim is None:
        return self.reshape(-1).gather(0, indices.reshape(-1))
    wanted = torch.jit.annotate(List[int], [])
    found = torch.jit.annotate(List[int], [])
    place = dim if dim >= 0 else dim + self.dim()
    for each in range(self.dim()):
        if each == place:
            wanted.append(self.size(each))
            found.append(indices.size(each))
        else:
            size = max(self.size(each), indices.size(each))
            if self.size(each) == 0 or indices.size(each) == 0:
                size = 0
            wanted.append(size)
            found.append(size)
    from_front = torch.where(indices < 0, indices + self.size(place), indices)
    return self.expand(wanted).gather(place, from_front.expand(found))


def embedding_gradient(grad: Tensor, sizes: List[int], indices: Tensor, padding_idx: int, scale_grad_by_freq: bool):
    flat = indices.reshape(-1)
    given = grad.reshape(-1, sizes[1])
    if padding_idx >= 0:
        given = given.masked_fill((flat == padding_idx).unsqueeze(1), 0)
    if scale_grad_by_freq:
        counts = torch.zeros([sizes[0]], dtype=given.dtype).index_add(0, flat, torch.ones(flat.size(), dtype=given.dtype))
        given = given / counts.index_select(0, flat).unsqueeze(1)
    return given.new_zeros(sizes).index_add(0, flat, given)
"""
