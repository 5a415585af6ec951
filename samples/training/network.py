"""A small convolutional network that reads digits of 8 by 8: ordinary source, for tsc and for PyTorch."""

import torch
import torch.nn as nn
from torch import Tensor


class Network(nn.Module):
    def __init__(self, width: int = 16, dropout: float = 0.1):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.GELU(),
            nn.AvgPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.GELU(),
            nn.AvgPool2d(2),
        )
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(2 * width * 2 * 2, 10)

    def forward(self, images: Tensor) -> Tensor:
        """Scores of the ten digits, for images with one channel."""
        return self.classifier(self.dropout(self.features(images).flatten(1)))

    @torch.jit.export
    def read(self, images: Tensor) -> Tensor:
        """The digits that images show."""
        return self.forward(images).argmax(dim=1)
