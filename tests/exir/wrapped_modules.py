"""Modules with regions in them that PyTorch exports: automatic casts, slices of ``torch.vmap``; effects, containers."""

from __future__ import annotations

from collections import defaultdict, deque

import torch
from torch import nn
from torch._higher_order_ops import associative_scan
from torch.nn import functional as F

from .cases import case, x


@case(x(2, 4))
class Autocast(nn.Module):
    """Casts to bfloat16, and what is computed in float32 or in the widest dtype there."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
            loss = F.mse_loss(y, y * 0.5)
            joined = torch.cat([y, x])
            total = y.sum() + x.exp().sum()
        return y, loss, joined, total, self.linear(x)


@case(x(1, 2, 5, 5), x(3, 3))
class NestedAutocast(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(2, 3, 3)

    def forward(self, x, w):
        with torch.autocast("cpu", dtype=torch.float16):
            y = self.convolution(x)
            with torch.autocast("cpu", enabled=False):
                z = y.float() @ w
            return z @ w, F.softmax(y, -1), F.nll_loss(z[0, 0], torch.tensor([0, 1, 2]))


@case(x(3, 4), x(4, 3), decomposed=True)
class AutocastDecomposed(nn.Module):
    def forward(self, x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.einsum("ij,jk->ik", x, y)


@case(x(7, 3))
class Associative(nn.Module):
    def forward(self, xs):
        return associative_scan(lambda a, b: a + b, xs, dim=0, combine_mode="generic")


@case(x(3, 5), x(3, 5))
class AssociativePairs(nn.Module):
    def forward(self, scales, shifts):
        def combine(a, b):
            return a[0] * b[0], b[0] * a[1] + b[1]

        pairs = (scales, shifts)
        return associative_scan(combine, pairs, dim=1, reverse=True, combine_mode="generic")


@case(x(4, 3, 3), x(3, 2), strict=True)
class Batched(nn.Module):
    def forward(self, a, b):
        products = torch.vmap(lambda each, other: each @ other, in_dims=(1, None))
        return products(a, b), torch.vmap(torch.vmap(torch.dot))(a, a)


@case(x(3), decomposed=True)
class Printing(nn.Module):
    """Effects have tokens once a program is decomposed."""

    def forward(self, x):
        torch.ops.aten._print("before")
        y = x * 2
        torch.ops.aten._print("after")
        return y


@case(x(3) + 3)
class AssertsWithoutMessage(nn.Module):
    def forward(self, x):
        torch._assert_async((x > 0).all())
        return x.sqrt()


def _lists(value: torch.Tensor) -> defaultdict[str, torch.Tensor]:
    found = defaultdict(list)
    found["a"] = value
    return found


@case(_lists(x(2)), deque([x(2), x(3)], maxlen=4))
class Containers(nn.Module):
    def forward(self, lists, queue):
        return lists["a"] + queue[0], queue[1], _lists(queue[0])
