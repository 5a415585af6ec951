"""Transformers: an encoder of tokens, one of patches of an image, and one of shifted windows."""
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, steps, width = x.shape
        qkv = self.qkv(x).reshape(batch, steps, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).reshape(batch, steps, width))


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.body = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.body(self.norm2(x))


class Encoder(nn.Module):
    """Six layers over tokens."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(8000, 512)
        self.places = nn.Parameter(torch.randn(128, 512))
        self.blocks = nn.Sequential(*[Block(512, 8) for _ in range(6)])
        self.norm = nn.LayerNorm(512)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.places[: tokens.size(1)]
        return self.norm(self.blocks(x))


class LayersOfTorch(nn.Module):
    """The same by the layers that PyTorch has."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(8000, 512)
        layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 6)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.layers(self.tokens(tokens))


class VisionTransformer(nn.Module):
    """Patches of 16x16, twelve layers of width 768."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 768, 16, 16)
        self.first = nn.Parameter(torch.zeros(1, 1, 768))
        self.places = nn.Parameter(torch.randn(1, 197, 768) * 0.02)
        self.blocks = nn.Sequential(*[Block(768, 12) for _ in range(12)])
        self.norm = nn.LayerNorm(768)
        self.head = nn.Linear(768, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.size(0), -1, -1), x], 1) + self.places
        return self.head(self.norm(self.blocks(x))[:, 0])


class WindowBlock(nn.Module):
    """Attention within windows of 7x7, which are shifted in every second block."""

    def __init__(self, width: int, heads: int, shift: int):
        super().__init__()
        self.shift, self.heads = shift, heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.bias = nn.Parameter(torch.randn(heads, 49, 49) * 0.02)
        self.norm2 = nn.LayerNorm(width)
        self.body = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attend(self, x: Tensor) -> Tensor:
        count, places, width = x.shape
        qkv = self.qkv(x).reshape(count, places, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = (q * (width // self.heads) ** -0.5) @ k.transpose(-2, -1) + self.bias
        y = torch.softmax(scores, -1) @ v
        return self.out(y.transpose(1, 2).reshape(count, places, width))

    def forward(self, x: Tensor) -> Tensor:
        batch, high, wide, width = x.shape
        y = self.norm1(x)
        if self.shift > 0:
            y = torch.roll(y, [-self.shift, -self.shift], [1, 2])
        y = y.view(batch, high // 7, 7, wide // 7, 7, width).permute(0, 1, 3, 2, 4, 5).reshape(-1, 49, width)
        y = self.attend(y).view(batch, high // 7, wide // 7, 7, 7, width)
        y = y.permute(0, 1, 3, 2, 4, 5).reshape(batch, high, wide, width)
        if self.shift > 0:
            y = torch.roll(y, [self.shift, self.shift], [1, 2])
        x = x + y
        return x + self.body(self.norm2(x))


class Merge(nn.Module):
    """Four neighbours become one."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(4 * width)
        self.reduce = nn.Linear(4 * width, 2 * width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        parts = [x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]]
        return self.reduce(self.norm(torch.cat(parts, -1)))


class WindowTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 96, 4, 4)
        parts = []
        for stage, depth in enumerate([2, 2, 6, 2]):
            width, heads = 96 << stage, 3 << stage
            if stage:
                parts.append(Merge(width // 2))
            parts += [WindowBlock(width, heads, 3 * (place % 2)) for place in range(depth)]
        self.body = nn.Sequential(*parts)
        self.norm = nn.LayerNorm(768)
        self.head = nn.Linear(768, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.body(self.patches(x).permute(0, 2, 3, 1))
        return self.head(self.norm(x).mean([1, 2]))
