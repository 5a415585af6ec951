"""Modules of PyTorch to script, with the inputs of ``forward``. Imported only where PyTorch is."""

# ruff: noqa: UP006, UP035, UP045  both spellings of types are to be understood
import math
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)) + self.drop(x))


class Classifier(nn.Module):
    scale: torch.jit.Final[int]

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3) for _ in range(2)])
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 5))
        self.scale = 2
        self.names = ["a", "b"]
        self.register_buffer("count", torch.zeros(1))
        self.optional: Optional[Tensor] = None
        self.activation = F.relu

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        self.count += 1
        return self.activation(self.head(x)) * self.scale

    @torch.jit.export
    def named(self, n: int) -> int:
        return n + len(self.names)


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 8)
        self.rnn = nn.LSTM(8, 6, 2, batch_first=True)
        self.out = nn.Linear(6, 10)

    def forward(self, x, state: Optional[Tuple[Tensor, Tensor]] = None):
        y, after = self.rnn(self.embedding(x), state)
        return self.out(y), after


class Attention(nn.Module):
    __constants__ = ["heads"]

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)).bool(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.project(x).view(batch, length, 3, self.heads, -1).unbind(2)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(width / self.heads)
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        mixed = torch.einsum("bhqk,bkhd->bqhd", F.softmax(scores, dim=-1), v)
        return self.out(mixed.reshape(batch, length, width))


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleDict({"small": nn.Linear(4, 2), "large": nn.Linear(4, 2)})
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(2)) for _ in range(2)])
        self.extra = nn.Identity()

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        found: Dict[str, Tensor] = {}
        for (name, expert), weight in zip(self.experts.items(), self.weights):
            found[name] = expert(x) * weight
        return found


class State(NamedTuple):
    hidden: Tensor
    steps: int = 0


class Recurrence(nn.Module):
    limits: Dict[str, int]

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.limits = {"steps": 3}

    @property
    def most(self) -> int:
        return self.limits["steps"]

    @staticmethod
    def stepped(state: State, hidden: Tensor) -> State:
        return State(hidden, state.steps + 1)

    def start(self, x: Tensor) -> State:
        return State(torch.zeros(x.size(0), 4))

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        state = self.start(x)
        while state.steps < self.most:
            state = self.stepped(state, self.cell(x, state.hidden))
        return state.hidden, state.steps


class Unused(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.register_parameter("bias", None)

    @torch.jit.unused
    def slow(self, x: Tensor) -> Tensor:
        return eval("x")

    def forward(self, x: Tensor, checked: bool = False) -> Tensor:
        if checked:
            return self.slow(x)
        if self.bias is not None:
            x = x + self.bias
        return x * self.weight


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.boxes = nn.Linear(4, 4)
        self.sizes: List[int] = [1, 2]

    def forward(self, x: List[Tensor]) -> List[Tensor]:
        return [self.boxes(each) for each in x]


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.linear.register_forward_hook(Hooked.doubled)

    def doubled(self, inputs: Tuple[Tensor], result: Tensor):
        return result * 2

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)


def modules() -> dict:
    """Fresh modules by name, and the arguments of ``forward``."""
    torch.manual_seed(0)
    image = torch.randn(1, 3, 4, 4)
    return {
        "block": (Block(3), (image,)),
        "classifier": (Classifier(), (image,)),
        "language": (Language(), (torch.randint(0, 10, (2, 3)),)),
        "attention": (Attention(8, 2), (torch.randn(2, 5, 8),)),
        "experts": (Experts(), (torch.randn(2, 4),)),
        "recurrence": (Recurrence(), (torch.randn(2, 3),)),
        "unused": (Unused(), (torch.randn(2),)),
        "detector": (Detector(), ([torch.randn(1, 4), torch.randn(3, 4)],)),
        "hooked": (Hooked(), (torch.randn(2, 3),)),
        "linear": (nn.Linear(3, 4), (torch.randn(2, 3),)),
        "layer norm": (nn.LayerNorm(3), (torch.randn(2, 3),)),
        "group norm": (nn.GroupNorm(2, 4), (torch.randn(2, 4, 3),)),
        "instance norm": (nn.InstanceNorm2d(3, affine=True), (image,)),
        "transposed convolution": (nn.ConvTranspose2d(3, 2, 3), (image,)),
        "same padding": (nn.Conv1d(2, 3, 3, padding="same"), (torch.randn(1, 2, 5),)),
        "circular padding": (nn.Conv2d(3, 2, 3, padding=1, padding_mode="circular"), (image,)),
        "upsample": (nn.Upsample(scale_factor=2.0, mode="bilinear"), (image,)),
        "pooling": (nn.Sequential(nn.MaxPool2d(2), nn.AvgPool2d(2)), (image,)),
        "embedding bag": (nn.EmbeddingBag(5, 3), (torch.randint(0, 5, (2, 3)),)),
        "activations": (nn.Sequential(nn.GELU(), nn.PReLU(), nn.Softmax(dim=1)), (image,)),
        "lstm cell": (nn.LSTMCell(3, 4), (torch.randn(2, 3),)),
        "transformer layer": (
            nn.TransformerEncoderLayer(8, 2, 16, batch_first=True),
            (torch.randn(2, 3, 8),),
        ),
        "loss": (nn.CrossEntropyLoss(), (torch.randn(2, 3), torch.tensor([0, 2]))),
    }
