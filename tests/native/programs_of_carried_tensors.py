"""Random programs whose loops carry tensors from turn to turn: new ones, parts of arguments, and either."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import tsc

DTYPES = ("float32", "float32", "float64", "bfloat16", "int64", "int32", "bool")
STARTS = (
    *("x[0]", "y[-1]", "z[0][1]", "z[1, 0]", "torch.tensor(0.5)", "torch.tensor(k)", "x[0] + y[1]"),
    *("x[1] * 2", "torch.zeros(())", "torch.zeros([])", "torch.ones((), dtype=torch.float64)"),
)
ELEMENTS = ("x[i]", "y[i]", "x[i - 1]", "y[k]", "z[i, k]", "z[k][i - 1]", "t", "u", "t", "u")
COMPUTED = (
    *("{a} + {b}", "{a} - {b}", "{a} * {b}", "-{a}", "torch.abs({a})", "{a} * 0.5 + {b} * 0.5"),
    *(
        "torch.maximum({a}, {b})",
        "torch.min({a}, {b})",
        "torch.max({a}, {b})",
        "{a} * 2",
        "{a} + k",
    ),
    *("{a} / {b}", "torch.where({a} > {b}, {a}, {b})", "{a} < {b}", "{a} - s"),
)
STATEMENTS = (
    *("{v} = {a}", "{v} = {c}", "{v} = {v} + {a}", "{v} += {a}", "{v} -= {c}", "{v} *= {a}"),
    *("{v} = {w}", "{v} = torch.maximum({v}, {a})", "{v} = 0.9 * {v} + 0.1 * {a}", "t, u = u, t"),
    *("x[i] = {v}", "y[i - 1] = {c}", "z[i, k] += {v}", "x[i] = {v} + {a}", "{v}.add_(1)"),
    *(
        "s = s + float({v})",
        "k = (k + int({v} > {a})) % 2",
        "{v} = {v}.abs_()",
        "{v} = x[i].mul_(2)",
    ),
    *("best = {v}", "best = {a}", "if s > 3: break"),
)
ROW_STARTS = (
    *(
        "torch.zeros(3)",
        "torch.zeros(1)",
        "torch.ones(k, dtype=torch.float64)",
        "z[0]",
        "x",
        "x * 2",
    ),
    *(
        "torch.tensor([s, 1.0, 2.5])",
        "torch.tensor([k, 2, 3])",
        "z[1] + 1",
        "y",
        "torch.full([2], 3.5)",
    ),
    *("torch.tensor([s > 0, True])", "torch.zeros(n - 1)"),
)
ROWS = ("v", "w", "v", "w", "z[i]", "z[i - 1]", "x", "t", "x[i]", "0.5")
ROW_STATEMENTS = (
    *(
        "{r} = {r} + {a}",
        "{r} = {a} * {b} - {r}",
        "{r} = {r} * 0.5 + {a}",
        "v, w = w, v",
        "{r} = {q}",
    ),
    *(
        "{r} += {a}",
        "{r} *= 2",
        "{r} -= x[i]",
        "t = t + {r}[0]",
        "{r}[0] = t",
        "{r}[i] += 1",
        "u = {r}[k] * 2",
    ),
    *(
        "s = s + float({r}[-1])",
        "{r} = torch.maximum({r}, {a})",
        "x[i] = {r}[0]",
        "k = (k + len({r})) % 2",
    ),
    *(
        "{r} = torch.tensor([s, float(i)])",
        "{r} = torch.zeros(3) + {a}",
        "{r} = -{q}",
        "{r} = torch.where({r} > {a}, {r}, {a})",
    ),
)
LIST_STATEMENTS = (
    *(
        "outs.append({v})",
        "outs.append({a})",
        "outs.append({c})",
        "if len(outs) > 1: {v} = outs[-1]",
    ),
    *("{v} = {v} + outs[0]", "if len(outs) > 2: outs[1] += 1", "s = s + float(len(outs))"),
)
CONDITIONS = (
    "{a} > {b}",
    "{a} <= {b}",
    "bool({a} == {b})",
    "k == 1",
    "float({a}) > s",
    "{a} != {b}",
)


def program(seed: int) -> str:
    """A function of two vectors and a matrix, which may share memory."""
    choose = random.Random(seed)
    has_rows, has_list = choose.random() < 0.5, choose.random() < 0.4

    def filled(text: str, depth: int) -> str:
        v = choose.choice("tu")
        w = "t" if v == "u" else "u"
        a, b = (choose.choice(ELEMENTS) for _ in range(2))
        c = filled(choose.choice(COMPUTED), depth - 1) if depth else a
        if has_rows and text in ROW_STATEMENTS:
            a, b = (choose.choice(ROWS) for _ in range(2))
        r = choose.choice("vw")
        q = "v" if r == "w" else "w"
        if text in ROW_STATEMENTS:
            return text.format(a=a, b=b, r=r, q=q)
        return text.format(a=a, b=b, c=f"({c})", v=v, w=w)

    def statement(indent: str) -> list[str]:
        if choose.random() < 0.25:
            lines = [f"{indent}if {filled(choose.choice(CONDITIONS), 0)}:"]
            lines += statement(f"{indent}    ")
            if choose.random() < 0.5:
                lines += [f"{indent}else:", *statement(f"{indent}    ")]
            return lines
        if choose.random() < 0.1:
            return [f"{indent}for j in range(2):", *statement(f"{indent}    ")]
        if has_list and choose.random() < 0.4:
            return [indent + filled(choose.choice(LIST_STATEMENTS), choose.randrange(2))]
        statements = ROW_STATEMENTS if has_rows and choose.random() < 0.7 else STATEMENTS
        return [indent + filled(choose.choice(statements), choose.randrange(3))]

    lines = ["def f(x: Tensor, y: Tensor, z: Tensor, n: int, s: float):", "    k = 1"]
    lines += [f"    {name} = {choose.choice(STARTS)}" for name in "tu"]
    if has_rows:
        lines += [f"    {name} = {choose.choice(ROW_STARTS)}" for name in "vw"]
    if has_list:
        begun = choose.choice(("[]", "[]", "[t]", "[x[0], y[0]]"))
        lines += [f"    outs: List[Tensor] = {begun}", "    outs.append(t)"]
    lines += [f"    best = {choose.choice('tu')}", "    for i in range(n):"]
    for _ in range(choose.randint(1, 4)):
        lines += statement(" " * 8)
    rows = ", v, w" if has_rows else ""
    rows += choose.choice((", outs", ", torch.stack(outs)", ", outs[0]")) if has_list else ""
    return "\n".join([*lines, f"    return best, t, u, s{rows}", ""])


def arguments(seed: int) -> tuple[Any, ...]:
    """Mostly of one dtype; some share memory."""
    choose, values = random.Random(seed), np.random.default_rng(seed)
    dtype = choose.choice(DTYPES)

    def tensor(*shape: int) -> Any:
        made = (
            values.integers(-3, 4, shape) if choose.random() < 0.5 else values.normal(0, 2, shape)
        )
        chosen = dtype if choose.random() < 0.9 else choose.choice(DTYPES)
        return tsc.from_numpy(made).to(getattr(tsc, chosen))

    x = choose.choice((tensor(4), tensor(8)[::2], tensor(1).expand(4), tensor(5)))
    y = choose.choice((x, tensor(4), x[1:] if choose.random() < 0.5 else tensor(3)))
    z = choose.choice(
        (tensor(4, 4), tensor(4, 4).t(), x.reshape([-1, 1]).expand(-1, 3), tensor(3, 3))
    )
    return x, y, z, choose.choice((0, 2, 3, 4)), 0.25
