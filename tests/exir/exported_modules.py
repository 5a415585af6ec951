"""Modules that PyTorch exports: what `.pt2` files can have in them, one thing after another."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import torch
from torch import nn
from torch._higher_order_ops import scan, while_loop
from torch._higher_order_ops.map import map as map_over
from torch.export import Dim
from torch.nn import functional as F
from torch.utils._pytree import _register_namedtuple

from . import function_modules, wrapped_modules  # noqa: F401 - their cases are registered, too
from .cases import CASES, Case, case, exported, x

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
