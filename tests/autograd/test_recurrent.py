"""Recurrent layers are trained as PyTorch's are: results and all gradients, beside PyTorch itself."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tsc

pytestmark = pytest.mark.oracle

LAYERS = """
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, bidirectional: bool, batch_first: bool, dropout: float, bias: bool):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, 2, bias, batch_first, dropout, bidirectional, 2)
        width = 4 if bidirectional else 2
        self.gru = nn.GRU(width, 4, 2, bias, batch_first, dropout, bidirectional)
        width = 8 if bidirectional else 4
        self.plain = nn.RNN(width, 4, 2, "relu", bias, batch_first, dropout, bidirectional)

    def forward(self, x):
        x, (h, c) = self.lstm(x)
        x, k = self.gru(x)
        x, last = self.plain(x)
        return (x * x).sum() + (h * h).sum() + (c * c * c).sum() + (k * last).sum()


class Packed(nn.Module):
    def __init__(self, bidirectional: bool):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, 2, bidirectional=bidirectional)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        found, (h, c) = self.lstm(packed)
        padded, _ = nn.utils.rnn.pad_packed_sequence(found)
        return (padded * padded).sum() + (h * c).sum()
"""
UNIT = tsc.CompilationUnit(LAYERS)


def told(library: Any, network: Any, *others: Any) -> list[np.ndarray]:
    """The loss, and the gradients of the input and of all parameters."""
    x = library.from_numpy(np.cos(np.arange(45)).reshape(5, 3, 3).astype(np.float32))
    x.requires_grad = True
    library.manual_seed(3)
    loss = network.train()(x, *others)
    loss.backward()
    return [
        each.detach().numpy() for each in (loss, x.grad, *(p.grad for p in network.parameters()))
    ]


def assert_same(mine: list[np.ndarray], right: list[np.ndarray]) -> None:
    for a, b in zip(mine, right, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def theirs(name: str) -> Any:
    classes: dict[str, Any] = {}
    exec(LAYERS, classes)
    return classes[name]


@pytest.mark.parametrize(
    "options", list(itertools.product((False, True), (False, True), (0.0, 0.3), (False, True)))
)
def test_layers(options: tuple[Any, ...]) -> None:
    import torch

    torch.manual_seed(0)
    right = told(torch, theirs("Layers")(*options))
    tsc.manual_seed(0)
    assert_same(told(tsc, UNIT.Layers(*options)), right)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_packed_sequences(bidirectional: bool) -> None:
    import torch

    torch.manual_seed(0)
    right = told(torch, theirs("Packed")(bidirectional), torch.tensor([3, 5, 2]))
    tsc.manual_seed(0)
    assert_same(told(tsc, UNIT.Packed(bidirectional), tsc.tensor([3, 5, 2])), right)
