# ruff: noqa: RUF005, UP006, UP035, UP045  PyTorch compiles this, and has these spellings
"""Modules in the shapes of released speech and text products: what tracers and streaming code leave in archives."""

from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn


class TracedNumbers(nn.Module):
    """A tracer makes constant tensors of numbers; what is computed from sizes is of the default dtype."""

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        frames = x.size(-1)
        steps = torch.arange(4) * (1.0 / frames)
        share = x.sum().to(torch.int16) * 0.5 - 2
        ones = torch.tensor([[1.5, -2.0], [0.25, 1e-6]]) + torch.tensor([3, 40])
        return steps, share, x.sum().half() / 3, ones


class OtherFirstParameter(nn.Module):
    def __init__(this):
        super().__init__()
        this.scale = 2.0

    def forward(this, x: Tensor) -> Tensor:
        return this.scaled(x, -1) + x[:, -2:].sum(-1, keepdim=True)

    def scaled(me, x: Tensor, by: int) -> Tensor:
        return x * (me.scale * by)


class PaddedEncoder(nn.Module):
    """The fast path of an encoder layer takes a mask of floats, of which PyTorch makes one of bools."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 12, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, x: Tensor, tokens: Tensor) -> Tensor:
        with torch.no_grad():
            return self.encoder(x, src_key_padding_mask=tokens == 0)


class SpeechDetector(nn.Module):
    """A streaming detector: it keeps what it heard, starts anew at another rate, and has a network for each rate."""

    heard: Tensor
    memory: Tensor

    def __init__(self):
        super().__init__()
        self.rates: List[int] = [8, 16]
        self.slow = nn.Conv1d(1, 4, 2, stride=2)
        self.fast = nn.Conv1d(1, 4, 4, stride=4)
        self.cell = nn.LSTMCell(4, 4)
        self.score = nn.Linear(4, 1)
        self.rate = 0
        self.heard = torch.zeros(0)
        self.memory = torch.zeros(0)

    @torch.jit.export
    def restart(self, batch: int = 1):
        self.heard = torch.zeros(batch, 4)
        self.memory = torch.zeros(0)
        self.rate = 0

    @torch.jit.export
    def checked(self, x: Tensor, rate: int) -> Tuple[Tensor, int]:
        if x.dim() == 1:
            x = x.unsqueeze(0)
        if rate > 16 and rate % 16 == 0:
            x = x[:, :: rate // 16]
            rate = 16
        if rate not in self.rates:
            raise ValueError(f"no network for the rate {rate}, only for {self.rates}")
        return x, rate

    def forward(self, x: Tensor, rate: int) -> Tensor:
        x, rate = self.checked(x, rate)
        if rate != self.rate or self.heard.size(0) != x.size(0):
            self.restart(x.size(0))
        joined = torch.cat([self.heard, x], 1).unsqueeze(1)
        if rate == 16:
            features = self.fast(joined)
        else:
            features = self.slow(joined)
        mean = torch.relu(features).mean(-1)
        if len(self.memory):
            h, c = self.cell(mean, (self.memory[0], self.memory[1]))
        else:
            h, c = self.cell(mean)
        self.memory = torch.stack([h, c])
        self.heard = x[..., -4:]
        self.rate = rate
        return torch.sigmoid(self.score(h)).squeeze(-1)


class PairTokenizer(nn.Module):
    """Joins the pairs of letters that come first in a table."""

    def __init__(self):
        super().__init__()
        self.ranks: Dict[str, int] = {"l o": 0, "lo w": 1, "e r": 2, "low er": 3}
        self.numbers: Dict[str, int] = {"?": 0, "lo": 1, "low": 2, "er": 3, "lower": 4, "n": 5}

    def joined(self, word: str) -> List[str]:
        parts = list(word)
        while len(parts) > 1:
            best = len(self.ranks)
            place = -1
            for i in range(len(parts) - 1):
                rank = self.ranks.get(parts[i] + " " + parts[i + 1], best)
                if rank < best:
                    best, place = rank, i
            if place < 0:
                break
            parts = parts[:place] + [parts[place] + parts[place + 1]] + parts[place + 2 :]
        return parts

    def forward(
        self, texts: List[str], length: int, fill: Optional[int] = None
    ) -> Tuple[Tensor, Dict[str, int]]:
        rows: List[Tensor] = []
        counts: Dict[str, int] = {}
        for text in texts:
            row: List[int] = []
            for word in text.lower().strip().split():
                for part in self.joined(word):
                    counts[part] = counts.get(part, 0) + 1
                    row.append(self.numbers.get(part, self.numbers["?"]))
            while len(row) < length:
                row.append(0 if fill is None else fill)
            rows.append(torch.tensor(row[:length]))
        return torch.stack(rows), counts


class Guess(NamedTuple):
    tokens: List[int]
    score: float
    state: Tensor


class BeamSearch(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 6)
        self.cell = nn.GRUCell(6, 6)
        self.head = nn.Linear(6, 9)

    def forward(self, state: Tensor, width: int = 2, steps: int = 4) -> Tuple[List[int], float]:
        guesses = [Guess([0], 0.0, state)]
        for _ in range(steps):
            longer: List[Guess] = []
            for guess in guesses:
                after = self.cell(self.embed(torch.tensor([guess.tokens[-1]])), guess.state)
                values, tokens = torch.log_softmax(self.head(after)[0], 0).topk(width)
                for j in range(width):
                    more = guess.tokens + [int(tokens[j])]
                    longer.append(Guess(more, guess.score + float(values[j]), after))
            order: List[int] = (
                torch.tensor([each.score for each in longer]).argsort(descending=True).tolist()
            )
            guesses = [longer[i] for i in order[:width]]
        return guesses[0].tokens, guesses[0].score


class Interactions(nn.Module):
    """Products of all pairs of embeddings, as recommenders take them."""

    def __init__(self):
        super().__init__()
        self.bags = nn.ModuleList(
            [nn.EmbeddingBag(n, 4, mode=m) for n, m in ((7, "sum"), (9, "mean"))]
        )
        self.dense = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.top = nn.Linear(7, 1)

    def forward(self, x: Tensor, ids: List[Tensor], starts: List[Tensor]) -> Tensor:
        vectors = [self.dense(x)]
        for i, bag in enumerate(self.bags):
            vectors.append(bag(ids[i], starts[i]))
        all = torch.stack(vectors, 1)
        products = torch.bmm(all, all.transpose(1, 2))
        pairs = torch.tril_indices(3, 3, -1)
        return torch.sigmoid(self.top(torch.cat([vectors[0], products[:, pairs[0], pairs[1]]], 1)))


class ViewedAttention(nn.Module):
    """Traced, it views what only lies together as PyTorch lays it out."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(8, 24)

    def forward(self, x: Tensor, keep: Tensor) -> Tensor:
        heads = self.project(x).view(x.size(0), -1, 2, 12).permute(0, 2, 1, 3)
        q, k, v = heads.chunk(3, dim=-1)
        mask = (1.0 - keep[:, None, None, :].expand(-1, 1, x.size(1), -1).to(x.dtype)) * -1e4
        angles = (torch.arange(x.size(1))[None, :, None] * torch.ones(1, 1, 4)).expand(
            x.size(0), -1, -1
        )
        turned = torch.einsum("bhqd,bqd->bhqd", q, angles.cos())
        mixed = nn.functional.scaled_dot_product_attention(turned, k, v, mask)
        return mixed.transpose(1, 2).view(x.size(0), -1, 8).masked_fill_(keep[..., None] == 0, 0.0)
