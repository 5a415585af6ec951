"""Random programs of pointwise operators, and arguments for them, from a seed."""

from __future__ import annotations

import numpy as np

import tsc

EXACT = (
    *("{a} + {b}", "{a} - {b}", "{a} * {b}", "torch.maximum({a}, {b})", "torch.minimum({a}, {b})"),
    *("torch.relu({a})", "torch.abs({a})", "-{a}", "{a} * 2", "{a} + 1", "3 - {a}", "{a} / 2.0"),
    *("torch.clamp({a}, -1, 2)", "torch.square({a})", "torch.add({a}, {b}, alpha=2)", "{a} * k"),
    *("torch.floor({a})", "torch.sqrt(torch.abs({a}))", "{a} / ({b} * {b} + 1.0)", "{a} + s"),
    *("torch.masked_fill({a}, {a} > {b}, 1)", "torch.sign({a})", "torch.nn.functional.relu6({a})"),
    *("{a}.t()", "{a}.unsqueeze(0).select(0, 0)", "{a}.chunk(2, 1)[0].expand_as({a}[:, :1])"),
    *(
        "torch.cat([{a}, {a}], 1).chunk(2, 1)[1] * 1",
        "torch.mm({a}, torch.ones_like({a}).t())[:, :1]",
    ),
)
"""Operators whose results are those of IEEE's arithmetic, views, and what cannot be fused."""
ROUNDED = (
    *("torch.sigmoid({a})", "torch.tanh({a})", "torch.exp(-torch.abs({a}))", "torch.erf({a})"),
    *(
        "torch.nn.functional.gelu({a})",
        "torch.nn.functional.silu({a})",
        "torch.log1p(torch.abs({a}))",
    ),
)
WRITES = ("{a}.mul_(2)", "{a}.add_(1)", "{a}[0] = 1", "{a}.relu_()", "{a}.copy_({b})")
DTYPES = (
    *(tsc.float32, tsc.float32, tsc.float64, tsc.float16, tsc.bfloat16),
    *(tsc.int64, tsc.int32, tsc.uint8, tsc.bool),
)


def program(random: np.random.Generator, operators: tuple[str, ...]) -> str:
    """A function of three tensors, a float and an int, that returns several of what it computes."""
    names = ["x", "y", "z"]
    lines = ["def f(x: Tensor, y: Tensor, z: Tensor, s: float, k: int):"]
    for number in range(int(random.integers(2, 9))):
        a, b = random.choice(names, 2)
        if random.random() < 0.12:
            lines.append("    " + str(random.choice(WRITES)).format(a=a, b=b))
            continue
        lines.append(f"    t{number} = " + str(random.choice(operators)).format(a=a, b=b))
        names.append(f"t{number}")
    shown = ", ".join(dict.fromkeys([*names[-3:], "x"]))
    return "\n".join([*lines, f"    return {shown}", ""])


def arguments(random: np.random.Generator) -> list[object]:
    """Tensors of shapes that mostly fit each other, of all strides; two may be the same or share memory."""
    rows, columns = (int(each) for each in random.integers(1, 6, 2))
    shapes = [(rows, columns), (rows, columns), (rows, 1), (1, columns), (columns,), ()]
    made = [_tensor(random, shapes[int(random.integers(len(shapes)))]) for _ in range(3)]
    if random.random() < 0.2:
        made[1] = made[0]
    if random.random() < 0.1:
        made[2] = tsc.Tensor(made[0].array[::-1].copy()[::-1]) if made[0].ndim else made[0]
    return [*made, float(random.normal()), int(random.integers(-3, 4))]


def _tensor(random: np.random.Generator, shape: tuple[int, ...]) -> tsc.Tensor:
    dtype = DTYPES[int(random.integers(len(DTYPES)))].numpy
    values = random.normal(size=shape) * 4
    form = random.random()
    a = np.abs(values).astype(dtype) if dtype.kind == "u" else values.astype(dtype)
    if form < 0.2 and a.ndim == 2:
        return tsc.Tensor(np.ascontiguousarray(a.T).T)
    if form < 0.4 and a.ndim:
        return tsc.Tensor(np.repeat(a, 2, axis=-1)[..., ::2])
    return tsc.Tensor(np.asarray(a))
