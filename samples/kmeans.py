"""k-means clustering until the assignment no longer changes."""
from typing import Tuple

import torch
from torch import Tensor


def assign(points: Tensor, centers: Tensor) -> Tensor:
    distances = ((points.unsqueeze(1) - centers.unsqueeze(0)) ** 2).sum(2)
    return distances.argmin(1)


def update(points: Tensor, labels: Tensor, centers: Tensor) -> Tensor:
    means: list[Tensor] = []
    for k in range(centers.size(0)):
        members = points[labels == k]
        if members.size(0) == 0:
            means.append(centers[k])
        else:
            means.append(members.mean(0))
    return torch.stack(means)


def kmeans(points: Tensor, k: int, max_steps: int) -> Tuple[Tensor, Tensor, int]:
    centers = points[:k].clone()
    labels = assign(points, centers)
    steps = 0
    while steps < max_steps:
        steps += 1
        centers = update(points, labels, centers)
        moved = assign(points, centers)
        if torch.equal(moved, labels):
            break
        labels = moved
    return centers, labels, steps


def main():
    torch.manual_seed(1)
    blobs = [torch.randn([6, 2]) * 0.3 + float(3 * i) for i in range(3)]
    return kmeans(torch.cat(blobs), 3, 20)
