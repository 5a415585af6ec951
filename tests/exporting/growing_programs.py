"""Programs in which data decides how long lists and tensors get: PyTorch's converter refuses them, or loses them."""

from __future__ import annotations

ARGUMENTS = ([1.0, 2.0, 3.0], [0.5, 0.25, 8.0], [4.0, 1.0, 1.0], [30.0, 3.0, 0.125])
"""Arguments, the first of which is the example."""

PROGRAMS = {
    "a stack of numbers": """
def f(x: Tensor) -> Tuple[Tensor, int]:
    stack: List[float] = []
    for i in range(x.size(0)):
        v = float(x[i])
        if v > 0.5:
            stack.append(v)
        elif len(stack) > 0:
            stack.pop()
    return torch.tensor(stack).sum(), len(stack)
""",
    "turns side by side": """
def f(x: Tensor) -> Tensor:
    out: List[Tensor] = []
    while bool(x.sum() < 100) and len(out) < 9:
        x = x * 2 + 1
        out.append(x)
    return torch.stack(out, 1) if len(out) > 0 else x.unsqueeze(1)
""",
    "only some turns": """
def f(x: Tensor) -> Tensor:
    out = [x]
    for i in range(int(x[0]) + 3):
        x = x + 1
        if bool(x[1] * i > 3):
            out.append(x * i)
    return torch.cat(out)
""",
    "the last element decides": """
def f(x: Tensor) -> Tuple[Tensor, Tensor, int, Tensor]:
    out = [x]
    while bool(out[-1].sum() < 100) and len(out) < 9:
        out.append(out[-1] * 2 + 1)
    return out[-1], out[0], len(out), torch.stack(out).sum(0)
""",
    "a sequence": """
def f(x: Tensor) -> Tensor:
    out = [x, x + 1]
    while bool(out[-1].sum() < 100):
        out.append(out[-1] + out[-2] + 1)
    s = torch.zeros(3)
    for e in out:
        s = s + e * 2
    return s
""",
    "two lists of tensors and numbers": """
def f(x: Tensor) -> Tuple[Tensor, Tensor, int, int]:
    a: List[Tensor] = []
    b: List[int] = []
    i = 0
    while bool(x.max() < 50):
        a.append(x[0])
        b.append(i)
        a.append(x[1] * i)
        x = x * 1.7 + 1
        i += 3
    return torch.stack(a), torch.tensor(b), sum(b), len(a)
""",
    "a stack of work": """
def f(x: Tensor) -> Tensor:
    stack = [x, x * 2]
    n = 0
    while len(stack) > 0 and n < 12:
        t = stack.pop()
        n += 1
        if bool(t.sum() < 50):
            stack.append(t + 5)
            if bool(t[0] > 3):
                stack.append(t * 2)
    return torch.tensor(n)
""",
    "joined along dimensions": """
def f(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    x = x.view(1, 3)
    out = [x]
    while bool(x.sum() < 100) and len(out) < 6:
        x = x * 2 + 1
        out.append(x)
    return torch.cat(out, 1), torch.cat(out, dim=-2), torch.cat(out).mean(0)
""",
    "a tensor that gets shorter": """
def f(x: Tensor) -> Tensor:
    while x.numel() > 1:
        if bool(x[0] > x[1]):
            x = x[1:]
        else:
            x = x[:-1]
    return x
""",
    "a tensor that gets longer": """
def f(x: Tensor) -> Tuple[Tensor, int]:
    y = x
    while bool(y.sum() < 100) and y.size(0) < 20:
        y = torch.cat([y, y[-1:] * 2 + 1])
    return y, y.size(0)
""",
    "a mask in each turn": """
def f(x: Tensor) -> Tensor:
    y = x
    n = 0
    while y.numel() > 0:
        y = (y - 1)[y > 1.5]
        n += 1
    return torch.tensor(n)
""",
    "in branches": """
def f(x: Tensor) -> Tensor:
    out = [x]
    if bool(x.sum() > 5):
        out.append(x * 2)
    if bool(x[0] > 0.7):
        out.append(x * 3)
        out.append(x * 4)
    return torch.stack(out)
""",
    "lists put together": """
def f(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    out = [x]
    while bool(x.sum() < 60) and len(out) < 7:
        x = x * 2 + 1
        out.extend([x, x + 1])
    out += [x]
    out = out + [x * 0]
    r = out[1:]
    r.reverse()
    return torch.stack(r), torch.stack(out[:2]), r[0]
""",
    "elements replaced": """
def f(x: Tensor) -> Tensor:
    out = [x, x]
    n = 0
    while bool(x.sum() < 60) and n < 5:
        x = x * 2 + 1
        out.append(x)
        out[0] = x * 3
        n += 1
    return torch.stack(out)
""",
    "places that are kept": """
def f(x: Tensor) -> Tuple[Tensor, Tensor, int]:
    keep: List[int] = []
    for i in range(x.size(0)):
        if bool(x[i] > 0.9):
            keep.append(i)
    m = 0
    for k in keep:
        m = m * 10 + k
    return x[keep].sum(), torch.tensor(keep), m
""",
    "numbers that data tells": """
def f(x: Tensor) -> Tuple[Tensor, float, float]:
    v: List[float] = []
    for i in range(int(x[0]) + 2):
        v.append(float(x[i % 3]) * i)
    return torch.tensor(v), max(v), min(v)
""",
    "rows of rows": """
def f(x: Tensor) -> Tensor:
    rows: List[Tensor] = []
    i = 0
    while bool(x.sum() < 60) and i < 6:
        row: List[Tensor] = []
        j = 0
        while j < 3:
            row.append(x[j] + i)
            j += 1
        rows.append(torch.stack(row))
        x = x * 2 + 1
        i += 1
    return torch.stack(rows) if len(rows) > 0 else x.unsqueeze(0)
""",
    "a loop in a loop": """
def f(x: Tensor) -> Tensor:
    rows: List[Tensor] = []
    i = 0
    while bool(x.sum() < 60) and i < 6:
        y = x
        while bool(y[0] < 10):
            y = y + 3
            rows.append(y)
        x = x * 2 + 1
        i += 1
    return torch.stack(rows) if len(rows) > 0 else x.unsqueeze(0)
""",
    "beams": """
def f(x: Tensor) -> Tuple[Tensor, Tensor]:
    seqs = [torch.zeros(1, dtype=torch.long), torch.ones(1, dtype=torch.long)]
    scores = [0.0, 0.5]
    for t in range(3):
        cand: List[Tensor] = []
        cs: List[float] = []
        for i in range(len(seqs)):
            for k in range(3):
                cand.append(torch.cat([seqs[i], torch.tensor([k])]))
                cs.append(scores[i] + float(x[k]) * (t + 1))
        top = torch.tensor(cs).topk(2)
        idx = top[1]
        seqs = [cand[int(idx[0])], cand[int(idx[1])]]
        scores = [cs[int(idx[0])], cs[int(idx[1])]]
    return torch.stack(seqs), torch.tensor(scores)
""",
    "begun anew": """
def f(x: Tensor) -> Tensor:
    out = [x]
    best = x
    while bool(x.sum() < 60):
        x = x * 2 + 1
        if bool(x[0] > 5) and len(out) > 3:
            out.clear()
        out.append(x)
    return torch.stack(out)
""",
    "two lists side by side": """
def f(x: Tensor) -> Tensor:
    a: List[Tensor] = []
    b: List[int] = []
    i = 0
    while bool(x.sum() < 90) and i < 6:
        a.append(x)
        b.append(i * i)
        x = x * 2 + 1
        i += 1
    s = x * 0
    for t, k in zip(a, b):
        s = s + t * k
    for j, t in enumerate(a):
        s = s - t * j
    return s
""",
    "numbers that are new": """
def f(x: Tensor) -> Tensor:
    k: List[int] = []
    for i in range(int(x[1]) + 2):
        if i * 2 not in k:
            k.append(i * i)
    return torch.tensor(k)
""",
    "a queue": """
def f(x: Tensor) -> Tuple[Tensor, int, int]:
    q = [x]
    s = x * 0
    n = 0
    while len(q) > 0 and n < 9:
        t = q.pop(0)
        s = s + t
        n += 1
        if bool(t.sum() < 30):
            q.append(t * 2 + 1)
            q.insert(0, t * 3 + 1)
    return s, n, len(q)
""",
}

REFUSED = {
    "an element that is written in the same turn": (
        "def f(x: Tensor) -> Tensor:\n    l: List[Tensor] = []\n    for i in range(int(x[0]) + 1):\n        y = x * i\n"
        "        l.append(y)\n        y.add_(1)\n    return torch.stack(l)\n",
        "data decides whether a tensor that was written is this one, too",
    ),
    "a list that is returned": (
        "def f(x: Tensor) -> List[Tensor]:\n    l: List[Tensor] = []\n    while bool(x.sum() < 100):\n"
        "        x = x * 2\n        l.append(x)\n    return l\n",
        "a list is returned of which data tells how long it is",
    ),
    "elements of other sizes": (
        "def f(x: Tensor) -> Tensor:\n    l = [x]\n    for i in range(int(x[0]) + 1):\n        l.append(x[: i + 1])\n"
        "    return torch.cat(l)\n",
        "elements of one size",
    ),
    "elements of other dtypes": (
        "def f(x: Tensor) -> Tensor:\n    l = [x]\n    for i in range(int(x[0]) + 1):\n        l.append(x.int() + i)\n"
        "    return l[-1]\n",
        "elements of one dtype",
    ),
    "elements that are tuples": (
        "def f(x: Tensor) -> int:\n    l: List[Tuple[Tensor, int]] = []\n    for i in range(int(x[0]) + 1):\n"
        "        l.append((x, i))\n    return len(l)\n",
        "a list from outside gets longer or shorter",
    ),
    "a dictionary": (
        "def f(x: Tensor) -> int:\n    d: Dict[int, Tensor] = {}\n    for i in range(int(x[0]) + 1):\n"
        "        d[i] = x\n    return len(d)\n",
        "prim::|a dict from outside|a number",
    ),
    "an element that is written in later turns": (
        "def f(x: Tensor) -> Tensor:\n    l: List[Tensor] = []\n    y = x.clone()\n    while bool(y.sum() < 100):\n"
        "        l.append(y)\n        y += 20\n    return torch.stack(l)\n",
        "nobody writes to in the loop",
    ),
    "an element that is written behind the loop": (
        "def f(x: Tensor) -> Tensor:\n    l: List[Tensor] = []\n    y = x.clone()\n    for i in range(int(x[0]) + 1):\n"
        "        l.append(y)\n    y.mul_(2)\n    return torch.stack(l)\n",
        "data decides whether a tensor that was written is this one, too",
    ),
    "an element that is written through the list": (
        "def f(x: Tensor) -> Tensor:\n    y = x * 1\n    l = [y]\n    for i in range(int(x[0]) + 1):\n"
        "        l.append(x * i)\n    l[0].mul_(2)\n    return y\n",
        "data decides whether a tensor that was written is this one, too",
    ),
    "a number of dimensions": (
        "def f(x: Tensor) -> Tensor:\n    while bool(x.sum() < 100):\n        x = torch.stack([x, x])\n    return x\n",
        r"of \[2, 3\] of a",
    ),
    "what a tensor array has no answer for": (
        "def f(x: Tensor) -> Tensor:\n    l: List[int] = []\n    for i in range(int(x[0]) + 1):\n        l.append(i)\n"
        "    l.sort()\n    return x.sum() > l[0]\n",
        "aten::sort takes a list of which data tells how long it is",
    ),
}
