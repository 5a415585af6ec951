"""Gradients of sampling at places that a grid says, and of resampling with a filter against aliasing."""

from typing import Final

FORMULAS: Final = """
grid_sampler
    = sampled_at(input, grid, interpolation_mode, padding_mode, align_corners)
grid_sampler_2d
    = sampled_at(input, grid, interpolation_mode, padding_mode, align_corners)
grid_sampler_3d
    = sampled_at(input, grid, interpolation_mode, padding_mode, align_corners)
_upsample_bilinear2d_aa
    self: filtered(grad, torch.ops.aten._upsample_bilinear2d_aa(columns(self, 2), [output_size[0], 1], align_corners, scales_h, None), torch.ops.aten._upsample_bilinear2d_aa(columns(self, 3), [output_size[1], 1], align_corners, scales_w, None))
_upsample_bicubic2d_aa
    self: filtered(grad, torch.ops.aten._upsample_bicubic2d_aa(columns(self, 2), [output_size[0], 1], align_corners, scales_h, None), torch.ops.aten._upsample_bicubic2d_aa(columns(self, 3), [output_size[1], 1], align_corners, scales_w, None))
_upsample_bilinear2d_aa.vec
    input: filtered(grad, torch.ops.aten._upsample_bilinear2d_aa(columns(input, 2), [grad.size(2), 1], align_corners, factor_of(scale_factors, 0), None), torch.ops.aten._upsample_bilinear2d_aa(columns(input, 3), [grad.size(3), 1], align_corners, factor_of(scale_factors, 1), None))
_upsample_bicubic2d_aa.vec
    input: filtered(grad, torch.ops.aten._upsample_bicubic2d_aa(columns(input, 2), [grad.size(2), 1], align_corners, factor_of(scale_factors, 0), None), torch.ops.aten._upsample_bicubic2d_aa(columns(input, 3), [grad.size(3), 1], align_corners, factor_of(scale_factors, 1), None))
"""

FUNCTIONS: Final = '''
def factor_of(factors: Optional[List[float]], place: int):
    found: Optional[float] = None
    if factors is not None:
        found = factors[place]
    return found


def columns(input: Tensor, dim: int):
    """Images of one column, each with a one at one place: what resampling makes of them are the weights."""
    size = input.size(dim)
    return torch.eye(size, dtype=input.dtype).reshape(1, size, size, 1)


def filtered(grad: Tensor, rows: Tensor, across: Tensor):
    """Both directions back: the weights are (1, before, after, 1)."""
    return rows[0, :, :, 0] @ grad @ across[0, :, :, 0].t()


def reflected(places: Tensor, twice_low: int, twice_high: int):
    """Places as if there were mirrors, whose positions are given twice."""
    if twice_low == twice_high:
        return places * 0
    low, span = twice_low / 2, (twice_high - twice_low) / 2
    apart = (places - low).abs()
    turns = (apart.detach() / span).floor()
    beyond = apart - turns * span
    return torch.where(turns % 2 == 0, beyond + low, span - beyond + low)


def brought_inside(places: Tensor, size: int, padding_mode: int, align_corners: bool):
    if padding_mode == 2:
        places = reflected(places, 0, 2 * (size - 1)) if align_corners else reflected(places, -1, 2 * size - 1)
    if padding_mode > 0:
        outside = (places <= 0) | (places >= size - 1)
        return torch.where(outside, places.detach().clamp(0, size - 1), places)
    return places


def place_in(grid: Tensor, size: int, align_corners: bool):
    return (grid + 1) / 2 * (size - 1) if align_corners else ((grid + 1) * size - 1) / 2


def values_at(flat: Tensor, places: List[Tensor], sizes: List[int]):
    """The elements of (batch, channels, all) at whole places, zeros where these lie outside."""
    inside = torch.ones_like(places[0], dtype=torch.bool)
    index = torch.zeros_like(places[0], dtype=torch.int64)
    for place, size in zip(places, sizes):
        inside = inside & (place >= 0) & (place <= size - 1)
        index = index * size + place.clamp(0, size - 1).to(torch.int64)
    index = torch.where(inside, index, 0).unsqueeze(1).expand(-1, flat.size(1), -1)
    return flat.gather(2, index) * inside.unsqueeze(1)


def cubic_weights(t: Tensor):
    a = -0.75
    near, far, other, last = t, t + 1, 1 - t, 2 - t
    return [
        ((a * far - 5 * a) * far + 8 * a) * far - 4 * a,
        ((a + 2) * near - (a + 3)) * near * near + 1,
        ((a + 2) * other - (a + 3)) * other * other + 1,
        ((a * last - 5 * a) * last + 8 * a) * last - 4 * a,
    ]


def sampled_cubic(flat: Tensor, xs: Tensor, ys: Tensor, sizes: List[int], padding_mode: int, align_corners: bool):
    left, top = xs.detach().floor(), ys.detach().floor()
    across, down = cubic_weights(xs - left), cubic_weights(ys - top)
    found = torch.zeros([], dtype=flat.dtype)
    for row in range(4):
        for column in range(4):
            y = brought_inside(top + (row - 1), sizes[0], padding_mode, align_corners)
            x = brought_inside(left + (column - 1), sizes[1], padding_mode, align_corners)
            found = found + values_at(flat, [y.round(), x.round()], sizes) * (down[row] * across[column]).unsqueeze(1)
    return found


def sampled_linear(flat: Tensor, places: List[Tensor], sizes: List[int]):
    """The corners around each place, weighted by how near they are."""
    rank = len(sizes)
    found = torch.zeros([], dtype=flat.dtype)
    for corner in range(1 << rank):
        weight = torch.ones_like(places[0])
        whole: List[Tensor] = []
        for dim in range(rank):
            low = places[dim].detach().floor()
            upper = (corner >> dim) % 2 == 1
            weight = weight * (places[dim] - low if upper else low + 1 - places[dim])
            whole.append(low + 1 if upper else low)
        found = found + values_at(flat, whole, sizes) * weight.unsqueeze(1)
    return found


def sampled_at(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool):
    sizes = list(input.size())[2:]
    rank = len(sizes)
    if grid.dim() != rank + 2 or grid.size(-1) != rank or grid.size(0) != input.size(0) or (interpolation_mode == 2 and rank != 2):
        return torch.grid_sampler(input.detach(), grid.detach(), interpolation_mode, padding_mode, align_corners)
    flat = input.flatten(2)
    points = grid.reshape(grid.size(0), -1, rank)
    places = [place_in(points[..., rank - 1 - dim], sizes[dim], align_corners) for dim in range(rank)]
    if interpolation_mode == 2:
        found = sampled_cubic(flat, places[1], places[0], sizes, padding_mode, align_corners)
    else:
        places = [brought_inside(places[dim], sizes[dim], padding_mode, align_corners) for dim in range(rank)]
        if interpolation_mode == 1:
            found = values_at(flat, [place.detach().round() for place in places], sizes) + points.sum() * 0
        else:
            found = sampled_linear(flat, places, sizes)
    return found.reshape(list(input.size())[:2] + list(grid.size())[1:-1])
'''
