"""Programs that write, in branches and loops which data decides, to tensors from outside of these."""

from __future__ import annotations

ARGUMENTS = ([1.0, 2.0, 3.0], [0.5, -4.0, 8.0], [40.0, 1.0, -1.0], [3.0, 0.0, 0.125])
"""Arguments, the first of which is the example."""


def f(body: str, result: str = "Tensor") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"def f(x: Tensor) -> {result}:\n{lines}"


PROGRAMS = {
    "one branch": f("y = x * 2\nif bool(x[0] > 2):\n    y[1] = 7\nreturn y + 1"),
    "both branches": f(
        "y = x * 2\nif bool(x[0] > 2):\n    y.add_(1)\nelse:\n    y[:2] = x[1:]\nreturn y"
    ),
    "read behind the write": f(
        "y = torch.zeros(3)\nz = y.sum()\nif bool(x[0] > 0.75):\n    y[0] = 5\n    z = y.sum() + y[0]\nreturn z * y"
    ),
    "a number read behind it": f(
        "y = x * 1\nn = 0.0\nif bool(x[0] > 0.75):\n    y[0] = 5\n    n = float(y.sum())\nreturn y * n"
    ),
    "two tensors": f(
        "y, z = x * 1, x * 2\nif bool(x.sum() > 0):\n    y.copy_(z)\n    z.mul_(3)\nreturn y, z",
        "Tuple[Tensor, Tensor]",
    ),
    "a view from outside": f(
        "y = x * 1\nrow = y[1:]\nif bool(x[0] > 2):\n    row.fill_(9)\nreturn y"
    ),
    "a constant": f(
        "y = torch.tensor([1.0, 2.0, 3.0])\nif bool(x[0] > 2):\n    y[0] = x[1]\nreturn y * x"
    ),
    "an argument": f("if bool(x[0] > 2):\n    x[1] = 7\nreturn x + 1"),
    "nested branches": f(
        "y = x * 2\nif bool(x[0] > 2):\n    y[1] = 7\n    if bool(y[0] > 50):\n        y[2] = 8\nreturn y"
    ),
    "room for all turns": f(
        "room = torch.zeros(20)\nn = 0\nwhile bool(x.abs().max() < 100):\n    x = x * 2\n    room[n] = x.sum()\n"
        "    n += 1\nreturn room, n",
        "Tuple[Tensor, int]",
    ),
    "rows by place": f(
        "room = torch.zeros(9, 3)\nfor i in range(9):\n    if bool(x.sum() > 30):\n        break\n"
        "    room[i] = x\n    x = x + 1\nreturn room"
    ),
    "written in turns and read": f(
        "y = x.clone()\nwhile bool(y.sum() < 60):\n    y[0] += 1\n    y[1:] = y[:2] * 1.5\nreturn y"
    ),
    "a count of data": f(
        "y = torch.zeros(3)\nfor i in range(int(x.abs().max())):\n    y.add_(x * i)\nreturn y"
    ),
    "branch in a loop": f(
        "y = torch.zeros(3)\nz = x.abs() + 1\nwhile bool(z.sum() < 200):\n    z = z * 2\n"
        "    if bool(z[0] > 20):\n        y[0] = y[0] + z[1]\n    else:\n        y.sub_(z)\nreturn y + z"
    ),
    "loop in a branch": f(
        "y = x.abs() + 1\nif bool(x[0] > 0.75):\n    while bool(y.sum() < 90):\n        y.mul_(2)\nreturn y * x"
    ),
}
REFUSED = {
    "two names": f(
        "y = x * 1\nz = y[1:]\nif bool(x[0] > 2):\n    y[1] = 7\n    y = y + z.sum()\nreturn y"
    ),
}
