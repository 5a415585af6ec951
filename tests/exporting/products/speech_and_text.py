# ruff: noqa: UP006, UP035, SIM401, RUF005  PyTorch compiles this, and has these spellings
"""Speech, text and sequences: detectors with state, tokenizers, searches, recurrent layers, encoders."""

import math
from typing import Dict, List, NamedTuple, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.exporting.products.case import Case, random


class VoiceDetector(nn.Module):
    """Says for each frame whether somebody speaks; it keeps its state and how long it has been silent."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 6)
        self.head = nn.Linear(6, 1)
        self.register_buffer("hidden", torch.zeros(1, 6))
        self.silent = 0
        self.is_speaking = False

    def forward(self, frame: Tensor) -> Tuple[Tensor, int]:
        self.hidden = self.cell(frame, self.hidden)
        chance = torch.sigmoid(self.head(self.hidden))
        if bool(chance > 0.5):
            self.is_speaking = True
            self.silent = 0
        else:
            self.silent += 1
            if self.silent > 2:
                self.is_speaking = False
        return chance * float(self.is_speaking), self.silent

    @torch.jit.export
    def reset(self) -> Tensor:
        self.hidden.zero_()
        self.silent = 0
        return self.hidden


class Smoother(nn.Module):
    """An exponential mean whose first value is taken as it is."""

    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(3)
        self.has_mean = False
        self.rate: float = 0.25

    def forward(self, x: Tensor) -> Tensor:
        if self.has_mean:
            self.mean = self.mean * (1 - self.rate) + x * self.rate
        else:
            self.mean = x.clone()
            self.has_mean = True
        return self.mean + 0


class DelayLine(nn.Module):
    """Gives what it got some calls ago."""

    def __init__(self):
        super().__init__()
        self.register_buffer("line", torch.zeros(4, 2))
        self.place = 0

    def forward(self, x: Tensor) -> Tensor:
        found = self.line[self.place].clone()
        self.line[self.place] = x
        self.place = (self.place + 1) % 4
        return found


class StatefulLstm(nn.Module):
    """Keeps its state as a tuple, and forgets it when it is told so."""

    state: Tuple[Tensor, Tensor]

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 5, num_layers=2)
        self.state = (torch.zeros(2, 1, 5), torch.zeros(2, 1, 5))

    def forward(self, x: Tensor, keep: bool = True) -> Tensor:
        out, state = self.lstm(x, self.state)
        if keep:
            self.state = state
        return out


class Tokenizer(nn.Module):
    """Words to numbers, which are looked up and padded."""

    def __init__(self):
        super().__init__()
        self.numbers: Dict[str, int] = {"<unk>": 0, "a": 1, "cat": 2, "sat": 3}
        self.embed = nn.Embedding(5, 4)

    def encode(self, text: str) -> List[int]:
        found: List[int] = []
        for word in text.lower().split(" "):
            found.append(self.numbers[word] if word in self.numbers else 0)
        return found

    def forward(self, texts: List[str], scale: Tensor) -> Tensor:
        rows = [self.encode(each) for each in texts]
        longest = max([len(each) for each in rows])
        padded = torch.full((len(rows), longest), 4)
        for i, row in enumerate(rows):
            for j, number in enumerate(row):
                padded[i, j] = number
        return self.embed(padded) * scale


class PackedTagger(nn.Module):
    """A recurrent layer over sequences of several lengths."""

    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 3, bidirectional=True, batch_first=True)
        self.head = nn.Linear(6, 2)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        packed = nn.utils.rnn.pack_padded_sequence(
            x, lengths, batch_first=True, enforce_sorted=False
        )
        out, _ = self.rnn(packed)
        padded, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
        return self.head(padded)


class GreedyDecoder(nn.Module):
    """Words until the last one comes, in room for all of them."""

    def __init__(self, stop: int = 0, most: int = 6):
        super().__init__()
        self.embed = nn.Embedding(7, 5)
        self.cell = nn.GRUCell(5, 5)
        self.head = nn.Linear(5, 7)
        self.stop = stop
        self.most = most

    def forward(self, state: Tensor) -> Tuple[Tensor, int]:
        words = torch.zeros(self.most, dtype=torch.long)
        word = torch.tensor([1])
        count = 0
        while count < self.most:
            state = self.cell(self.embed(word), state)
            word = self.head(state).argmax(1)
            words[count] = word[0]
            count += 1
            if int(word[0]) == self.stop:
                break
        return words[:count], count


class Hypothesis(NamedTuple):
    words: List[int]
    score: float
    state: Tensor


class BeamDecoder(nn.Module):
    """Several paths, the best of which are grown."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 4)
        self.cell = nn.LSTMCell(4, 4)
        self.head = nn.Linear(4, 6)

    def forward(self, state: Tensor, beams: int = 2) -> Tuple[List[int], float]:
        paths = [Hypothesis([1], 0.0, state)]
        for _ in range(3):
            grown: List[Hypothesis] = []
            for path in paths:
                h, c = self.cell(
                    self.embed(torch.tensor([path.words[-1]])), (path.state, path.state)
                )
                values, words = torch.log_softmax(self.head(h)[0], 0).topk(beams)
                for k in range(beams):
                    grown.append(
                        Hypothesis(
                            path.words + [int(words[k])], path.score + float(values[k]), h + c
                        )
                    )
            scores = torch.tensor([each.score for each in grown])
            best: List[int] = scores.topk(beams)[1].tolist()
            paths = [grown[i] for i in best]
        return paths[0].words, paths[0].score


class CtcLabels(nn.Module):
    """The labels of the best path without repeats and blanks, as a tensor of as many elements."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 5)

    def forward(self, x: Tensor) -> Tensor:
        best = self.head(x).argmax(-1)
        changes = torch.ones_like(best, dtype=torch.bool)
        changes[1:] = best[1:] != best[:-1]
        return best[changes & (best != 0)]


class Cache(nn.Module):
    """Attention of one step, with keys and values of earlier ones."""

    def __init__(self, width: int = 4, most: int = 8):
        super().__init__()
        self.project = nn.Linear(width, 3 * width)
        self.register_buffer("keys", torch.zeros(most, width))
        self.register_buffer("values", torch.zeros(most, width), persistent=False)
        self.length = 0

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.project(x).chunk(3)
        self.keys[self.length] = k
        self.values[self.length] = v
        self.length += 1
        weights = (self.keys @ q) / math.sqrt(4)
        weights = weights.masked_fill(torch.arange(8) >= self.length, -1e9)
        return torch.softmax(weights, 0) @ self.values


class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)
        self.first = nn.LayerNorm(width)
        self.second = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 2 * width)
        self.narrow = nn.Linear(2 * width, width)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        found, _ = self.attention(x, x, x, key_padding_mask=mask, need_weights=False)
        x = self.first(x + found)
        return self.second(x + self.narrow(F.gelu(self.wide(x))))


class TextEncoder(nn.Module):
    """Embeddings of words and places, blocks, and the mean of what is no padding; its two embeddings are tied."""

    def __init__(self, width: int = 8, words: int = 11):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(16, width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(2)])
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.words.weight
        self.register_buffer("ids", torch.arange(16).expand(1, -1), persistent=False)

    def forward(self, tokens: Tensor, mask: Tensor) -> Dict[str, Tensor]:
        x = self.words(tokens) + self.places(self.ids[:, : tokens.size(1)])
        for block in self.blocks:
            x = block(x, mask == 0)
        kept = mask.unsqueeze(-1).to(x.dtype)
        return {"pooled": (x * kept).sum(1) / kept.sum(1).clamp(min=1), "scores": self.head(x)}


class TracedEncoder(nn.Module):
    """The same as libraries write it: masks that are added, and sizes out of shapes."""

    def __init__(self, width: int = 8, heads: int = 2):
        super().__init__()
        self.heads, self.each = heads, width // heads
        self.words = nn.Embedding(13, width, padding_idx=0)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, self.each).permute(0, 2, 1, 3)

    def forward(self, tokens, mask):
        added = (1.0 - mask[:, None, None, :].to(torch.float32)) * torch.finfo(torch.float32).min
        x = self.norm(self.words(tokens))
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.each) + added, -1)
        found = (weights @ v).permute(0, 2, 1, 3).contiguous().view(x.shape)
        return found[:, 0], found


@torch.jit.script
def clipped_mean(x: Tensor, limit: float) -> Tensor:
    if bool(x.abs().max() > limit):
        return x.clamp(-limit, limit).mean(0)
    return x.mean(0)


class TracedWithControl(nn.Module):
    """A trace that calls a scripted function with a branch on data."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        return clipped_mean(self.lin(x), 0.5) + 1


class Languages(nn.Module):
    """An encoder and heads by name, one method for each of them."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.heads = nn.ModuleDict({"en": nn.Linear(4, 2), "de": nn.Linear(4, 3)})
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(4)), nn.Parameter(torch.zeros(4))])

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        found: Dict[str, Tensor] = {}
        for name, head in self.heads.items():
            found[name] = head(self.encode(x))
        return found

    @torch.jit.export
    def encode(self, x: Tensor) -> Tensor:
        for scale in self.scales:
            x = x + scale
        return torch.tanh(self.encoder(x))

    @torch.jit.export
    def count(self, x: Tensor, floor: float = 0.0) -> int:
        return int((self.encode(x) > floor).sum())


_mask = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]])
CASES = {
    "voice_detector": Case(
        VoiceDetector, {"forward": [(random(1, 4, seed=i),) for i in range(6)], "reset": [()]}
    ),
    "smoother": Case(Smoother, {"forward": [(random(3, seed=i),) for i in range(3)]}),
    "delay_line": Case(DelayLine, {"forward": [(random(2, seed=i),) for i in range(6)]}),
    "stateful_lstm": Case(
        StatefulLstm, {"forward": [(random(2, 1, 3, seed=i),) for i in range(3)]}
    ),
    "tokenizer": Case(Tokenizer, {"forward": [(["A cat sat", "the cat"], torch.tensor(2.0))]}),
    "packed_tagger": Case(PackedTagger, {"forward": [(random(2, 5, 4), torch.tensor([3, 5]))]}),
    "greedy_decoder": Case(GreedyDecoder, {"forward": [(random(1, 5, seed=i),) for i in range(4)]}),
    "beam_decoder": Case(BeamDecoder, {"forward": [(random(1, 4, seed=i),) for i in range(3)]}),
    "ctc_labels": Case(CtcLabels, {"forward": [(random(7, 4, seed=i),) for i in range(3)]}),
    "cache": Case(Cache, {"forward": [(random(4, seed=i),) for i in range(5)]}),
    "text_encoder": Case(
        TextEncoder,
        {
            "forward": [
                (torch.tensor([[1, 5, 2, 0], [3, 9, 0, 0]]), _mask),
                (torch.tensor([[10, 5, 2, 7], [3, 1, 8, 0]]), 1 - _mask.flip(1)),
            ]
        },
    ),
    "traced_encoder": Case(
        TracedEncoder,
        {
            "forward": [
                (torch.tensor([[1, 5, 2, 0], [3, 9, 0, 0]]), _mask),
                (torch.tensor([[12, 5, 2, 7], [3, 1, 8, 0]]), _mask),
            ]
        },
        is_traced=True,
    ),
    "traced_with_control": Case(
        TracedWithControl,
        {"forward": [(random(2, 3),), (random(2, 3) / 9,), (random(2, 3) * 9,)]},
        is_traced=True,
    ),
    "languages": Case(
        Languages,
        {
            each: [(random(2, 4, seed=i),) for i in range(2)]
            for each in ("forward", "encode", "count")
        },
    ),
}
