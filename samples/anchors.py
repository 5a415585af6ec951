"""Anchor boxes for a feature pyramid: base shapes, shifted over the cells of every level."""
from typing import List, Tuple

import torch
from torch import Tensor


def base_anchors(scales: List[int], ratios: List[float]) -> Tensor:
    """Boxes [scales * ratios, 4] around the origin; a ratio is height over width."""
    scale = torch.tensor(scales, dtype=torch.float32)
    height_ratios = torch.sqrt(torch.tensor(ratios))
    width_ratios = 1 / height_ratios
    widths = (width_ratios[:, None] * scale[None, :]).view(-1)
    heights = (height_ratios[:, None] * scale[None, :]).view(-1)
    return (torch.stack([-widths, -heights, widths, heights], dim=1) / 2).round()


def grid_anchors(grids: List[Tuple[int, int]], strides: List[Tuple[int, int]], bases: List[Tensor]) -> List[Tensor]:
    if not (len(grids) == len(strides) == len(bases)):
        raise ValueError("a level needs a grid, a stride and base anchors")
    anchors: List[Tensor] = []
    for (height, width), (step_y, step_x), base in zip(grids, strides, bases):
        shifts_x = torch.arange(0, width, dtype=torch.int32) * step_x
        shifts_y = torch.arange(0, height, dtype=torch.int32) * step_y
        y, x = torch.meshgrid(shifts_y, shifts_x, indexing="ij")
        shifts = torch.stack((x.reshape(-1), y.reshape(-1), x.reshape(-1), y.reshape(-1)), dim=1)
        anchors.append((shifts.view(-1, 1, 4) + base.view(1, -1, 4)).reshape(-1, 4))
    return anchors


def inside(anchors: Tensor, size: Tuple[int, int], margin: float = 0.0) -> Tensor:
    height, width = size
    return (
        (anchors[:, 0] >= -margin)
        & (anchors[:, 1] >= -margin)
        & (anchors[:, 2] < width + margin)
        & (anchors[:, 3] < height + margin)
    )


def first_inside(anchors: Tensor, size: Tuple[int, int], count: int) -> Tensor:
    kept = inside(anchors, size)
    return anchors[kept][:count]


def pyramid(size: Tuple[int, int], sizes: List[List[int]], ratios: List[float]) -> List[Tensor]:
    grids: List[Tuple[int, int]] = []
    strides: List[Tuple[int, int]] = []
    for level in range(len(sizes)):
        stride = 2 ** (level + 3)
        grids.append((int((size[0] + stride - 1) // stride), int((size[1] + stride - 1) // stride)))
        strides.append((int(stride), int(stride)))
    return grid_anchors(grids, strides, [base_anchors(scales, ratios) for scales in sizes])


def main() -> Tuple[List[int], List[Tensor]]:
    size = (48, 64)
    levels = pyramid(size, [[16], [32], [64]], [0.5, 1.0, 2.0])
    counts = [level.size(0) for level in levels]
    return counts, [first_inside(level, size, 5) for level in levels]
