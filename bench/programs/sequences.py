"""Networks of sequences, sounds and games: recurrent, of dilated windows, streaming, and policies."""
from typing import Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LanguageModel(nn.Module):
    """Two recurrent layers over words."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(10000, 256)
        self.lstm = nn.LSTM(256, 512, 2, batch_first=True)
        self.head = nn.Linear(512, 10000)

    def forward(self, tokens: Tensor) -> Tensor:
        y, _ = self.lstm(self.words(tokens))
        return F.log_softmax(self.head(y), -1)


class Bytes(nn.Module):
    """One recurrent layer over the bytes of a line, and a class for it."""

    def __init__(self):
        super().__init__()
        self.bytes = nn.Embedding(256, 64)
        self.lstm = nn.LSTM(64, 128, batch_first=True)
        self.head = nn.Linear(128, 20)

    def forward(self, line: Tensor) -> Tensor:
        y, (h, _) = self.lstm(self.bytes(line))
        return self.head(h[-1])


class Gated(nn.Module):
    """Two recurrent layers of the other kind, in both directions."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(40, 128, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(256, 30)

    def forward(self, x: Tensor) -> Tensor:
        return F.log_softmax(self.head(self.gru(x)[0]), -1)


class WaveLayer(nn.Module):
    def __init__(self, width: int, dilation: int):
        super().__init__()
        self.margin = dilation
        self.gates = nn.Conv1d(width, 2 * width, 2, dilation=dilation)
        self.out = nn.Conv1d(width, 2 * width, 1)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        a, b = self.gates(F.pad(x, [self.margin, 0])).chunk(2, 1)
        y, skip = self.out(torch.tanh(a) * torch.sigmoid(b)).chunk(2, 1)
        return x + y, skip


class WaveNet(nn.Module):
    """Ten layers of dilated windows over 8000 samples."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(1, 32, 1)
        self.layers = nn.ModuleList([WaveLayer(32, 1 << place) for place in range(10)])
        self.last = nn.Sequential(nn.ReLU(), nn.Conv1d(32, 64, 1), nn.ReLU(), nn.Conv1d(64, 64, 1))

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        total = torch.zeros_like(x)
        for layer in self.layers:
            x, skip = layer(x)
            total = total + skip
        return self.last(total)


class Streaming(nn.Module):
    """Says of 512 samples how likely they are speech: a transform, convolutions, a cell."""

    def __init__(self):
        super().__init__()
        self.transform = nn.Conv1d(1, 258, 256, 64, bias=False)
        widths = [129, 128, 64, 64, 128]
        pairs = list(zip(widths, widths[1:], [1, 2, 2, 1]))
        self.layers = nn.Sequential(
            *[nn.Sequential(nn.Conv1d(a, b, 3, stride, 1), nn.ReLU()) for a, b, stride in pairs]
        )
        self.cell = nn.LSTMCell(128, 128)
        self.head = nn.Conv1d(128, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.transform(F.pad(x.unsqueeze(1), [64, 64], "reflect"))
        y = torch.sqrt(y[:, :129] ** 2 + y[:, 129:] ** 2)
        y = self.layers(y)[:, :, -1]
        state = (torch.zeros_like(y), torch.zeros_like(y))
        h, c = self.cell(y, state)
        return torch.sigmoid(self.head(F.relu(h).unsqueeze(-1))).mean(2)


class Policy(nn.Module):
    """What to do, and how well things are, from a few numbers."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(24, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.mean = nn.Linear(64, 6)
        self.value = nn.Linear(64, 1)
        self.log_deviation = nn.Parameter(torch.zeros(6))

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x)
        mean = self.mean(y).clamp(-1.0, 1.0)
        deviation = torch.exp(self.log_deviation).expand_as(mean)
        return torch.cat([mean, deviation, self.value(y)], -1)


class GameAgent(nn.Module):
    """What to play, from four frames of 84x84."""

    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(
            nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(), nn.Conv2d(64, 64, 3), nn.ReLU()
        )
        self.hidden = nn.Linear(3136, 512)
        self.advantage = nn.Linear(512, 6)
        self.value = nn.Linear(512, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.hidden(self.eyes(x / 255.0).flatten(1)))
        advantage = self.advantage(y)
        return self.value(y) + advantage - advantage.mean(1, keepdim=True)
