"""Programs with sizes that may change: text, arguments of the example, what is declared, and other sizes."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Shapes = list[tuple[int, ...]]


@dataclass(frozen=True)
class Dynamic:
    """`shapes` are those of the arguments by a size; `declared` is made with `tsc.Dim` or that of PyTorch."""

    text: str
    shapes: Callable[[int], Shapes]
    declared: Callable[[Any], Any]
    sizes: tuple[int, ...] = (2, 3, 7, 12, 33)
    example: int = 6


def batch(dim: Any) -> Any:
    return {"x": {0: dim("batch", min=1, max=64)}}


def both(dim: Any) -> Any:
    size = dim("batch", min=1, max=64)
    return {"x": {0: size}, "y": {0: size}}


def f(body: str, arguments: str = "x: Tensor", result: str = "Tensor") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"def f({arguments}) -> {result}:\n{lines}"


TWO = "x: Tensor, y: Tensor"
PROGRAMS = {
    "pointwise": Dynamic(f("return (x * 2).tanh() + x"), lambda n: [(n, 3)], batch),
    "product": Dynamic(f("return torch.relu(x @ y).sum(1)", TWO), lambda n: [(n, 3), (3, 5)], lambda d: {"x": {0: d("batch", max=64)}, "y": None}),
    "convolution": Dynamic(f("return torch.conv2d(x, y, stride=2, padding=1).flatten(1)", TWO), lambda n: [(n, 3, 8, 8), (4, 3, 3, 3)], lambda d: {"x": {0: d.DYNAMIC}, "y": None}),
    "image sizes": Dynamic(f("return torch.max_pool2d(x, 2).mean([2, 3])"), lambda n: [(2, 3, n * 2, n * 2)], lambda d: {"x": {2: d.DYNAMIC, 3: d.DYNAMIC}}),
    "view by sizes": Dynamic(f("b, n = x.shape[0], x.size(1)\nreturn x.view(b, n * 2, -1).transpose(1, 2).reshape(b, -1)"), lambda n: [(n, 3, 6)], batch),
    "flatten": Dynamic(f("return x.flatten().unsqueeze(0)"), lambda n: [(n, 3)], batch),
    "range of a size": Dynamic(f("n = x.size(0)\nreturn torch.arange(n * 2 + 1) + n"), lambda n: [(n,)], batch),
    "number of elements": Dynamic(f("return x * x.numel() / len(x)"), lambda n: [(n, 3)], batch),
    "concatenation": Dynamic(f("return torch.cat([x, y], 0)[1:].softmax(0)", TWO), lambda n: [(n, 3), (n + 1, 3)], lambda d: {"x": {0: d.DYNAMIC}, "y": {0: d.DYNAMIC}}),
    "equal sizes": Dynamic(f("return x + y", TWO), lambda n: [(n, 3), (n, 3)], lambda d: {"x": {0: d.AUTO}, "y": {0: d.AUTO}}),
    "one name": Dynamic(f("return (x * y).sum(0)", TWO), lambda n: [(n, 3), (n, 3)], both),
    "attention": Dynamic(f("a = (x @ x.transpose(1, 2)) / x.size(2) ** 0.5\nmask = torch.ones(x.size(1), x.size(1)).tril()\nreturn a.masked_fill(mask == 0, float('-inf')).softmax(-1) @ x"), lambda n: [(2, n, 4)], lambda d: {"x": {1: d("time", min=2, max=64)}}),
    "several dimensions": Dynamic(f("return x.permute(1, 0, 2).reshape(x.size(1), -1)"), lambda n: [(n, n + 1, 4)], lambda d: {"x": {0: d.AUTO, 1: d.AUTO}}),
    "expansion": Dynamic(f("return x.unsqueeze(1).expand(-1, 4, x.size(1)) + x[:, None]"), lambda n: [(n, 3)], batch),
    "new tensors": Dynamic(f("n = x.size(0)\nreturn torch.zeros(n, n) + x.new_ones(n) + torch.full([n], 2.0)"), lambda n: [(n,)], batch),
    "stacked": Dynamic(f("return torch.stack([x, x.flip(0)], 1).sum(1)"), lambda n: [(n, 2)], batch),
    "sizes returned": Dynamic(f("n = x.size(0)\nreturn n * 2, x.sum()", result="Tuple[int, Tensor]"), lambda n: [(n,)], batch),
    "layer norm": Dynamic(f("return torch.layer_norm(x, [x.size(-1)])"), lambda n: [(n, 5, 8)], batch),
    "a loop of data": Dynamic(f("while bool(x.sum() < 100):\n    x = x * 2 + x.size(0)\nreturn x"), lambda n: [(n,)], batch),
    "a branch of data": Dynamic(f("if bool(x.sum() > 0):\n    y = x.view(x.size(0) * 3)\nelse:\n    y = x.flatten()\nreturn y + 1"), lambda n: [(n, 3)], batch),
    "branches of sizes": Dynamic(f("if x.size(0) > 100:\n    return x - 1\nreturn x + 1"), lambda n: [(n, 3)], batch),
    "list of sizes": Dynamic(f("s = x.size()\nreturn x.reshape([s[1], s[0]]).t().contiguous()"), lambda n: [(n, 3)], batch),
    "derived": Dynamic(f("return x.view(-1, 2) + y.unsqueeze(1)", TWO), lambda n: [(2 * n,), (n,)], lambda d: (lambda n: {"x": {0: 2 * n}, "y": {0: n}})(d("n", min=2, max=64))),
    "halved": Dynamic(f("return x.view(x.size(0) // 2, 2).sum(1)"), lambda n: [(2 * n,)], lambda d: {"x": {0: d.AUTO}}),
    "embedding": Dynamic(f("return torch.embedding(y, (x * 0).long()).mean(1)", TWO), lambda n: [(n, 4), (5, 3)], lambda d: {"x": {0: d("batch", max=64)}, "y": None}),
    "sizes in tensors": Dynamic(f("n = torch.tensor(x.size(0))\nm = (n * 2 + torch.tensor(1)) // 1 - 1\nreturn x.repeat(2, 1).view(int(m), 3) + torch.ones(int(n) * 2, 1)"), lambda n: [(n, 3)], batch),
    "recurrence": Dynamic(f("h = torch.zeros(x.size(0), 3)\nfor t in range(x.size(1)):\n    h = torch.tanh(x[:, t] + h)\nreturn h"), lambda n: [(n, 4, 3)], batch),
}  # fmt: skip
