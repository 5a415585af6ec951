"""Gradients of pooling and of resampling."""

from typing import Final

FORMULAS: Final = """
max_pool1d
    = torch.max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
max_pool2d
    = torch.ops.aten.max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
max_pool3d
    = torch.ops.aten.max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
max_pool1d_with_indices adaptive_max_pool1d
    self: pooled_places(grad, result1, self.size(), 1)
max_pool2d_with_indices adaptive_max_pool2d fractional_max_pool2d
    self: pooled_places(grad, result1, self.size(), 2)
    result1: none
max_pool3d_with_indices adaptive_max_pool3d fractional_max_pool3d
    self: pooled_places(grad, result1, self.size(), 3)
max_unpool2d
    self: unpooled(grad, indices, self.size(), 2)
max_unpool3d
    self: unpooled(grad, indices, self.size(), 3)
avg_pool1d
    self: avg_pool_gradient(grad, self.size(), kernel_size, stride, padding, count_include_pad, None)
avg_pool2d avg_pool3d
    self: avg_pool_gradient(grad, self.size(), kernel_size, stride, padding, count_include_pad, divisor_override)
adaptive_avg_pool1d adaptive_avg_pool2d _adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool3d
    self: adaptive_gradient(grad, self.size(), len(output_size))
upsample_nearest1d
    self: nearest(grad, self.size(), [scales], False)
upsample_nearest2d
    self: nearest(grad, self.size(), [scales_h, scales_w], False)
upsample_nearest3d
    self: nearest(grad, self.size(), [scales_d, scales_h, scales_w], False)
_upsample_nearest_exact1d
    self: nearest(grad, self.size(), [scales], True)
_upsample_nearest_exact2d
    self: nearest(grad, self.size(), [scales_h, scales_w], True)
_upsample_nearest_exact3d
    self: nearest(grad, self.size(), [scales_d, scales_h, scales_w], True)
upsample_nearest1d.vec upsample_nearest2d.vec upsample_nearest3d.vec
    input: nearest(grad, input.size(), factors_of(scale_factors, input.dim() - 2), False)
_upsample_nearest_exact1d.vec _upsample_nearest_exact2d.vec _upsample_nearest_exact3d.vec
    input: nearest(grad, input.size(), factors_of(scale_factors, input.dim() - 2), True)
upsample_linear1d.vec upsample_bilinear2d.vec upsample_trilinear3d.vec
    input: resampled(grad, input.size(), align_corners, factors_of(scale_factors, input.dim() - 2))
upsample_bicubic2d.vec
    input: resampled_cubic(grad, input.size(), align_corners, factors_of(scale_factors, 2)[0], factors_of(scale_factors, 2)[1])
upsample_linear1d
    self: resampled(grad, self.size(), align_corners, [scales])
upsample_bilinear2d
    self: resampled(grad, self.size(), align_corners, [scales_h, scales_w])
upsample_trilinear3d
    self: resampled(grad, self.size(), align_corners, [scales_d, scales_h, scales_w])
upsample_bicubic2d
    self: resampled_cubic(grad, self.size(), align_corners, scales_h, scales_w)
"""

FUNCTIONS: Final = '''
def product(sizes: List[int]):
    count = 1
    for size in sizes:
        count *= size
    return count


def pooled_places(grad: Tensor, indices: Tensor, sizes: List[int], rank: int):
    lead = list(sizes)[:len(sizes) - rank]
    inner = list(sizes)[len(sizes) - rank:]
    count = product(list(grad.size())[grad.dim() - rank:])
    flat = grad.new_zeros(lead + [product(inner)])
    return flat.scatter_add(-1, indices.reshape(lead + [count]), grad.reshape(lead + [count])).reshape(sizes)


def unpooled(grad: Tensor, indices: Tensor, sizes: List[int], rank: int):
    lead = list(sizes)[:len(sizes) - rank]
    whole = grad.reshape(lead + [product(list(grad.size())[grad.dim() - rank:])])
    return whole.gather(-1, indices.reshape(lead + [product(list(sizes)[len(sizes) - rank:])])).reshape(sizes)


def spread_back(grad: Tensor, matrix: Tensor, dim: int):
    """Takes a dimension back through a matrix (before, after) that it was multiplied with."""
    return (grad.movedim(dim, -1) @ matrix.t().to(grad.dtype)).movedim(-1, dim)


def tiles(grad: Tensor, sizes: List[int], kernel_size: List[int], stride: List[int], padding: List[int]):
    """Whether windows lie side by side, all of them within the input, which they cover."""
    rank = len(kernel_size)
    for place in range(rank):
        dim = len(sizes) - rank + place
        kernel = kernel_size[place]
        step = kernel if len(stride) == 0 else (stride[place] if len(stride) > 1 else stride[0])
        pad = padding[place] if len(padding) > 1 else padding[0]
        if pad != 0 or step != kernel or grad.size(dim) * kernel != sizes[dim]:
            return False
    return True


def repeated(grad: Tensor, sizes: List[int], counts: List[int]):
    """Each element so often in each of the last dimensions, one after the other."""
    lead = len(sizes) - len(counts)
    narrow = list(grad.size())[:lead]
    wide = list(grad.size())[:lead]
    for place in range(len(counts)):
        narrow += [grad.size(lead + place), 1]
        wide += [grad.size(lead + place), counts[place]]
    return grad.reshape(narrow).expand(wide).reshape(sizes)


def avg_pool_gradient(
    grad: Tensor, sizes: List[int], kernel_size: List[int], stride: List[int], padding: List[int], count_include_pad: bool, divisor_override: Optional[int]
):
    rank = len(kernel_size)
    if len(sizes) > 0 and rank == 1 and len(kernel_size) == 1:
        rank = 1
    if tiles(grad, sizes, kernel_size, stride, padding):
        divisor = product(kernel_size) if divisor_override is None else divisor_override
        return repeated(grad / divisor, sizes, kernel_size)
    found = grad
    for place in range(rank):
        dim = len(sizes) - rank + place
        kernel = kernel_size[place]
        step = kernel if len(stride) == 0 else (stride[place] if len(stride) > 1 else stride[0])
        pad = padding[place] if len(padding) > 1 else padding[0]
        size = sizes[dim]
        starts = torch.arange(grad.size(dim)) * step - pad
        ends = (starts + kernel).clamp_max(size + pad)
        wide = (ends - starts).to(torch.float64)
        low = starts.clamp_min(0)
        high = ends.clamp_max(size)
        if not count_include_pad:
            wide = (high - low).to(torch.float64)
        cells = torch.arange(size).unsqueeze(1)
        matrix = ((cells >= low) & (cells < high)).to(torch.float64)
        if divisor_override is None:
            matrix = matrix / wide
        found = spread_back(found, matrix, dim)
    if divisor_override is not None:
        found = found / divisor_override
    return found


def adaptive_gradient(grad: Tensor, sizes: List[int], rank: int):
    if rank < len(sizes) - 2:
        rank = len(sizes) - 2
    found = grad
    for place in range(rank):
        dim = len(sizes) - rank + place
        size = sizes[dim]
        count = grad.size(dim)
        cells = torch.arange(count)
        low = torch.div(cells * size, count, rounding_mode="floor")
        high = torch.div((cells + 1) * size + count - 1, count, rounding_mode="floor")
        places = torch.arange(size).unsqueeze(1)
        matrix = ((places >= low) & (places < high)).to(torch.float64) / (high - low)
        found = spread_back(found, matrix, dim)
    return found


def nearest_places(numbers: Tensor, size: List[int], f: List[Optional[float]], exact: bool):
    """Where each element comes from: what resampling makes of the elements' numbers."""
    if len(size) == 1:
        if exact:
            return torch.ops.aten._upsample_nearest_exact1d(numbers, size, f[0])
        return torch.ops.aten.upsample_nearest1d(numbers, size, f[0])
    if len(size) == 2:
        if exact:
            return torch.ops.aten._upsample_nearest_exact2d(numbers, size, f[0], f[1])
        return torch.ops.aten.upsample_nearest2d(numbers, size, f[0], f[1])
    if exact:
        return torch.ops.aten._upsample_nearest_exact3d(numbers, size, f[0], f[1], f[2])
    return torch.ops.aten.upsample_nearest3d(numbers, size, f[0], f[1], f[2])


def nearest(grad: Tensor, sizes: List[int], factors: List[Optional[float]], exact: bool):
    return gathered(grad, nearest_places(numbered(sizes), list(grad.size())[2:], factors, exact), sizes)


def factors_of(scale_factors: Optional[List[float]], rank: int):
    found: List[Optional[float]] = []
    for place in range(rank):
        factor: Optional[float] = None
        if scale_factors is not None:
            factor = scale_factors[place]
        found.append(factor)
    return found


def resampled(grad: Tensor, sizes: List[int], align_corners: bool, scales: List[Optional[float]]):
    found = grad
    for place in range(len(scales)):
        dim = place + 2
        units = torch.eye(sizes[dim], dtype=grad.dtype).unsqueeze(0)
        matrix = torch.ops.aten.upsample_linear1d(units, [grad.size(dim)], align_corners, scales[place]).squeeze(0)
        found = spread_back(found, matrix, dim)
    return found


def resampled_cubic(grad: Tensor, sizes: List[int], align_corners: bool, first: Optional[float], second: Optional[float]):
    found = grad
    for place in range(2):
        dim = place + 2
        scale = first if place == 0 else second
        units = torch.eye(sizes[dim], dtype=grad.dtype).reshape(1, sizes[dim], sizes[dim], 1)
        matrix = torch.ops.aten.upsample_bicubic2d(units, [grad.size(dim), 1], align_corners, scale, None)
        found = spread_back(found, matrix.reshape(sizes[dim], grad.size(dim)), dim)
    return found
'''
