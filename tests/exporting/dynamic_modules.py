"""More programs with sizes that may change: layers, lengths, and shapes that are computed."""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any

from .dynamic_programs import Dynamic, f

TWO = "x: Tensor, y: Tensor"
THREE = "x: Tensor, y: Tensor, z: Tensor"


def first(dim: Any) -> Any:
    """The first dimension of `x` alone."""
    return {"x": {0: dim.DYNAMIC}}


def last(dim: Any) -> Any:
    return {"x": {-1: dim.DYNAMIC}}


def both_first(dim: Any) -> Any:
    return {"x": {0: dim.DYNAMIC}, "y": {0: dim.DYNAMIC}}


PROGRAMS = {
    "strided convolution": Dynamic(f("return torch.conv2d(x, y, None, [2, 3], [1, 2], [1, 2])", TWO), lambda n: [(2, 3, n + 8, n + 9), (4, 3, 3, 3)], lambda d: {"x": {2: d.DYNAMIC, 3: d.DYNAMIC}, "y": None}),
    "transposed convolution": Dynamic(f("return torch.conv_transpose1d(x, y, None, [2], [1], [1])", TWO), lambda n: [(2, 3, n + 4), (3, 4, 3)], lambda d: {"x": {2: d.DYNAMIC}, "y": None}),
    "pooling that rounds up": Dynamic(f("return F.max_pool2d(x, 3, 2, 1, ceil_mode=True)"), lambda n: [(1, 2, 2 * n + 4, 8)], lambda d: {"x": {2: d.AUTO}}, (4, 8, 12, 16, 33), 6),
    "average of windows": Dynamic(f("return F.avg_pool1d(x, 4, 3, 1)"), lambda n: [(2, 3, n + 6)], last),
    "interpolation by a factor": Dynamic(f("return F.interpolate(x, scale_factor=2.0, mode='nearest')"), lambda n: [(1, 2, n, n + 1)], lambda d: {"x": {2: d.DYNAMIC, 3: d.DYNAMIC}}),
    "bilinear interpolation": Dynamic(f("return F.interpolate(x, scale_factor=3.0, mode='bilinear', align_corners=False)"), lambda n: [(1, 2, n, 4)], lambda d: {"x": {2: d.DYNAMIC}}),
    "attention with lengths": Dynamic(f("m = torch.arange(x.size(1))[None, :] < (y.abs() * 3).long()[:, None]\na = (x @ x.transpose(1, 2)).masked_fill(~m[:, None, :], -1e9)\nreturn a.softmax(-1) @ x", TWO), lambda n: [(2, n, 4), (2,)], lambda d: {"x": {1: d("time", min=2, max=64)}, "y": None}),
    "scaled products": Dynamic(f("q = x.view(x.size(0), -1, 2, 4).transpose(1, 2)\nreturn F.scaled_dot_product_attention(q, q, q, is_causal=True).transpose(1, 2).flatten(2)"), lambda n: [(2, n, 8)], lambda d: {"x": {1: d.DYNAMIC}}),
    "joined and parted": Dynamic(f("z = torch.cat([x, y, x[:1]], 0)\na, b = torch.split(z, [x.size(0), z.size(0) - x.size(0)])\nreturn a * 2, b + 1", TWO, "Tuple[Tensor, Tensor]"), lambda n: [(n, 3), (n + 2, 3)], both_first),
    "stack of sizes": Dynamic(f("return torch.stack([x, x + 1, x * 2], -1).flatten(0, 1)"), lambda n: [(n, 3)], first),
    "views with one unknown": Dynamic(f("return x.view(x.size(0), -1).view(-1, 6, 2).permute(1, 0, 2).reshape(6, -1)"), lambda n: [(n, 4, 3)], first),
    "unflattened": Dynamic(f("return x.unflatten(1, [2, -1]).sum(1).flatten()"), lambda n: [(n, 6)], first),
    "recurrent layer": Dynamic(f("h = torch.zeros(1, x.size(0), 3)\no, last = torch.rnn_tanh(x, h, [y, z], False, 1, 0.0, False, False, True)\nreturn o.sum(1) + last[0]", THREE), lambda n: [(n, 5, 4), (3, 4), (3, 3)], lambda d: {"x": {0: d.DYNAMIC}, "y": None, "z": None}),
    "gated layer": Dynamic(f("h = torch.zeros(1, x.size(1), 3)\nreturn torch.gru(x, h, [y, z], False, 1, 0.0, False, False, False)[0]", THREE), lambda n: [(4, n, 4), (9, 4), (9, 3)], lambda d: {"x": {1: d.DYNAMIC}, "y": None, "z": None}),
    "memory cells": Dynamic(f("h = torch.zeros(x.size(0), 3)\nh, c = torch.lstm_cell(x, [h, h], y, z)\nreturn h * c", THREE), lambda n: [(n, 4), (12, 4), (12, 3)], lambda d: {"x": {0: d.DYNAMIC}, "y": None, "z": None}),
    "bags of words": Dynamic(f("i = (x.abs() * 4).long()\nreturn F.embedding_bag(i, y, mode='mean')", TWO), lambda n: [(n, 5), (6, 3)], lambda d: {"x": {0: d.DYNAMIC}, "y": None}),
    "products by letters": Dynamic(f("return torch.einsum('bij,bjk->bik', x, y) + torch.einsum('bij->bi', x).unsqueeze(-1)", TWO), lambda n: [(n, 3, 4), (n, 4, 5)], both_first),
    "two sizes broadcast": Dynamic(f("return x[:, None] * y[None, :] + x.unsqueeze(1)", TWO), lambda n: [(n,), (n + 3,)], both_first),
    "slices from behind": Dynamic(f("return x[-2:] + x[:-1][-2:], x[1:-1].sum()", result="Tuple[Tensor, Tensor]"), lambda n: [(n + 2, 3)], first),
    "repeated": Dynamic(f("return x.repeat(3, 2) + x.repeat(3, 1).sum(1, keepdim=True), x[:, None].expand(-1, 2, -1).reshape(-1, 3)", result="Tuple[Tensor, Tensor]"), lambda n: [(n, 3)], first),
    "padded": Dynamic(f("return F.pad(x, [1, 2, 0, 1], value=0.5), F.pad(x[None], [2, 1], mode='reflect')", result="Tuple[Tensor, Tensor]"), lambda n: [(n, 4)], first),
    "windows": Dynamic(f("return x.unfold(0, 3, 2).mean(-1)"), lambda n: [(n + 3, 4)], first),
    "spectrum": Dynamic(f("return torch.fft.rfft(x, dim=1).abs(), torch.fft.fft(x, dim=0).real", result="Tuple[Tensor, Tensor]"), lambda n: [(n, 8)], first),
    "best of each": Dynamic(f("v, i = x.topk(2, 1)\ns, _ = x.sort(0)\nreturn v + s[:, :2], i", result="Tuple[Tensor, Tensor]"), lambda n: [(n, 4)], first),
    "triangles": Dynamic(f("m = torch.ones(x.size(0), x.size(0)).tril()\nreturn m @ x + torch.triu(x @ x.t(), 1).sum(0)[:, None]"), lambda n: [(n, 3)], first),
    "counted": Dynamic(f("p = torch.arange(x.size(0), dtype=torch.float32)\nreturn torch.cat([p.sin()[:, None], p.cos()[:, None]], 1) * x[:, :2]"), lambda n: [(n, 3)], first),
    "distances": Dynamic(f("return torch.cdist(x, y).min(1)[0] + torch.cdist(x, x).sum(1)", TWO), lambda n: [(n, 3), (n + 2, 3)], both_first),
    "losses": Dynamic(f("t = (y.abs().sum(1) * 2).long() % 3\nreturn F.cross_entropy(x, t), F.smooth_l1_loss(x, y, reduction='none')", TWO, "Tuple[Tensor, Tensor]"), lambda n: [(n, 3), (n, 3)], lambda d: (lambda b: {"x": {0: b}, "y": {0: b}})(d("batch", min=2, max=64))),
    "normalizations": Dynamic(f("return F.group_norm(x, 2), F.instance_norm(x), F.normalize(x, dim=1)", result="Tuple[Tensor, Tensor, Tensor]"), lambda n: [(n, 4, 5)], first),
    "solved": Dynamic(f("a = x @ x.transpose(1, 2) + 3 * torch.eye(x.size(1))\nreturn torch.linalg.solve(a, x), torch.linalg.cholesky(a)", result="Tuple[Tensor, Tensor]"), lambda n: [(n, 3, 2)], first),
    "scattered": Dynamic(f("i = (x * 3).long() % 4\nreturn torch.zeros(x.size(0), 4).scatter_add(1, i, x), y.gather(1, i)", TWO, "Tuple[Tensor, Tensor]"), lambda n: [(n, 3), (n, 4)], lambda d: (lambda b: {"x": {0: b}, "y": {0: b}})(d("batch", min=2, max=64))),
}  # fmt: skip
