"""Programs in which data decides sizes: arguments that give several sizes of results, none among them."""

from __future__ import annotations

ARGUMENTS = (
    [2.0, 0.0, 3.0, 0.0, 1.0],
    [1.0, 4.0, 2.0, 5.0, 3.0],
    [3.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 2.0, 0.0, 2.0],
)
"""Arguments, the first of which is the example."""


def f(body: str, result: str = "Tensor") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"def f(x: Tensor) -> {result}:\n{lines}"


PROGRAMS = {
    "places": f("return torch.nonzero(x)"),
    "places of each": f("return torch.where(x > 0)[0] * 2", "Tensor"),
    "argwhere": f("return torch.argwhere(x)"),
    "mask": f("return x[x > 0] * 2"),
    "mask of rows": f("y = x.unsqueeze(1).expand(5, 3)\nreturn y[x > 0].sum(0)"),
    "mask of columns": f("y = x.expand(3, 5)\nreturn y[:, x > 0] + 1"),
    "mask of two dimensions": f("y = x.outer(x)\nreturn y[y > 1].sort()[0]"),
    "masked_select": f("return torch.masked_select(x, x > 1).sum()"),
    "unique": f("return torch.unique(x)"),
    "unique and counts": f(
        "a, b = torch._unique2(x, True, True, True)[1:]\nreturn a, b * 2", "Tuple[Tensor, Tensor]"
    ),
    "unique in a row": f("return torch.unique_consecutive(x)"),
    "repeated": f("return torch.repeat_interleave(x, x.long())"),
    "repeated rows": f("return torch.repeat_interleave(x.view(5, 1), x.long(), 0) + 1"),
    "bincount": f("return torch.bincount(x.long())"),
    "arange": f("return torch.arange(int(x.sum()))"),
    "arange from": f("return torch.arange(1, int(x.sum()) + 1) * 2"),
    "new tensors": f("n = int(x.sum())\nreturn torch.zeros(n) + torch.ones(n) * x[0]"),
    "full": f("n = x.long().max().item()\nreturn torch.full([int(n), 2], 3.0)"),
    "arithmetic on sizes": f("n = int(x.sum())\nreturn torch.zeros(n * 2 + 1, n).sum(0)"),
    "view": f("n = int(x.sum())\nreturn torch.arange(n * 2).view(2, n)"),
    "view by rest": f("n = int(x.sum())\nreturn torch.arange(n * 3).view(-1, 3).sum(1)"),
    "first": f("return x[:int(x[0])] * 2"),
    "from": f("return x[int(x[0]):]"),
    "between": f("return x[1:int(x[2])].sum()"),
    "from behind": f("return x[-1 - int(x[0]):] + 1"),
    "narrow": f("return x.narrow(0, 0, int(x[0])) - 1"),
    "expand": f("return x[1].expand(int(x.sum()))"),
    "repeat": f("return x.repeat(int(x[0]) + 1)"),
    "topk": f("return x.topk(int(x[0]))[0]"),
    "together": f("return torch.cat([x[x > 0], x[x > 1], x])"),
    "equal sizes": f("a, b = x[x > 0], (x * 2)[x > 0]\nreturn a * b"),
    "broadcast": f("a = x[x > 0]\nreturn a[:, None] * a + a.sum()"),
    "product": f("a = x[x > 0]\nreturn (a.unsqueeze(1) @ a.unsqueeze(0)).softmax(1)"),
    "indexed": f("i = torch.nonzero(x).squeeze(1)\nreturn x[i] + x.index_select(0, i)"),
    "written": f("y = x.clone()\ny[x > 0] = x[x > 0] * 2\nreturn y"),
    "sizes returned": f("a = x[x > 0]\nreturn a.size(0) * 2 + 1, len(a)", "Tuple[int, int]"),
    "sizes used": f(
        "a = x[x > 0]\nn = a.size(0)\nreturn torch.zeros(n + 1), a / n", "Tuple[Tensor, Tensor]"
    ),
    "mean": f("a = x[x > 0]\nreturn a.sum() / a.numel()"),
    "sizes decide": f(
        "a = x[x > 0]\nif a.size(0) > 2:\n    y = a.sum()\nelse:\n    y = a.sum() - 10\nreturn y"
    ),
    "sizes decide loops": f(
        "a = x[x > 0]\ny = x * 0\nfor i in range(a.size(0)):\n    y = y + a.sum() * i\nreturn y"
    ),
    "elements one by one": f(
        "a = torch.nonzero(x).squeeze(1)\ny = torch.zeros(5)\n"
        "for i in range(a.size(0)):\n    y = y + x[a[i]] * i\nreturn y"
    ),
    "in a branch": f(
        "if bool(x.sum() > 7):\n    y = x[x > 2].sum()\nelse:\n    y = x[x > 0].prod()\nreturn y"
    ),
    "in a loop": f(
        "y = x\nwhile bool(y.max() < 40):\n    y = y + y[y > y.mean()].sum() + 1\nreturn y"
    ),
    "with a size from outside": f(
        "n = int(x.sum())\na = torch.arange(n)\nif bool(x[1] > 0):\n    y = (a + torch.ones(n)).sum()\n"
        "else:\n    y = a.sum() * 1.0\nreturn y"
    ),
    "with assertions": f(
        "n = int(x.sum())\nassert n < 100\nreturn torch.ones(n).cumsum(0)"
    ),
    "without gradients": f(
        "with torch.no_grad():\n    a = x[x > 0]\n    n = a.size(0)\nreturn a * n"
    ),
    "split": f("a, b = torch.split(x, [int(x[0]), 5 - int(x[0])])\nreturn torch.cat([b, a])"),
    "branches of other sizes": f(
        "if bool(x.sum() > 6):\n    y = x[:2]\nelse:\n    y = x * 3\nreturn y * 2 + y.size(0)"
    ),
    "branches of data's sizes": f(
        "if bool(x.sum() > 6):\n    y = x[x > 1]\nelse:\n    y = torch.cat([x, x[x > 2]])\n"
        "return y.sum() / y.numel(), torch.zeros(y.size(0))",
        "Tuple[Tensor, Tensor]",
    ),
    "a list of turns": f(
        "y = [x]\nn = int(x[0])\nfor i in range(3):\n    y.append(x[: n + i])\nreturn torch.cat(y)"
    ),
    "two sizes": f("a, b = x[x > 0], torch.unique(x)\nreturn a.unsqueeze(1) + b"),
}  # fmt: skip
