"""Non-maximum suppression in plain tensor code."""
import torch
from torch import Tensor


def box_area(boxes: Tensor) -> Tensor:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(boxes1: Tensor, boxes2: Tensor) -> Tensor:
    left_top = torch.max(boxes1[:, None, :2], boxes2[:, :2])
    right_bottom = torch.min(boxes1[:, None, 2:], boxes2[:, 2:])
    size = (right_bottom - left_top).clamp(min=0)
    intersection = size[:, :, 0] * size[:, :, 1]
    union = box_area(boxes1)[:, None] + box_area(boxes2) - intersection
    return intersection / union


def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    order = scores.argsort(descending=True)
    keep: list[Tensor] = []
    while order.numel() > 0:
        first = order[0]
        keep.append(first)
        rest = order[1:]
        overlap = box_iou(boxes[first].unsqueeze(0), boxes[rest])[0]
        order = rest[overlap <= threshold]
    return torch.stack(keep)


def main() -> Tensor:
    boxes = torch.tensor(
        [[0.0, 0.0, 10.0, 10.0], [1.0, 1.0, 11.0, 11.0], [20.0, 20.0, 30.0, 30.0], [0.0, 0.0, 9.0, 9.5]]
    )
    return nms(boxes, torch.tensor([0.9, 0.8, 0.7, 0.95]), 0.5)
