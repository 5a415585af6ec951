"""Gradients of operators that reduce stretches of rows: bags of embeddings, segments."""

from typing import Final

FORMULAS: Final = """
embedding_bag
    weight, per_sample_weights: bag_gradient(grad, weight, indices, result1, result2, result3, scale_grad_by_freq, mode, per_sample_weights, -1)
    result1, result2, result3: none
embedding_bag.padding_idx
    weight, per_sample_weights: bag_gradient(grad, weight, indices, result1, result2, result3, scale_grad_by_freq, mode, per_sample_weights, from_start(padding_idx, weight.size(0)))
    result1, result2, result3: none
_embedding_bag
    weight, per_sample_weights: bag_gradient(grad, weight, indices, result1, result2, result3, scale_grad_by_freq, mode, per_sample_weights, padding_idx)
    result1, result2, result3: none
segment_reduce
    data: segment_gradient(grad, data, result, reduce, lengths, offsets, axis, initial)
"""

FUNCTIONS: Final = '''
def from_start(place: Optional[int], size: int):
    if place is None:
        return -1
    return place + size if place < 0 else place


def bag_gradient(
    grad: Tensor,
    weight: Tensor,
    indices: Tensor,
    bags: Tensor,
    bag_size: Tensor,
    best: Tensor,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Optional[Tensor],
    padding_idx: int,
):
    """`bags` has the number of the bag of each index, `best` for mode 2 the row that each element comes from."""
    if mode == 2:
        wanted = (best != padding_idx) & (bag_size.unsqueeze(-1) > 0)
        given = torch.where(wanted, grad, torch.zeros_like(grad))
        return torch.zeros_like(weight).scatter_add(0, best.clamp(min=0), given), None
    flat = indices.reshape(-1)
    kept = (flat != padding_idx).unsqueeze(-1)
    rows = torch.where(kept, grad.index_select(0, bags), torch.zeros([], dtype=grad.dtype))
    if mode == 1:
        rows = rows / bag_size.clamp(min=1).index_select(0, bags).unsqueeze(-1)
    by_weights: Optional[Tensor] = None
    if per_sample_weights is not None:
        by_weights = (rows * weight.index_select(0, flat)).sum(-1).reshape(per_sample_weights.size())
        rows = rows * per_sample_weights.reshape(-1, 1)
    if scale_grad_by_freq:
        rows = rows / torch.bincount(flat, minlength=weight.size(0)).index_select(0, flat).unsqueeze(-1)
    return torch.zeros_like(weight).index_add(0, flat, rows), by_weights


def segment_numbers(data: Tensor, lengths: Optional[Tensor], offsets: Optional[Tensor], axis: int):
    """The number of the segment of each element of `data`, and which elements are in one."""
    if offsets is not None:
        ends = offsets.narrow(axis, 1, offsets.size(axis) - 1)
    else:
        assert lengths is not None
        ends = lengths.cumsum(axis)
    sizes = list(data.size())[:axis + 1]
    places = torch.arange(sizes[axis], dtype=torch.int64).expand(sizes).contiguous()
    numbers = torch.searchsorted(ends.to(torch.int64).contiguous(), places, right=True)
    inside = numbers < ends.size(axis)
    shape = sizes + [1] * (data.dim() - axis - 1)
    numbers = numbers.clamp(max=max(ends.size(axis) - 1, 0)).reshape(shape).expand(data.size())
    return numbers, inside.reshape(shape).expand(data.size())


def segment_sums(data: Tensor, like: Tensor, numbers: Tensor, inside: Tensor, axis: int):
    return torch.zeros_like(like).scatter_add(axis, numbers, torch.where(inside, data, torch.zeros_like(data)))


def segment_gradient(
    grad: Tensor,
    data: Tensor,
    result: Tensor,
    reduce: str,
    lengths: Optional[Tensor],
    offsets: Optional[Tensor],
    axis: int,
    initial: Optional[number],
):
    numbers, inside = segment_numbers(data, lengths, offsets, axis)
    given = torch.where(inside, grad.gather(axis, numbers), torch.zeros([], dtype=grad.dtype))
    if reduce == 'sum':
        return given
    if reduce == 'mean':
        counts = segment_sums(torch.ones_like(data), result, numbers, inside, axis)
        return given / counts.clamp(min=1).gather(axis, numbers)
    if reduce == 'prod':
        return given * others_in_segment(data, result, numbers, inside, axis, initial)
    equal = (data == result.gather(axis, numbers)) | (data.isnan() & result.gather(axis, numbers).isnan())
    ties = segment_sums(equal.to(data.dtype), result, numbers, inside, axis).clamp(min=1)
    return torch.where(equal, given / ties.gather(axis, numbers), torch.zeros_like(given))


def others_in_segment(
    data: Tensor, result: Tensor, numbers: Tensor, inside: Tensor, axis: int, initial: Optional[number]
):
    """For each element the product of the others in its segment."""
    empty = data == 0
    zeros = segment_sums(empty.to(data.dtype), result, numbers, inside, axis).gather(axis, numbers)
    factors = torch.where(inside & ~empty, data, torch.ones_like(data))
    start = torch.ones_like(result)
    if initial is not None:
        start = start * initial
    product = start.scatter_reduce(axis, numbers, factors, 'prod').gather(axis, numbers)
    others = torch.where(empty, product, product / factors)
    return torch.where(zeros - empty.to(data.dtype) > 0, torch.zeros_like(others), others)
'''
