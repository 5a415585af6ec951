"""Functions whose trees PyTorch prints (recorded in `data/`) and our parser must print as well.

They are never called; together they have every construct that both frontends read.
"""

# ruff: noqa
# fmt: off

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor


def parameters(a, b: int, c: List[int], *, d: float, e: Optional[Dict[str, Tuple[int, Tensor]]]) -> torch.Tensor:
    """A docstring."""
    return a


def assignments(a, b: int):
    x = y = a
    z: List[int] = [b]
    w, (m, n) = b, (1, 2)
    u, *v = z
    a.data = x
    z[0] = b
    a[1:2, ..., None, ::2] = y
    x += 1
    x -= 1
    x *= 2
    x /= 2
    x %= 3
    b |= 1
    b &= 1
    b ^= 1
    b <<= 1
    b >>= 1
    return x


def operators(a, b: int, c: bool):
    d = (a + b - a * b / a) @ a % b ** b ** 2
    e = b // b, b << b, b >> b, b | b, b & b, b ^ b
    f = -a, ~b, not c, c and c and c or not c
    g = b < b, b <= b, b > b, b >= b, b == b, b != b, a is None, a is not None
    h = b < b < b, b in e, b not in e
    i = a if c else b if c else d
    return e, f, g, h, i


def literals(a, b: str):
    c = 1, 2.5, 2j, True, False, None
    d = "text", "two " "parts", 'quo"te', """three"""
    e = [], [1], [1, 2], (), (1,), (1, 2), {}, {"a": 1, "b": 2}
    f = [i * i for i in range(10)], {i: str(i) for i in range(3)}
    g = [j + k for j, k in a]
    h = f"a{a}b{b}"
    return c, d, e, f, g, h


def calls(a, b: int):
    c = torch.add(a, a, alpha=2).sum().view([1, 2])
    d = torch.zeros(size=[b, b], dtype=torch.float)
    e = max(*[b, b])
    print("a", c, d)
    f = a[0], a[0][1], a[0, 1], a[1:], a[:1], a[:], a[1:2:3], a[-b]
    return calls(c, b=b)[0], f, e


def control_flow(a, b: int):
    if b > 0:
        a = a + 1
    elif b < 0:
        pass
    else:
        a = a - 1
    if b == 1:
        a = a * 2
    for i in range(b):
        if i == 3:
            break
        continue
    for i, (j, k) in enumerate(zip(range(b), range(b))):
        a += j
    while b > 0:
        b -= 1
    assert b == 0, "message"
    assert b == 0
    with torch.no_grad() as guard, torch.no_grad():
        a = a + 1
    del a, b
    if b:
        return
    raise ValueError("a message that is rather long, so that it does not fit in a line")
