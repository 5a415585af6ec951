"""Gradients of operators that arrange elements: views, joining, repeating, padding."""

from typing import Final

FORMULAS: Final = """
view_as reshape_as
    self: grad.reshape(self.size())
    other: none
reshape view _unsafe_view flatten.using_ints unflatten.int ravel
squeeze squeeze.dim squeeze.dims unsqueeze
    self: grad.reshape(self.size())
expand broadcast_to
    self: grad
expand_as
    self: grad
    other: none
t
    self: grad.t()
numpy_T
    self: grad.permute(reversed_dims(self.dim()))
mT
    self: grad.transpose(-2, -1)
mH adjoint
    self: grad.transpose(-2, -1).conj()
matrix_H
    self: grad.transpose(0, 1).conj() if grad.dim() == 2 else grad
transpose.int
    self: grad.transpose(dim0, dim1)
swapaxes
    self: grad.transpose(axis0, axis1)
swapdims
    self: grad.transpose(dim0, dim1)
permute
    self: grad.permute(inverse_of(dims))
movedim.int moveaxis.int
    self: grad.movedim(destination, source)
movedim.intlist moveaxis.intlist
    self: grad.movedim(destination, source)
select.int
    self: grad.new_zeros(self.size()).select_scatter(grad, dim, index)
slice.Tensor
    self: grad.new_zeros(self.size()).slice_scatter(grad, dim, start, end, step)
narrow
    self: narrow_gradient(grad, self.size(), dim, start, length)
narrow_copy
    self: narrow_gradient(grad, self.size(), dim, start, length)
narrow.Tensor
    self: narrow_gradient(grad, self.size(), dim, int(start), length)
diagonal
    self: grad.new_zeros(self.size()).diagonal_scatter(grad, offset, dim1, dim2)
linalg_diagonal
    A: grad.new_zeros(A.size()).diagonal_scatter(grad, offset, dim1, dim2)
unfold
    self: unfold_gradient(grad, self.size(), dimension, size, step)
split.Tensor chunk unsafe_split.Tensor unsafe_chunk split_with_sizes unsafe_split_with_sizes split.sizes split
tensor_split.sections tensor_split.indices tensor_split.tensor_indices_or_sections
    self: torch.cat(grads, dim)
unbind.int
    self: torch.stack(grads, dim)
hsplit.int hsplit.array
    self: torch.cat(grads, 0 if self.dim() == 1 else 1)
vsplit.int vsplit.array
    self: torch.cat(grads, 0)
dsplit.int dsplit.array
    self: torch.cat(grads, 2)
cat concat concatenate
    tensors: cat_gradient(grad, tensors, dim)
stack
    tensors: torch.unbind(grad, dim)
hstack
    = hstack_of(tensors)
vstack row_stack
    = torch.cat(torch.atleast_2d(tensors), 0)
dstack
    = torch.cat(torch.atleast_3d(tensors), 2)
column_stack
    = column_stack_of(tensors)
atleast_1d
    = self.reshape(1) if self.dim() == 0 else self
atleast_2d
    = self.reshape(1, 1) if self.dim() == 0 else (self.unsqueeze(0) if self.dim() == 1 else self)
atleast_3d
    = atleast_3d_of(self)
atleast_1d.Sequence
    = [torch.atleast_1d(each) for each in tensors]
atleast_2d.Sequence
    = [torch.atleast_2d(each) for each in tensors]
atleast_3d.Sequence
    = [torch.atleast_3d(each) for each in tensors]
block_diag
    tensors: block_diag_gradient(grad, tensors)
broadcast_tensors
    tensors: [g.sum_to_size(t.size()) for g, t in zip(grads, tensors)]
meshgrid
    tensors: meshgrid_gradient(grads, tensors, False)
meshgrid.indexing
    tensors: meshgrid_gradient(grads, tensors, indexing == 'xy')
cartesian_prod
    = cartesian_prod_of(tensors)
combinations
    = self.index_select(0, torch.combinations(torch.arange(self.size(0)), r, with_replacement).reshape(-1)).reshape(-1, r)
flip
    self: grad.flip(dims)
fliplr
    self: grad.flip([1])
flipud
    self: grad.flip([0])
roll
    self: grad.roll([-shift for shift in shifts], dims)
rot90
    self: torch.rot90(grad, -k, dims)
repeat
    self: repeat_gradient(grad, self.size(), repeats)
tile
    = self.repeat(([1] * (self.dim() - len(dims)) if self.dim() > len(dims) else dims[:0]) + dims)
repeat_interleave.self_Tensor
    = repeat_interleave_of(self, repeats, dim)
repeat_interleave.self_int
    = repeat_interleave_of(self, torch.tensor([repeats]), dim)
diag
    self: diag_gradient(grad, self.size(), diagonal)
diag_embed
    self: grad.diagonal(offset, dim1, dim2)
diagflat
    self: grad.diagonal(offset).reshape(self.size())
diagonal_scatter
    self: grad.diagonal_scatter(torch.zeros_like(grad.diagonal(offset, dim1, dim2)), offset, dim1, dim2)
    src: grad.diagonal(offset, dim1, dim2)
select_scatter
    self: grad.select_scatter(torch.zeros_like(grad.select(dim, index)), dim, index)
    src: grad.select(dim, index)
slice_scatter
    self: grad.slice_scatter(torch.zeros_like(sliced(grad, dim, start, end, step)), dim, start, end, step)
    src: sliced(grad, dim, start, end, step)
as_strided_scatter
    self: grad.as_strided_scatter(torch.zeros(src.size(), dtype=grad.dtype), size, stride, storage_offset)
    src: grad.contiguous().as_strided(size, stride, storage_offset)
tril
    self: grad.tril(diagonal)
triu
    self: grad.triu(diagonal)
constant_pad_nd
    self: torch.constant_pad_nd(grad, [-each for each in pad], 0)
pad
    = pad_of(self, pad, mode, value)
reflection_pad1d reflection_pad2d reflection_pad3d
    self: gathered(grad, pad_of(numbered(self.size()), padding, 'reflect', None), self.size())
replication_pad1d replication_pad2d replication_pad3d
    self: gathered(grad, pad_of(numbered(self.size()), padding, 'replicate', None), self.size())
_pad_circular
    self: gathered(grad, pad_of(numbered(self.size()), pad, 'circular', None), self.size())
pixel_shuffle
    self: torch.pixel_unshuffle(grad, upscale_factor)
pixel_unshuffle
    self: torch.pixel_shuffle(grad, downscale_factor)
channel_shuffle native_channel_shuffle
    self: gathered(grad, torch.channel_shuffle(numbered(self.size()), groups), self.size())
sum_to_size
    self: grad.expand(self.size())
permute_copy
    = torch.permute(self, dims).clone()
view_copy
    = torch.reshape(self, size).clone()
transpose_copy.int
    = torch.transpose(self, dim0, dim1).clone()
t_copy
    = torch.t(self).clone()
unsqueeze_copy
    = torch.unsqueeze(self, dim).clone()
squeeze_copy
    = torch.squeeze(self).clone()
squeeze_copy.dim
    = torch.squeeze(self, dim).clone()
squeeze_copy.dims
    = torch.squeeze(self, dim).clone()
expand_copy
    = self.expand(size).clone()
alias_copy detach_copy
    = self.clone()
unfold_copy
    = self.unfold(dimension, size, step).clone()
as_strided_copy
    = torch.as_strided(self, size, stride, storage_offset).clone()
diagonal_copy
    = torch.diagonal(self, offset, dim1, dim2).clone()
slice_copy.Tensor
    = sliced(self, dim, start, end, step).clone()
select_copy.int
    = torch.select(self, dim, index).clone()
unbind_copy.int
    = [each.clone() for each in torch.unbind(self, dim)]
split_copy.Tensor
    = [each.clone() for each in torch.split(self, split_size, dim)]
split_with_sizes_copy
    = [each.clone() for each in torch.split_with_sizes(self, split_sizes, dim)]
view_as_real_copy
    = torch.view_as_real(self).clone()
view_as_complex_copy
    = torch.view_as_complex(self).clone()
im2col
    self: torch.col2im(grad, self.size()[-2:], kernel_size, dilation, padding, stride)
col2im
    self: torch.im2col(grad, kernel_size, dilation, padding, stride)
vander
    == vander_of(x, N) if increasing else vander_of(x, N).flip([-1])
linalg_vander
    = vander_of(x.unsqueeze(0) if x.dim() == 0 else x, N)
"""

FUNCTIONS: Final = '''
def reversed_dims(rank: int):
    return [rank - 1 - place for place in range(rank)]


def inverse_of(dims: List[int]):
    places = [0] * len(dims)
    for place in range(len(dims)):
        places[dims[place]] = place
    return places


def numbered(sizes: List[int]):
    """The elements of a tensor by their numbers."""
    count = 1
    for size in sizes:
        count *= size
    return torch.arange(count, dtype=torch.float64).reshape(sizes)


def gathered(grad: Tensor, places: Tensor, sizes: List[int]):
    """The gradient of a tensor whose elements were taken from these places."""
    count = 1
    for size in sizes:
        count *= size
    total = grad.new_zeros([count])
    return total.index_add(0, places.reshape(-1).to(torch.int64), grad.reshape(-1)).reshape(sizes)


def sliced(self: Tensor, dim: int, start: Optional[int], end: Optional[int], step: int):
    return torch.ops.aten.slice(self, dim, start, end, step)


def narrow_gradient(grad: Tensor, sizes: List[int], dim: int, start: int, length: int):
    first = start if start >= 0 else start + sizes[dim]
    return grad.new_zeros(sizes).slice_scatter(grad, dim, first, first + length)


def unfold_gradient(grad: Tensor, sizes: List[int], dimension: int, size: int, step: int):
    if len(sizes) == 0:
        return grad.reshape(sizes)
    return gathered(grad, numbered(sizes).unfold(dimension, size, step), sizes)


def is_empty_vector(tensor: Tensor):
    return tensor.dim() == 1 and tensor.size(0) == 0


def cat_gradient(grad: Tensor, tensors: List[Tensor], dim: int):
    parts: List[Tensor] = []
    start = 0
    for tensor in tensors:
        if tensor.dim() == 1 and tensor.size(0) == 0 and grad.dim() != 1:
            parts.append(grad.new_zeros([0]))
        else:
            length = tensor.size(dim)
            parts.append(grad.narrow(dim, start, length))
            start += length
    return parts


def hstack_of(tensors: List[Tensor]):
    flat = torch.atleast_1d(tensors)
    return torch.cat(flat, 0 if flat[0].dim() == 1 else 1)


def column_stack_of(tensors: List[Tensor]):
    return torch.cat([each.reshape(-1, 1) if each.dim() <= 1 else each for each in tensors], 1)


def atleast_3d_of(self: Tensor):
    if self.dim() == 0:
        return self.reshape(1, 1, 1)
    if self.dim() == 1:
        return self.unsqueeze(0).unsqueeze(-1)
    return self.unsqueeze(-1) if self.dim() == 2 else self


def block_diag_gradient(grad: Tensor, tensors: List[Tensor]):
    parts: List[Tensor] = []
    row = 0
    column = 0
    for tensor in tensors:
        sizes = [1, 1]
        if tensor.dim() == 1:
            sizes = [1, tensor.size(0)]
        elif tensor.dim() == 2:
            sizes = [tensor.size(0), tensor.size(1)]
        part = grad.narrow(0, row, sizes[0]).narrow(1, column, sizes[1])
        parts.append(part.reshape(tensor.size()))
        row += sizes[0]
        column += sizes[1]
    return parts


def meshgrid_gradient(grads: List[Tensor], tensors: List[Tensor], swapped: bool):
    parts: List[Tensor] = []
    for place in range(len(tensors)):
        given = grads[place].transpose(0, 1) if swapped and len(tensors) > 1 else grads[place]
        sizes = [1] * len(tensors)
        sizes[place] = tensors[place].numel()
        parts.append(given.sum_to_size(sizes).reshape(tensors[place].size()))
    return parts


def cartesian_prod_of(tensors: List[Tensor]):
    if len(tensors) == 1:
        return tensors[0].clone()
    grids = torch.meshgrid(tensors)
    return torch.stack([each.reshape(-1) for each in grids], 1)


def repeat_gradient(grad: Tensor, sizes: List[int], repeats: List[int]):
    if grad.numel() == 0:
        return grad.new_zeros(sizes)
    shape = torch.jit.annotate(List[int], [])
    sums = torch.jit.annotate(List[int], [])
    lead = len(repeats) - len(sizes)
    for place in range(len(repeats)):
        sums.append(len(shape))
        shape.append(repeats[place])
        shape.append(1 if place < lead else sizes[place - lead])
    if len(shape) == 0:
        return grad
    return grad.reshape(shape).sum(sums).reshape(sizes)


def repeat_interleave_of(self: Tensor, repeats: Tensor, dim: Optional[int]):
    if dim is None:
        flat = self.reshape(-1)
        return flat.index_select(0, places_repeated(flat.size(0), repeats))
    if self.dim() == 0:
        return self.reshape(1).index_select(0, places_repeated(1, repeats))
    return self.index_select(dim, places_repeated(self.size(dim), repeats))


def places_repeated(count: int, repeats: Tensor):
    times = repeats.reshape(-1)
    if times.size(0) == 1:
        times = times.expand(count)
    return torch.repeat_interleave(times)


def diag_gradient(grad: Tensor, sizes: List[int], diagonal: int):
    if len(sizes) == 1:
        return grad.diagonal(diagonal)
    return grad.new_zeros(sizes).diagonal_scatter(grad, diagonal)


def pad_of(self: Tensor, pad: List[int], mode: str, value: Optional[float]):
    if mode == "constant":
        return torch.constant_pad_nd(self, pad, 0.0 if value is None else value)
    if mode == "circular":
        return circular(self, pad)
    rank = len(pad) // 2
    if mode == "reflect":
        if rank == 1:
            return torch.ops.aten.reflection_pad1d(self, pad)
        if rank == 2:
            return torch.ops.aten.reflection_pad2d(self, pad)
        return torch.ops.aten.reflection_pad3d(self, pad)
    if rank == 1:
        return torch.ops.aten.replication_pad1d(self, pad)
    if rank == 2:
        return torch.ops.aten.replication_pad2d(self, pad)
    return torch.ops.aten.replication_pad3d(self, pad)


def circular(self: Tensor, pad: List[int]):
    for side in range(len(pad) // 2):
        dim = self.dim() - 1 - side
        before = pad[2 * side]
        behind = pad[2 * side + 1]
        if max(before, behind) > self.size(dim):
            raise RuntimeError("Padding value causes wrapping around more than once")
        first = max(-before, 0)
        count = self.size(dim) - first - max(-behind, 0)
        places = torch.arange(-max(before, 0), count + max(behind, 0))
        self = self.index_select(dim, places % count + first)
    return self


def vander_of(x: Tensor, N: Optional[int]):
    count = x.size(-1) if N is None else N
    return torch.stack([x.pow(power) for power in range(count)], -1)
'''
