"""A module: its constructor is evaluated, its methods are compiled.

    tsc run samples/modules/classifier.py Classifier --init "4, hidden=8" --args "torch.ones(1, 4)" --seed 0
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class Residual(nn.Module):
    """A layer and a shortcut around it."""

    def __init__(self, width: int, dropout: float = 0.0):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.layer = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.dropout(F.gelu(self.layer(self.norm(x))))


class Classifier(nn.Module):
    """Probabilities of classes, for rows of numbers."""

    def __init__(self, inputs: int, hidden: int = 16, classes: int = 3, depth: int = 2):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.blocks = nn.ModuleList([Residual(hidden) for _ in range(depth)])
        self.last = nn.Linear(hidden, classes)
        self.temperature = math.sqrt(hidden)
        self.calls = 0
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return F.softmax(self.last(x) / self.temperature, dim=-1)

    @torch.jit.export
    def best(self, x: Tensor) -> int:
        """The class of the first row."""
        return int(self.forward(x)[0].argmax())
