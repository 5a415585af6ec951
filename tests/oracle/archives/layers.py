"""Convolutional, recurrent and attention networks in the shapes in which people save them."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = None

    def forward(self, x: Tensor) -> Tensor:
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.layers = nn.Sequential(Residual(4), Residual(4))
        self.average = nn.AdaptiveAvgPool2d((1, 1))
        self.head = nn.Linear(4, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = self.layers(self.pool(F.relu(self.stem(x))))
        return self.head(torch.flatten(self.average(x), 1))


class Vgg(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(4, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )  # fmt: skip
        self.classifier = nn.Sequential(
            nn.Flatten(), nn.Linear(24, 8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 3)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(self.features(x))


class InvertedResidual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = nn.Sequential(
            nn.Conv2d(3, 6, 1), nn.BatchNorm2d(6), nn.ReLU6(),
            nn.Conv2d(6, 6, 3, padding=1, groups=6), nn.BatchNorm2d(6), nn.Hardswish(),
            nn.Conv2d(6, 3, 1),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return x + self.block(x)


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv2d(1, 4, 3, padding=1)
        self.middle = nn.Conv2d(4, 4, 3, padding=1)
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        skip = F.leaky_relu(self.down(x), 0.1)
        x = self.up(self.middle(F.max_pool2d(skip, 2)))
        return torch.sigmoid(self.out(torch.cat([x, skip], dim=1)))


class DenseNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(2 + 2 * i, 2, 3, padding=1) for i in range(3)])
        self.norm = nn.GroupNorm(2, 8)

    def forward(self, x: Tensor) -> Tensor:
        features = [x]
        for layer in self.layers:
            features.append(F.elu(layer(torch.cat(features, 1))))
        return self.norm(torch.cat(features, 1))


class Upsampler(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Upsample(scale_factor=2.0, mode="bilinear", align_corners=False)
        self.pad = nn.ReflectionPad2d(1)

    def forward(self, x: Tensor) -> Tensor:
        return F.interpolate(self.pad(self.up(x)), size=[5, 7], mode="nearest")


class LanguageModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(11, 6)
        self.lstm = nn.LSTM(6, 5, num_layers=2, batch_first=True)
        self.out = nn.Linear(5, 11)

    def forward(
        self, tokens: Tensor, state: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        x, state = self.lstm(self.embedding(tokens), state)
        return F.log_softmax(self.out(x), dim=-1), state


class GruTagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gru = nn.GRU(4, 3, bidirectional=True)
        self.out = nn.Linear(6, 2)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.gru(x)
        return self.out(y)


class CellLoop(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)

    def forward(self, x: Tensor) -> list[Tensor]:
        h = torch.zeros(x.size(1), 4)
        c = torch.zeros(x.size(1), 4)
        outputs: list[Tensor] = []
        for i in range(x.size(0)):
            h, c = self.cell(x[i], (h, c))
            outputs.append(h)
        return outputs


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(16, 16)).bool(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        size = width // self.heads
        q = q.view(batch, length, self.heads, size).transpose(1, 2)
        k = k.view(batch, length, self.heads, size).transpose(1, 2)
        v = v.view(batch, length, self.heads, size).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(size)
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        y = torch.softmax(scores, dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(8), nn.LayerNorm(8)
        self.attention = Attention(8, 2)
        self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Gpt(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(13, 8)
        self.positions = nn.Parameter(torch.randn(16, 8))
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(8, 13, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.positions[: tokens.size(1)]
        for block in self.blocks:
            x = block(x)
        return self.head(x)

    @torch.jit.export
    def generate(self, tokens: Tensor, count: int) -> Tensor:
        for _ in range(count):
            best = self.forward(tokens)[:, -1].argmax(dim=-1, keepdim=True)
            tokens = torch.cat([tokens, best], dim=1)
        return tokens


class SpeechFront(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("window", torch.hann_window(8))

    def forward(self, x: Tensor) -> Tensor:
        spectrum = torch.stft(x, 8, 4, window=self.window, return_complex=True)
        return torch.log(spectrum.abs() + 1e-3)


class Recommender(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(9, 4, mode="mean")
        self.out = nn.Bilinear(4, 4, 1)

    def forward(self, items: Tensor, offsets: Tensor) -> Tensor:
        x = self.bag(items, offsets)
        return self.out(x, x)


class Detector(nn.Module):
    def forward(self, boxes: Tensor, scores: Tensor, limit: float = 0.5) -> Tensor:
        kept: list[int] = []
        order = torch.argsort(scores, descending=True)
        for position in range(order.size(0)):
            i = int(order[position])
            is_kept = True
            for j in kept:
                low = torch.maximum(boxes[i, :2], boxes[j, :2])
                high = torch.minimum(boxes[i, 2:], boxes[j, 2:])
                inner = (high - low).clamp(min=0).prod()
                areas = (boxes[i, 2:] - boxes[i, :2]).prod() + (boxes[j, 2:] - boxes[j, :2]).prod()
                if bool(inner / (areas - inner) > limit):
                    is_kept = False
                    break
            if is_kept:
                kept.append(i)
        return torch.tensor(kept)
