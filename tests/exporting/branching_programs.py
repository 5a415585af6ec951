"""Programs in which data decides branches, and those that cannot be exported for it."""

from __future__ import annotations

TEXT = "from typing import *\nimport torch\nfrom torch import Tensor\n"
ARGUMENTS = (
    *([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [0.5, 0.25, 0.125], [100.0, 1.0, 1.0]),
    [-1.0, 1.0, 2.0],
)
PROGRAMS = {
    "early return": """
def f(x: Tensor) -> Tensor:
    if x.sum() > 0:
        return x
    return -x
""",
    "several results": """
def f(x: Tensor) -> Tuple[Tensor, Tensor]:
    y = x * 2
    if x.sum() > 0:
        y = y + x
        z = y.view(-1)
    else:
        z = y
    return y, z
""",
    "logic": """
def f(x: Tensor) -> Tensor:
    a = bool(x[0] > 0)
    b = bool(x[1] > 0)
    if a or not b:
        return x
    elif a and b:
        return x * 2
    else:
        return x * 3
""",
    "nested": """
def f(x: Tensor) -> Tensor:
    if x.sum() > 0:
        if x.max() > 2:
            return x + 1
        x = x * 5
    else:
        x = torch.tensor([1.0, 2.0, 3.0])
    return x * 3
""",
    "return from a loop": """
def f(x: Tensor) -> Tensor:
    for i in range(3):
        if x.sum() > 10:
            return x
        x = x * 2
    return x + 1
""",
    "break and continue": """
def f(x: Tensor) -> Tensor:
    for i in range(4):
        x = x * 2
        if x.max() > 9:
            break
        if x.min() < -10:
            continue
        x = x + i
    return x
""",
    "elements of a list": """
def f(x: Tensor) -> Tensor:
    found: List[Tensor] = []
    for i in range(2):
        if x[i] > 0:
            y = x * i
        else:
            y = x + i
        found.append(y)
    return torch.stack(found)
""",
    "writes to its own": """
def f(x: Tensor) -> Tensor:
    if x.sum() > 0:
        y = x.clone()
        y[0] = 7.0
        y += 1
    else:
        y = torch.zeros(3)
    return y
""",
    "calls": """
def scaled(x: Tensor, by: float) -> Tensor:
    if x.max() > 2:
        return x * by
    return x

def f(x: Tensor) -> Tensor:
    if x[0] > x[1]:
        return scaled(x, 0.5)
    return scaled(x + 1, 3.0)
""",
}
REFUSED = {
    "a result that is another tensor": (
        "def f(x: Tensor) -> Tensor:\n    y = x * 1\n    if x.sum() > 0:\n        z = y\n    else:\n        z = x * 2\n"
        "    z.add_(1)\n    return y + z\n",
        "data decides whether a tensor that was written is this one, too",
    ),
    "a result that is an argument": (
        "def f(x: Tensor) -> Tensor:\n    if x.sum() > 0:\n        z = x\n    else:\n        z = x * 2\n"
        "    z.add_(1)\n    return z\n",
        "data decides whether a tensor that was written is this one, too",
    ),
    "write outside": (
        "def f(x: Tensor) -> Tensor:\n    y = x[1:]\n    if x.sum() > 0:\n        x.add_(1)\n        x.mul_(y.sum())\n"
        "    return x\n",
        "writes, in a branch that data decides",
    ),
    "size": (
        "def f(x: Tensor) -> Tensor:\n    if x.sum() > 0:\n        return x[:2].unsqueeze(1)\n    return x\n",
        r"of \[2, 1\] or a torch.float32 of \[3\]",
    ),
    "list": (
        "def f(x: Tensor) -> List[Tensor]:\n    l = [x]\n    if x.sum() > 0:\n        l.append(x)\n    return l\n",
        "a list is returned of which data tells how long it is",
    ),
    "nothing or a tensor": (
        "def f(x: Tensor) -> Optional[Tensor]:\n    if x.sum() > 0:\n        return x\n    return None\n",
        "whether a result of a branch is a tensor",
    ),
    "failure": (
        "def f(x: Tensor) -> Tensor:\n    if x.sum() > 0:\n        return x\n    return x.view(7)\n",
        "fails on the example arguments",
    ),
    "truth returned": (
        "def f(x: Tensor) -> bool:\n    return bool(x.sum() > 0)\n",
        "a truth value that data decides is returned",
    ),
}
