"""ROI align: pool regions of a feature map by bilinear interpolation at regular points, without a custom kernel."""
from typing import List, Tuple

import torch
from torch import Tensor


def corners(position: Tensor, size: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """The two neighbours of each position on an axis, and their weights."""
    position = position.clamp(min=0)
    low = position.to(torch.int64)
    at_end = low >= size - 1
    low = torch.where(at_end, size - 1, low)
    high = torch.where(at_end, size - 1, low + 1)
    position = torch.where(at_end, low.to(position.dtype), position)
    fraction = position - low
    return low, high, 1.0 - fraction, fraction


def bilinear(features: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """Values [C, P, Q] of features [C, H, W] at rows y [P] and columns x [Q]; zero outside."""
    height, width = features.size(1), features.size(2)
    row, next_row, row_weight, next_row_weight = corners(y, height)
    column, next_column, column_weight, next_column_weight = corners(x, width)

    upper = features[:, row]
    lower = features[:, next_row]
    top = upper[:, :, column] * column_weight + upper[:, :, next_column] * next_column_weight
    bottom = lower[:, :, column] * column_weight + lower[:, :, next_column] * next_column_weight
    values = top * row_weight[:, None] + bottom * next_row_weight[:, None]
    seen = ((y >= -1.0) & (y <= height))[:, None] & ((x >= -1.0) & (x <= width))
    return torch.where(seen, values, torch.zeros_like(values))


def points(start: float, extent: float, bins: int, samples: int) -> Tensor:
    """Where `bins` bins of an axis are sampled: `samples` points in each."""
    step = extent / bins
    bin_starts = start + torch.arange(bins, dtype=torch.float32) * step
    offsets = (torch.arange(samples, dtype=torch.float32) + 0.5) * (step / samples)
    return (bin_starts[:, None] + offsets[None, :]).reshape(-1)


def roi_align(
    features: Tensor,
    boxes: Tensor,
    output_size: Tuple[int, int],
    spatial_scale: float = 1.0,
    sampling_ratio: int = 2,
    aligned: bool = False,
) -> Tensor:
    """Features [N, C, H, W] and boxes [K, 5] (image, x1, y1, x2, y2) give [K, C, *output_size]."""
    rows, columns = output_size
    offset = 0.5 if aligned else 0.0
    pooled: List[Tensor] = []
    for k in range(boxes.size(0)):
        image = int(boxes[k, 0])
        x1, y1, x2, y2 = (boxes[k, 1:] * spatial_scale - offset).unbind()
        width, height = float(x2 - x1), float(y2 - y1)
        if not aligned:
            width, height = max(width, 1.0), max(height, 1.0)
        y = points(float(y1), height, rows, sampling_ratio)
        x = points(float(x1), width, columns, sampling_ratio)
        sampled = bilinear(features[image], y, x)
        cells = sampled.reshape(-1, rows, sampling_ratio, columns, sampling_ratio)
        pooled.append(cells.mean(dim=[2, 4]))
    return torch.stack(pooled)


def main() -> Tuple[Tensor, Tensor]:
    features = torch.arange(2 * 2 * 8 * 8, dtype=torch.float32).view(2, 2, 8, 8).sin()
    boxes = torch.tensor([[0.0, 2.0, 2.0, 10.0, 12.0], [1.0, 0.0, 0.0, 15.9, 15.9], [1.0, 14.0, 9.0, 30.0, 31.0]])
    plain = roi_align(features, boxes, (2, 3), spatial_scale=0.5)
    shifted = roi_align(features, boxes, (2, 2), spatial_scale=0.5, sampling_ratio=3, aligned=True)
    return plain, shifted
