"""Training: a step of small networks beside PyTorch, and the memory after ten and a thousand steps."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

from bench.timing import seconds_in_turn

NETWORKS = """
import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 10))

    def forward(self, images):
        return self.layers(images.flatten(1))


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.GELU(), nn.AvgPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.GELU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(128, 10),
        )

    def forward(self, images):
        return self.layers(images)
"""
BATCH = 50


def main(_: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(1)
    tsc.set_num_threads(1)
    classes: dict[str, Any] = {}
    exec(NETWORKS, classes)
    unit = tsc.CompilationUnit(NETWORKS)
    for name in ("Dense", "Convolutional"):
        ours, theirs = (
            training_step(tsc, getattr(unit, name)()),
            training_step(torch, classes[name]()),
        )
        mine, right = seconds_in_turn(ours, theirs, runs=25)
        print(
            f"{name:14s} a step of {BATCH} images of 8x8: {mine * 1e3:.2f} ms, in PyTorch {right * 1e3:.2f} ms, "
            f"{right / mine:.2f}x; peak memory after 10 and 1,000 steps: {' and '.join(peaks(ours))} MB",
            flush=True,
        )


def training_step(library: Any, network: Any) -> Callable[[], None]:
    optimizer = library.optim.Adam(network.parameters())
    images, labels = library.rand(BATCH, 1, 8, 8), library.randint(0, 10, (BATCH,))

    def step() -> None:
        loss = library.nn.functional.cross_entropy(network(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def peaks(step: Callable[[], None]) -> list[str]:
    """The most memory that the process had, after ten and after a thousand steps."""
    told: list[str] = []
    for steps in (10, 990):
        for _ in range(steps):
            step()
        told.append(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.1f}")
    return told
