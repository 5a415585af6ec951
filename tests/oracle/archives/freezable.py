"""Modules that are hard to freeze: with state, shared tensors, lists of modules, results that several use."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class Chain(nn.Module):
    """Convolutions, batch norms, sums and products in a row."""

    def __init__(self) -> None:
        super().__init__()
        layers = [
            nn.Sequential(nn.Conv1d(3, 3, 3, padding=1), nn.BatchNorm1d(3), nn.ReLU())
            for _ in range(3)
        ]
        self.layers = nn.ModuleList(layers)
        self.last = nn.Conv1d(3, 3, 1, bias=False)
        self.shift = nn.Parameter(torch.rand(1, 3, 1))
        self.register_buffer("mean", torch.rand(1, 3, 1))
        self.register_buffer("steps", torch.rand(3, 7))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        x = (self.last(x) + self.shift) * 2 - self.mean
        return (self.last(x) / self.shift) + self.steps


class Counter(nn.Module):
    """Attributes that are set, written to, and seen under two names."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("sum", torch.zeros(1))
        self.count = 0
        self.linear = nn.Linear(3, 3)
        self.names = ["a", "bb"]
        self.table = {"k": torch.ones(3)}
        self.items = [1]
        self.again = self.sum

    def forward(self, x: Tensor) -> Tensor:
        self.sum += 1
        self.count += 2
        self.items.append(self.count)
        numbers = self.count + len(self.names) + len(self.items)
        return self.linear(x) + self.sum + self.table["k"] + self.again + numbers

    @torch.jit.export
    def other(self, x: Tensor) -> Tensor:
        return self.linear(x) * self.sum


class Nested(nn.Module):
    """Two of the same class, one of which is asked to stay."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Counter(), Counter()
        self.layers = nn.Sequential(
            nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.AlphaDropout(), nn.Tanh()
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(self.first(x)) + self.second(x).sum()


class Seen(nn.Module):
    """What layers give is used by more than the batch norm behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.linear, self.other_norm = nn.Linear(4, 4), nn.BatchNorm1d(4)
        self.back, self.back_norm = nn.ConvTranspose2d(3, 4, 3), nn.BatchNorm2d(4)

    def forward(self, x: Tensor, y: Tensor) -> list[Tensor]:
        seen, linear = self.conv(x), self.linear(y)
        normed = [self.norm(seen), seen, self.other_norm(linear), linear]
        normed += [self.conv(x) + 1, self.back_norm(self.back(x))]
        return normed


class Attention(nn.Module):
    """Three linear layers of one input, one of them viewed in another shape."""

    def __init__(self) -> None:
        super().__init__()
        self.queries, self.keys, self.values = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
        self.places = nn.Embedding(5, 8)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.places(torch.arange(5))
        queries = self.queries(x).view(2, 5, 2, 4).transpose(1, 2)
        keys = self.keys(x).reshape(2, 5, 2, 4).transpose(1, 2)
        values = self.values(x).reshape(2, 5, 2, 4).transpose(1, 2)
        weights = functional.softmax(queries @ keys.transpose(-1, -2) / 2.0, dim=-1)
        return functional.dropout(weights @ values, 0.1, self.training)
