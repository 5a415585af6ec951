"""Modules that PyTorch exports: what `.pt2` files can have in them, one thing after another."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch._higher_order_ops import scan, while_loop
from torch._higher_order_ops.map import map as map_over
from torch.export import Dim
from torch.nn import functional as F
from torch.utils._pytree import _register_namedtuple

from . import wrapped_modules  # noqa: F401 - its cases are registered, too
from .cases import CASES, Case, case, exported, module_of, x

__all__ = ["CASES", "Case", "exported"]

AUTO = Dim.AUTO
Pair = namedtuple("Pair", ["first", "second"])
_register_namedtuple(Pair, serialized_type_name="tests.Pair")

BATCH = Dim("batch", min=1, max=64)


@case(x(2, 3), x(2, 3))
class Add(nn.Module):
    def forward(self, x, y):
        return x + y


@case(x(5, 4), dynamic_shapes=({0: BATCH},), others=((x(2, 4),), (x(9, 4),)))
class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3), nn.Softmax(-1))

    def forward(self, x):
        return self.layers(x)


@case(x(5, 4), dynamic_shapes=({0: BATCH},), others=((x(2, 4),),), decomposed=True)
class PerceptronDecomposed(Perceptron):
    pass


@case(x(2, 3, 8, 8), dynamic_shapes=({0: BATCH},), others=((x(3, 3, 8, 8),),))
class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.b = nn.Conv2d(4, 4, 3, stride=2, groups=2)

    def forward(self, x):
        x = F.max_pool2d(self.norm(self.a(x)).relu(), 2)
        return F.adaptive_avg_pool2d(self.b(x), 1).flatten(1)


@case(x(2, 3, 8, 8))
class ConvolutionsInEval(Convolutions):
    def __init__(self):
        super().__init__()
        self.eval()


@case(x(2, 3, 8, 8), decomposed=True)
class ConvolutionsDecomposed(Convolutions):
    def __init__(self):
        super().__init__()
        self.eval()


@case(x(3, 2), dynamic_shapes=({0: Dim("n", min=2, max=64)},), others=((x(8, 2),),))
class Counter(nn.Module):
    """A buffer that is written."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("hidden", torch.ones(2), persistent=False)

    def forward(self, x):
        self.count.add_(x.shape[0])
        return x * self.count + self.hidden


@case(x(3, 2), dynamic_shapes=({0: Dim("n", min=2, max=64)},), decomposed=True)
class CounterDecomposed(Counter):
    pass


@case(x(3))
class WritesInput(nn.Module):
    def forward(self, x):
        x.mul_(2)
        return x + 1


@case(x(3), decomposed=True)
class WritesInputDecomposed(WritesInput):
    pass


@case(x(4, 3), decomposed=True)
class RunningNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)


@case(x(4, 3), others=((-x(4, 3) - 2,),))
class Branches(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos() * 2, (x,))


@case(x(4, 3), dynamic_shapes=({0: Dim("n", min=2, max=10)},), others=((x(7, 3),), (x(2, 3),)))
class BranchesOnSize(nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 4, lambda x: x + 1, lambda x: x - 1, (x,))


@case(x(4), others=((x(4) - 3,), (x(4) + 3,)))
class NestedBranches(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.full((4,), 2.0))

    def forward(self, x):
        def outer(x):
            return torch.cond(
                x.max() > 2,
                lambda x: (x * self.scale, x + 1),
                lambda x: (x * 3, x + self.scale),
                (x,),
            )

        return torch.cond(x.sum() > 0, outer, lambda x: (x - 1, x * 2), (x,))


@case(x(3), torch.tensor(4), others=((x(3), torch.tensor(0)), (x(3), torch.tensor(7))))
class Loop(nn.Module):
    def forward(self, x, n):
        return while_loop(lambda x, n: n > 0, lambda x, n: (x * 2, n - 1), (x, n))


@case(x(3), others=((x(3) * 100,),))
class LoopWithParameter(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        def body(i, x):
            return i + 1, self.linear(x)

        return while_loop(lambda i, x: i < 5, body, (torch.tensor(0), x))


@case(x(3, 2), dynamic_shapes=({0: Dim("n", min=2, max=20)},), others=((x(8, 2),),), strict=True)
class Map(nn.Module):
    def forward(self, xs):
        return map_over(lambda x, y: x * 2 + y, xs, torch.ones(2))


@case(x(5, 2))
class Scan(nn.Module):
    def forward(self, xs):
        return scan(lambda carry, x: (carry + x, carry * x), torch.zeros(2), xs)


@case(
    {"a": x(2), "b": [x(3), (x(4), x(5))]},
    kwargs={"scale": x(1), "pair": Pair(x(2), x(2))},
)
class Nested(nn.Module):
    def forward(self, d, *, scale, pair):
        first, (second, third) = d["b"]
        return {
            "sum": d["a"] + pair.first,
            "rest": [first * scale, (second, third * 2)],
            "pair": Pair(pair.second, None),
            "number": 3,
        }


@case(OrderedDict(z=x(2), a=x(2)))
class Ordered(nn.Module):
    def forward(self, d):
        return OrderedDict(y=d["z"] - d["a"], b=d["a"])


@case(x(2), 3, "hey", 2.5, True, None)
class Constants(nn.Module):
    def forward(self, x, k, text, f, flag, nothing):
        return x * k + f, k, text, flag, nothing


@case(x(2))
class LiftedConstant(nn.Module):
    def __init__(self):
        super().__init__()
        self.constant = torch.ones(2)

    def forward(self, x):
        return x + self.constant + torch.tensor([1.0, 2.0])


@case(x(4, 6), dynamic_shapes=({0: AUTO, 1: AUTO},), others=((x(8, 6),), (x(6, 5),)))
class SizeArithmetic(nn.Module):
    def forward(self, x):
        n, m = x.shape
        y = x.reshape(n // 2, 2 * m)
        return y, n * m + 1, n // 2, m % 4, max(n, m), min(n, 3) - 1, y.shape


@case(
    x(3, 4),
    x(4, 5),
    dynamic_shapes=({0: Dim("a"), 1: Dim("b")}, {0: Dim("b"), 1: Dim("c")}),
    others=((x(2, 7), x(7, 2)),),
)
class TwoShapes(nn.Module):
    def forward(self, x, y):
        return x @ y, x.shape[0] * y.shape[1]


_half = Dim("half", min=1, max=8)


@case(x(6, 2), dynamic_shapes=({0: 2 * _half},), others=((x(4, 2),), (x(16, 2),)))
class DerivedSize(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2)
        return a + b


@case(
    x(4, 3),
    x(3, 3),
    dynamic_shapes=({0: _half + 1}, {0: _half}),
    others=((x(3, 3), x(2, 3)),),
)
class RelatedSizes(nn.Module):
    def forward(self, x, y):
        return x[1:] + y


@case(x(2, 3))
class TiedWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3, bias=False)
        self.b = nn.Linear(3, 3, bias=False)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x))


@case(x(6))
class ViewsAsBuffers(nn.Module):
    def __init__(self):
        super().__init__()
        whole = torch.arange(6.0)
        self.register_buffer("whole", whole)
        self.register_buffer("part", whole.view(2, 3).t()[1:])

    def forward(self, x):
        return x + self.whole, self.part * 2


@case(torch.tensor([3, 1, 0, 2]), others=((torch.tensor([0, 0, 5, 0]),),))
class Nonzero(nn.Module):
    def forward(self, x):
        found = x.nonzero()
        return found, found.shape[0]


@case(torch.tensor(4), others=((torch.tensor(7),),))
class ItemAsSize(nn.Module):
    def forward(self, n):
        size = n.item()
        torch._check(size >= 2)
        torch._check(size <= 10)
        return torch.ones(size) * 2, size + 1


@case(x(4) + 3)
class Asserts(nn.Module):
    def forward(self, x):
        torch._assert_async(x.sum() > 0, "positive sum wanted")
        return x.item() if x.numel() == 1 else x * 2


@case(x(2, 5, 4))
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, x):
        return self.lstm(x)


@case(x(2, 5, 4))
class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 3, batch_first=True)

    def forward(self, x):
        return self.gru(x)[1]


@case(x(2, 5, 8), dynamic_shapes=({0: AUTO, 1: AUTO},), others=((x(3, 4, 8),),))
class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)

    def forward(self, x):
        return self.layer(x)


@case(x(2, 5, 8), decomposed=True)
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)


@case(torch.tensor([[1, 2, 3], [4, 0, 1]]), dynamic_shapes=({0: AUTO, 1: AUTO},))
class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 3)
        self.bag = nn.EmbeddingBag(5, 3, mode="sum")

    def forward(self, x):
        return self.embedding(x), self.bag(x)


_function_cases: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "dtypes": (
        lambda x: [x.to(d) for d in (
            torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16,
            torch.int32, torch.int64, torch.bool, torch.complex64, torch.complex128,
        )],
        (x(3) * 5,),
    ),
    "dtype_inputs": (
        lambda a, b, c, d: (a + b, c & d, a.dtype == torch.float64),
        (x(2).double(), torch.tensor([1, 2], dtype=torch.int8), torch.tensor([True, False]),
         torch.tensor([True, True])),
    ),
    "halves": (lambda x, y: x * y.to(x.dtype), (x(3).half(), x(3).bfloat16())),
    "complexes": (lambda x: (x * 2j, x.real, x.abs()), (torch.complex(x(3), x(3) + 1),)),
    "creation": (
        lambda x: (torch.zeros(2, 3, dtype=torch.int8), torch.arange(5), torch.full((2,), 1.5),
                   torch.ones_like(x, dtype=torch.float64), torch.eye(2), torch.linspace(0, 1, 4)),
        (x(3),),
    ),
    "indexing": (
        lambda x, i: (x[:, 1:3], x[..., None], x[i], x[:, i], x[0, ::2], x[i, None, i]),
        (x(4, 5), torch.tensor([0, 2])),
    ),
    "writes_slices": (lambda x: _write_slices(x), (x(4, 4),)),
    "masks": (lambda x: (x.masked_fill(x > 0, -1.0), torch.where(x > 0, x, 0.0)), (x(3, 3),)),
    "reductions": (
        lambda x: (x.sum(), x.mean(1), x.amax(0, keepdim=True), x.std(), x.argmax(1), tuple(x.max(1)),
                   x.var(0, correction=0), x.logsumexp(1), x.norm(), torch.all(x > -2)),
        (x(3, 4),),
    ),
    "several_results": (
        lambda x: (tuple(x.sort()), tuple(x.topk(2)), torch.unbind(x), x.split(2, 1), x.chunk(2),
                   tuple(x.aminmax())),
        (x(3, 4),),
    ),
    "unused_results": (lambda x: (x.max(0)[1], x.split([1, 3], 1)[1]), (x(3, 4),)),
    "shapes": (
        lambda x: (x.view(6, 2), x.permute(1, 0), x.transpose(0, 1).contiguous(), x.flatten(),
                   x.unsqueeze(1).expand(-1, 2, -1), x.repeat(2, 1), torch.cat([x, x], 1),
                   torch.stack([x, x]), F.pad(x, (1, 1)), x.roll(1, 0), x.flip(0)),
        (x(3, 4),),
    ),
    "linear_algebra": (
        lambda x: (x @ x, torch.bmm(x[None], x[None]), torch.einsum("ij,kj->ik", x, x),
                   torch.linalg.inv(x + 3 * torch.eye(3)), torch.addmm(x, x, x, alpha=2)),
        (x(3, 3),),
    ),
    "channels_last": (
        lambda x: x.contiguous(memory_format=torch.channels_last) + 1, (x(2, 3, 4, 4),),
    ),
    "losses": (
        lambda x, y: (F.cross_entropy(x, y), F.mse_loss(x, x * 2), F.smooth_l1_loss(x, x * 3)),
        (x(3, 4), torch.tensor([0, 2, 1])),
    ),
    "activations": (
        lambda x: (F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.elu(x), F.hardswish(x),
                   F.leaky_relu(x, 0.2), F.log_softmax(x, 0), torch.sigmoid(x), x.tanh(),
                   F.softplus(x), F.mish(x), x.clamp(-0.5, float("inf"))),
        (x(5),),
    ),
    "interpolation": (
        lambda x: (F.interpolate(x, scale_factor=2.0, mode="bilinear"),
                   F.interpolate(x, size=(3, 3)), F.avg_pool2d(x, 2), F.pixel_shuffle(x, 2)),
        (x(1, 4, 4, 4),),
    ),
    "fourier": (lambda x: (torch.fft.fft(x), torch.fft.rfft(x, norm="ortho")), (x(8),)),
    "integers": (
        lambda x: (x // 2, x % 3, x << 1, x ^ 5, x.bitwise_not(), torch.div(x, 2, rounding_mode="trunc")),
        (torch.tensor([-3, 0, 7]),),
    ),
    "scatter": (
        lambda x, i: (x.gather(1, i), torch.zeros(3, 4).scatter(1, i, x), x.index_select(1, i[0]),
                      torch.zeros(3, 4).index_add(0, torch.tensor([2, 0, 1]), x)),
        (x(3, 4), torch.tensor([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 1, 1]])),
    ),
    "scalars": (lambda x: (x.sum().item(), x.argmax().item()), (x(3),)),
    "no_results": (lambda x: None, (x(2),)),
    "input_returned": (lambda x, y: (x, y, x), (x(2), x(3))),
    "list_argument": (lambda xs: torch.cat(xs).sum(), ([x(2), x(3), x(1)],)),
    "empty": (lambda x: (x.sum(), x + 1, torch.zeros(0, 3)), (torch.zeros(0, 2),)),
    "zero_dimensional": (lambda x: x * 2 + 1, (torch.tensor(3.0),)),
    "long_integers": (lambda x: x + (1 << 40), (torch.tensor([1 << 33]),)),
    "cumulative": (lambda x: (x.cumsum(0), x.cumprod(1), x.diff(), x.tril(), x.triu(1)), (x(3, 3),)),
    "no_gradient": (lambda x: _without_gradient(x), (x(3),)),
    "attention": (lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), (x(1, 2, 4, 8),)),
    "norms": (
        lambda x: (F.layer_norm(x, (4,)), F.group_norm(x[:, :, None], 2), F.normalize(x),
                   F.instance_norm(x[None]), F.rms_norm(x, (4,))),
        (x(3, 4),),
    ),
    "truth_values": (
        lambda x: (x & True, x | False, x + True, True * x, torch.where(x, True, False),
                   torch.where(x, x, True), torch.full((2,), True), x.masked_fill(x, False),
                   x.int() + True, x == True),  # noqa: E712
        (torch.tensor([True, False, True]),),
    ),
    "unsigned": (lambda x: x.to(torch.int64) + 1, (torch.tensor([1, 65535], dtype=torch.uint16),)),
}  # fmt: skip


def _write_slices(x):
    y = x.clone()
    y[0] = 1.0
    y[:, 1] += 2
    y[y > 1] = 0.5
    return y


def _without_gradient(x):
    with torch.no_grad():
        y = x * 2
    return y + x


for _name, (_function, _args) in _function_cases.items():
    CASES[_name] = Case(module_of(_function), _args)
