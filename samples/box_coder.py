"""The second half of a box detector: decode regressions, clip, filter by score and size, NMS per class."""
import math
from typing import Dict, List, NamedTuple, Tuple

import torch
from torch import Tensor


class Detections(NamedTuple):
    boxes: Tensor
    scores: Tensor
    labels: Tensor


def to_centers(boxes: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    widths = boxes[..., 2] - boxes[..., 0]
    heights = boxes[..., 3] - boxes[..., 1]
    return boxes[..., 0] + 0.5 * widths, boxes[..., 1] + 0.5 * heights, widths, heights


def encode(reference: Tensor, proposals: Tensor, weights: List[float]) -> Tensor:
    """Regression targets that turn proposals [N, 4] into reference boxes [N, 4]."""
    wx, wy, ww, wh = weights[0], weights[1], weights[2], weights[3]
    px, py, pw, ph = to_centers(proposals)
    rx, ry, rw, rh = to_centers(reference)
    dx = wx * (rx - px) / pw
    dy = wy * (ry - py) / ph
    return torch.stack([dx, dy, ww * torch.log(rw / pw), wh * torch.log(rh / ph)], dim=1)


def decode(codes: Tensor, boxes: Tensor, weights: List[float], clip: float = math.log(1000.0 / 16)) -> Tensor:
    """Boxes [N, C, 4] from codes [N, 4 * C], relative to boxes [N, 4]."""
    cx, cy, width, height = to_centers(boxes)
    dx = codes[:, 0::4] / weights[0]
    dy = codes[:, 1::4] / weights[1]
    dw = torch.clamp(codes[:, 2::4] / weights[2], max=clip)
    dh = torch.clamp(codes[:, 3::4] / weights[3], max=clip)
    x = dx * width[:, None] + cx[:, None]
    y = dy * height[:, None] + cy[:, None]
    half_width = 0.5 * torch.exp(dw) * width[:, None]
    half_height = 0.5 * torch.exp(dh) * height[:, None]
    return torch.stack([x - half_width, y - half_height, x + half_width, y + half_height], dim=2)


def clip_to_image(boxes: Tensor, size: Tuple[int, int]) -> Tensor:
    height, width = size
    x = boxes[..., 0::2].clamp(min=0, max=width)
    y = boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack((x, y), dim=boxes.dim()).reshape(boxes.shape)


def large_enough(boxes: Tensor, least: float) -> Tensor:
    keep = (boxes[:, 2] - boxes[:, 0] >= least) & (boxes[:, 3] - boxes[:, 1] >= least)
    return torch.where(keep)[0]


def iou_with_first(boxes: Tensor) -> Tensor:
    """Overlap of the first box with all the others."""
    first, rest = boxes[0], boxes[1:]
    corner = torch.max(first[:2], rest[:, :2])
    opposite = torch.min(first[2:], rest[:, 2:])
    shared = (opposite - corner).clamp(min=0).prod(dim=1)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(dim=1)
    return shared / (areas[0] + areas[1:] - shared)


def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    order = torch.argsort(scores, descending=True)
    keep: List[int] = []
    while order.numel() > 0:
        keep.append(int(order[0]))
        overlap = iou_with_first(boxes[order])
        order = order[1:][overlap <= threshold]
    return torch.tensor(keep, dtype=torch.int64)


def batched_nms(boxes: Tensor, scores: Tensor, labels: Tensor, threshold: float) -> Tensor:
    """Boxes of different labels never overlap once each label has its own place."""
    if boxes.numel() == 0:
        return torch.empty((0,), dtype=torch.int64)
    offsets = labels.to(boxes) * (boxes.max() + 1)
    return nms(boxes + offsets[:, None], scores, threshold)


def detect(
    logits: Tensor,
    codes: Tensor,
    proposals: Tensor,
    size: Tuple[int, int],
    score_threshold: float = 0.05,
    nms_threshold: float = 0.5,
    limit: int = 10,
) -> Detections:
    weights = [10.0, 10.0, 5.0, 5.0]
    scores = torch.softmax(logits, -1)
    boxes = clip_to_image(decode(codes, proposals, weights), size)
    classes = scores.shape[-1]
    labels = torch.arange(classes).view(1, -1).expand_as(scores)
    boxes, scores, labels = boxes[:, 1:].reshape(-1, 4), scores[:, 1:].reshape(-1), labels[:, 1:].reshape(-1)
    kept = torch.where(scores > score_threshold)[0]
    boxes, scores, labels = boxes[kept], scores[kept], labels[kept]
    kept = large_enough(boxes, 1e-2)
    boxes, scores, labels = boxes[kept], scores[kept], labels[kept]
    kept = batched_nms(boxes, scores, labels, nms_threshold)[:limit]
    return Detections(boxes[kept], scores[kept], labels[kept])


def main() -> Tuple[bool, Dict[str, Tensor]]:
    torch.manual_seed(7)
    corners = torch.rand(12, 2) * 60
    proposals = torch.cat([corners, corners + 8 + torch.rand(12, 2) * 30], dim=1)
    weights = [10.0, 10.0, 5.0, 5.0]
    moved = proposals + torch.tensor([1.0, -2.0, 3.0, 4.0])
    there_and_back = decode(encode(moved, proposals, weights), proposals, weights)[:, 0]
    found = detect(torch.randn(12, 4) * 2, torch.randn(12, 16), proposals, (90, 100))
    result = {"boxes": found.boxes, "scores": found.scores, "labels": found.labels}
    return torch.allclose(there_and_back, moved, atol=1e-3), result
