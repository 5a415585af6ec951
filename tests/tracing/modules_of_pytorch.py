"""Modules and functions of PyTorch to trace. Imported only where PyTorch is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import tsc
from tests.oracle.archives import layers


@dataclass(frozen=True)
class Traced:
    """What is traced, its example inputs, and inputs of other sizes to call it with."""

    make: Callable[[], Any]
    inputs: tuple[Any, ...]
    others: tuple[tuple[Any, ...], ...] = ()


CASES: dict[str, Traced] = {}


def _r(*sizes: int) -> Tensor:
    return torch.rand(*sizes, generator=torch.Generator().manual_seed(sum(sizes)))


def _case(name: str, make: Callable[[], Any], *inputs: Any, others: Any = ()) -> None:
    CASES[name] = Traced(make, inputs, others)


# -- Modules -------------------------------------------------------------------------------------


class Shared(nn.Module):
    """A parameter, a buffer, and a layer that is called twice, once from outside of its parent."""

    def __init__(self) -> None:
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.BatchNorm1d(4))
        self.weight = nn.Parameter(_r(4))
        self.register_buffer("bias", _r(4))
        self.factor = 3

    def forward(self, x):
        return self.seq(x) * self.weight + self.bias * self.factor, self.seq[0](x)


class Shapes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 6)

    def forward(self, x):
        batch, length, _ = x.shape
        y = self.lin(x).view(batch, length, 2, 3).transpose(1, 2)
        zeros = torch.zeros(batch, 2, 1, 3)
        places = torch.arange(length)
        return torch.cat([zeros, y], 2) + 1, places * x.sum(-1)


class InPlace(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(2, 2, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        y = self.relu(self.conv(x))
        y[:, 0] = 0
        y += x
        self.count += 1
        y[:, 1, 0] = self.count
        return y


class LstmLoop(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        h = torch.zeros(x.size(1), 4)
        c = torch.zeros(x.size(1), 4)
        outputs = []
        for step in x:
            h, c = self.cell(step, (h, c))
            outputs.append(self.out(h))
        return torch.stack(outputs), (h, c)


class Nested(nn.Module):
    """Tuples go in and out of submodules; values of one are used in another."""

    class Pair(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)

        def forward(self, pair):
            x, y = pair
            return self.a(x), self.b(y) + x

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = self.Pair(), self.Pair()

    def forward(self, x, d):
        p, q = self.first((x, d["k"]))
        r, s = self.second((q, p))
        return {"r": r + x, "s": (s * d["k"])}


class UsesParameterOfOther(nn.Module):
    """The decoder uses the encoder's weight: it is handed in."""

    class Tied(nn.Module):
        def __init__(self, owner: nn.Linear) -> None:
            super().__init__()
            self.find = lambda: owner.weight

        def forward(self, x):
            return F.linear(x, self.find().t())

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(3, 5)
        self.decoder = self.Tied(self.encoder)

    def forward(self, x):
        return self.decoder(torch.relu(self.encoder(x)))


class Scripted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x, times: int = 2):
        if bool(x.sum() > 1):
            return self.lin(x) * times
        return x


class HasScripted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = torch.jit.script(Scripted())
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        y, z = scripted_by_pytorch(self.lin(x), 3)
        return self.part(y, 3) + z


@torch.jit.script
def scripted_by_pytorch(x: Tensor, n: int):
    for _ in range(n):
        x = x + 1
    return x, x * n


class Hooks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.lin.register_forward_hook(lambda _m, _i, out: out * 2)
        self.lin.register_forward_pre_hook(lambda _m, args: (args[0] + 1,))

    def forward(self, x):
        return self.lin(x)


class SeveralMethods(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = nn.Linear(3, 5), nn.Linear(5, 3)

    def encode(self, x):
        return torch.tanh(self.encoder(x))

    def decode(self, z):
        return self.decoder(z)

    def forward(self, x):
        return self.decode(self.encode(x))


def _convolutions() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 4, 3, padding="same"),
        nn.BatchNorm2d(4),
        nn.ConvTranspose2d(4, 3, 2),
        nn.MaxPool2d(2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    ).eval()


def _norms() -> nn.Module:
    return nn.Sequential(
        nn.GroupNorm(1, 3),
        nn.InstanceNorm2d(3),
        nn.BatchNorm2d(3),
        nn.LocalResponseNorm(2),
        nn.Upsample(scale_factor=2),
    ).eval()


def _activations() -> nn.Module:
    kinds = [nn.ELU(), nn.PReLU(), nn.Hardswish(), nn.SiLU(), nn.Softplus(), nn.GLU(1), nn.Mish()]
    return nn.Sequential(*kinds, nn.LeakyReLU(), nn.LogSoftmax(1))


def _transformer_layer() -> nn.Module:
    return nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()


_image = _r(1, 3, 16, 16)
_tokens = torch.tensor([[1, 5, 2, 7], [3, 3, 0, 10]])
_case("shared layers", lambda: Shared().eval(), _r(2, 3), others=((_r(5, 3),),))
_case("shared layers in training", Shared, _r(2, 3))
_case("shapes", Shapes, _r(2, 3, 4), others=((_r(5, 7, 4),),))
_case("in place", InPlace, _r(1, 2, 5), others=((_r(1, 2, 7),),))
_case("lstm loop", LstmLoop, _r(4, 2, 3))
_case("nested", Nested, _r(2, 3), {"k": _r(2, 3)})
_case("parameter of another module", UsesParameterOfOther, _r(2, 3), others=((_r(4, 3),),))
_case("scripted parts", HasScripted, _r(2, 3), others=((-_r(4, 3),),))
_case("hooks", Hooks, _r(2, 3))
_case("resnet", lambda: layers.ResNet().eval(), _image, others=((_r(2, 3, 32, 32),),))
_case("vgg", lambda: layers.Vgg().eval(), _r(2, 3, 8, 8))
_case("mobilenet", lambda: layers.InvertedResidual().eval(), _r(1, 3, 6, 6))
_case("unet", lambda: layers.UNet().eval(), _r(1, 1, 8, 8))
_case("densenet", lambda: layers.DenseNet().eval(), _r(1, 2, 5, 5))
_case("language model", lambda: layers.LanguageModel().eval(), _tokens)
_case("gru tagger", lambda: layers.GruTagger().eval(), _r(5, 2, 4))
_case("gpt", lambda: layers.Gpt().eval(), _tokens)
_case("speech front end", lambda: layers.SpeechFront().eval(), _r(2, 32))
_case("lstm", lambda: nn.LSTM(3, 4, 2), _r(5, 2, 3), others=((_r(3, 4, 3),),))
_case("gru", lambda: nn.GRU(3, 4, batch_first=True, bidirectional=True), _r(5, 2, 3))
_case("attention", lambda: nn.MultiheadAttention(8, 2).eval(), *[_r(5, 2, 8)] * 3)
_case("transformer layer", _transformer_layer, _r(2, 5, 8), others=((_r(3, 4, 8),),))
_case("transformer", lambda: nn.Transformer(8, 2, 1, 1, 16).eval(), _r(5, 2, 8), _r(3, 2, 8))
_case("convolutions", _convolutions, _r(2, 3, 8, 8), others=((_r(1, 3, 9, 9),),))
_case("norms", _norms, _r(2, 3, 4, 4))
_case("activations", _activations, _r(2, 4))
_case("embeddings", lambda: nn.Sequential(nn.Embedding(11, 3), nn.LayerNorm(3)), _tokens)


# -- Functions that use PyTorch's names ------------------------------------------------------------


@tsc.script
def scripted_here(x: tsc.Tensor, n: int) -> tsc.Tensor:
    if n > 2:
        return x * n
    return x


def functional(x, w):
    y = F.relu(F.linear(x, w))
    y = F.dropout(F.layer_norm(y, (2,)), 0.5, training=False)
    return F.softmax(y, -1), F.pad(y, (1, 1)), F.normalize(y)


def factories(x):
    n = x.size(0)
    a = torch.zeros(n, 2) + torch.ones(2) + torch.full((n, 2), 1.5)
    b = torch.arange(n) + torch.eye(n) + torch.zeros_like(x).sum()
    return a, b, torch.tensor([1.0, 2.0]) * x.new_ones(2), torch.linspace(0, 1, 3)


def namespaces(x):
    return torch.linalg.norm(x), torch.fft.rfft(x).abs(), torch.special.expit(x)


def joined(x, y):
    a = torch.cat([x, y], 1), torch.stack([x, y]), torch.einsum("ij,kj->ik", x, y)
    return a, torch.where(x > y, x, y), torch.split(x, 1)[0], x.where(x > 0.5, y)


def interpolated(x):
    a = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
    return a, F.avg_pool2d(x, 2), F.max_pool2d(x, 2), F.unfold(x, 2)


def calls_scripted(x):
    return scripted_here(x, 3) + scripted_here(x, 1)


for _function, _inputs in (
    (functional, (_r(3, 4), _r(2, 4))),
    (factories, (_r(3, 3),)),
    (namespaces, (_r(3, 4),)),
    (joined, (_r(3, 4), _r(3, 4) * 2)),
    (interpolated, (_r(1, 2, 4, 4),)),
):
    _case(_function.__name__, lambda function=_function: function, *_inputs)
_case("scripted here", lambda: calls_scripted, _r(2, 3))
