"""Random programs that read and write elements of tensors in loops, and arguments for them, from a seed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import tsc

DTYPES = (
    *("float32", "float32", "float64", "float16", "bfloat16"),
    *("int64", "int32", "int8", "uint8", "bool"),
)
ROWS, COLUMNS = (
    ("i", "j", "i - j", "-1", "i + 1", "j * 2", "k", "0"),
    ("i", "j", "i - j", "-1", "0"),
)
COMPUTED = (
    *("({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / {b})", "(-{a})", "torch.abs({a})"),
    *("({b} - {a})", "torch.maximum({a}, {e})", "torch.sqrt({a})", "({a} ** 2)"),
    "torch.add({a}, {b}, alpha=2)",
)
CONDITIONS = ("{a} < {b}", "{a} >= {b}", "{a} == {b}", "bool({e})", "float({e}) > 1")
STATEMENTS = (
    *("s = s + float({a})", "s = s + float({a}.item())", "k = (k * 7 + int({e})) % 5", "{e} = {a}"),
    *("{e} = {b}", "{e} = s", "{e} = 1", "{e} = 0.5", "{e} += {b}", "{e} -= {a}", "{e} *= {b}"),
    *("u = u + {e}.item()", "u = {e}.item()", "u = u * {e}.item() - 1", "s = s + float(u)"),
    "k = (k + len(x) + y.size(1) + z.numel() + x.shape[0] + y.dim()) % 5",
)


def program(seed: int) -> str:
    """A function of two matrices and a vector, which may share memory."""
    choose = random.Random(seed)

    def element() -> str:
        i, j = choose.choice(ROWS), choose.choice(COLUMNS)
        t = choose.choice("xy")
        return choose.choice((f"{t}[{i}, {j}]", f"{t}[{i}][{j}]", f"z[{i}]"))

    def filled(text: str, depth: int) -> str:
        b = choose.choice((element(), "2", "1.5", "k", "s", "-1"))
        return text.format(a=computed(depth), b=b, e=element())

    def computed(depth: int) -> str:
        return filled(choose.choice(COMPUTED), depth - 1) if depth else element()

    def statement(indent: str) -> list[str]:
        if choose.random() < 0.2:
            return [
                f"{indent}if {filled(choose.choice(CONDITIONS), 1)}:",
                *statement(f"{indent}    "),
            ]
        return [indent + filled(choose.choice(STATEMENTS), choose.randrange(3))]

    head = "def f(x: Tensor, y: Tensor, z: Tensor, n: int, s: float):"
    lines = [
        head,
        "    k = 1",
        "    u = x[1][0].item()",
        "    for i in range(n):",
        "        for j in range(n):",
    ]
    for _ in range(choose.randint(1, 4)):
        lines += statement(" " * 12)
    return "\n".join([*lines, "    return s, k, u", ""])


def arguments(seed: int) -> tuple[Any, ...]:
    """Of several dtypes and strides; some share memory."""
    choose, values = random.Random(seed), np.random.default_rng(seed)

    def tensor(*shape: int) -> Any:
        made = (
            values.integers(-3, 4, shape) if choose.random() < 0.5 else values.normal(0, 2, shape)
        )
        return tsc.from_numpy(np.abs(made)).to(getattr(tsc, choose.choice(DTYPES)))

    size = choose.randint
    x = choose.choice((tensor(size(2, 4), size(2, 4)), tensor(3, 4).t(), tensor(8, 9)[1::2, ::3]))
    y = choose.choice((x, x.t(), tensor(size(2, 4), size(2, 4)), tensor(3, 3)))
    z = choose.choice((x[0], x.select(1, 1), tensor(size(2, 5))))
    return x, y, z, choose.choice((2, 3)), 0.25
