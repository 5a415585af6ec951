"""Texts, speech and taste: an encoder with a mask, a decoder with what it has seen, a conformer, two towers."""
from typing import List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MaskedAttention(nn.Module):
    """Attention of several heads as products and a softmax, with a mask that is added."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.dense = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / self.size**0.5 + mask
        weights = self.dropout(torch.softmax(scores, dim=-1))
        y = torch.matmul(weights, v).permute(0, 2, 1, 3).contiguous().flatten(2)
        return self.norm(self.dropout(self.dense(y)) + x)


class MaskedBlock(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.attention = MaskedAttention(width, heads)
        self.wide, self.dense = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.1)
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.attention(x, mask)
        return self.norm(self.dropout(self.dense(F.gelu(self.wide(x)))) + x)


class MaskedEncoder(nn.Module):
    """Four layers over words, places and kinds; the word 0 is padding, which nothing looks at."""

    def __init__(self):
        super().__init__()
        self.words, self.places, self.kinds = nn.Embedding(8000, 384), nn.Embedding(256, 384), nn.Embedding(2, 384)
        self.norm = nn.LayerNorm(384, eps=1e-12)
        self.layers = nn.ModuleList([MaskedBlock(384, 6) for _ in range(4)])
        self.pool = nn.Linear(384, 384)

    def forward(self, tokens: Tensor) -> Tensor:
        seen = tokens.ne(0)
        mask = (1.0 - seen[:, None, None, :].to(torch.float32)) * -10000.0
        places = torch.arange(tokens.size(1), device=tokens.device).unsqueeze(0)
        x = self.norm(self.words(tokens) + self.places(places) + self.kinds(torch.zeros_like(tokens)))
        for layer in self.layers:
            x = layer(x, mask)
        return torch.tanh(self.pool(x[:, 0]))


class CausalBlock(nn.Module):
    """Looks at what came before, whose keys and values are given and grow."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor, past: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        batch, steps, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).split(width, dim=2)
        q = q.view(batch, steps, self.heads, -1).transpose(1, 2)
        k = torch.cat([past[0], k.view(batch, steps, self.heads, -1).transpose(1, 2)], 2)
        v = torch.cat([past[1], v.view(batch, steps, self.heads, -1).transpose(1, 2)], 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=steps > 1)
        x = x + self.out(y.transpose(1, 2).reshape(batch, steps, width))
        y = F.gelu(self.wide(self.norm2(x)), approximate="tanh")
        return x + self.narrow(y), (k, v)


class Decoder(nn.Module):
    """Reads a prompt and then says 16 words, one after the other."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(4000, 256), nn.Embedding(512, 256)
        self.blocks = nn.ModuleList([CausalBlock(256, 8) for _ in range(4)])
        self.norm = nn.LayerNorm(256)

    def step(self, tokens: Tensor, past: List[Tuple[Tensor, Tensor]]) -> Tuple[Tensor, List[Tuple[Tensor, Tensor]]]:
        before = past[0][0].size(2)
        places = torch.arange(before, before + tokens.size(1), dtype=torch.long)
        x = self.words(tokens) + self.places(places)
        present: List[Tuple[Tensor, Tensor]] = []
        for place, block in enumerate(self.blocks):
            x, kept = block(x, past[place])
            present.append(kept)
        return F.linear(self.norm(x[:, -1]), self.words.weight), present

    def forward(self, tokens: Tensor) -> Tensor:
        nothing = torch.zeros(tokens.size(0), 8, 0, 32)
        past = [(nothing, nothing) for _ in range(4)]
        logits, past = self.step(tokens, past)
        for _ in range(16):
            word = logits.argmax(-1, keepdim=True)
            logits, past = self.step(word, past)
        return logits


class Half(nn.Module):
    """Two dense layers, which count half."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return 0.5 * self.narrow(F.silu(self.wide(self.norm(x))))


class ConformerBlock(nn.Module):
    """Dense layers, attention, a depthwise convolution, dense layers."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.first, self.last = Half(width), Half(width)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.gates = nn.Conv1d(width, 2 * width, 1)
        self.depthwise = nn.Conv1d(width, width, 31, padding=15, groups=width)
        self.batch_norm = nn.BatchNorm1d(width)
        self.out = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.first(x)
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        y = F.glu(self.gates(self.norm2(x).transpose(1, 2)), 1)
        y = self.out(F.silu(self.batch_norm(self.depthwise(y)))).transpose(1, 2)
        x = x + y
        return self.norm3(x + self.last(x))


class Conformer(nn.Module):
    """Frames of 80 bands, of which every fourth is kept, and two blocks."""

    def __init__(self):
        super().__init__()
        self.reduce = nn.Sequential(nn.Conv1d(80, 256, 3, 2, 1), nn.ReLU(), nn.Conv1d(256, 256, 3, 2, 1), nn.ReLU())
        self.blocks = nn.Sequential(ConformerBlock(256, 4), ConformerBlock(256, 4))
        self.head = nn.Linear(256, 32)

    def forward(self, x: Tensor) -> Tensor:
        x = self.blocks(self.reduce(x.transpose(1, 2)).transpose(1, 2))
        return F.log_softmax(self.head(x), dim=-1)


class Tower(nn.Module):
    """What many things have in common, as a vector of length 1."""

    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(5000, 64, mode="mean")
        self.one = nn.Embedding(1000, 32)
        self.body = nn.Sequential(nn.Linear(96, 128), nn.ReLU(), nn.Dropout(0.2), nn.Linear(128, 64))

    def forward(self, many: Tensor, one: Tensor) -> Tensor:
        return F.normalize(self.body(torch.cat([self.bag(many), self.one(one)], 1)), dim=1)


class TwoTowers(nn.Module):
    """How well a user and a thing fit."""

    def __init__(self):
        super().__init__()
        self.user, self.thing = Tower(), Tower()
        self.heat = nn.Parameter(torch.tensor(10.0))

    def forward(self, x: Tensor) -> Tensor:
        user = self.user(x[:, :20], x[:, 20])
        thing = self.thing(x[:, 21:31], x[:, 31])
        return torch.sigmoid((user * thing).sum(1) * self.heat)
