"""Programs in which data decides loops, numbers and exceptions: PyTorch's converter refuses them, or loses them."""

from __future__ import annotations

ARGUMENTS = ([1.0, 2.0, 3.0], [0.5, 0.25, 8.0], [40.0, 1.0, 1.0], [3.0, 3.0, 0.125])
"""Arguments, the first of which is the example."""

PROGRAMS = {
    "while on a sum": """
def f(x: Tensor) -> Tensor:
    while bool(x.sum() < 100):
        x = x * 2 + 1
    return x
""",
    "turns are counted": """
def f(x: Tensor) -> Tuple[Tensor, int]:
    n = 0
    while bool(x.sum() < 100):
        x = x * 2
        n += 1
    return x, n
""",
    "break of a long loop": """
def f(x: Tensor) -> Tensor:
    for i in range(1000):
        x = x * 2 + i
        if bool(x.sum() > 500):
            break
    return x
""",
    "return out of a loop": """
def f(x: Tensor) -> Tensor:
    for i in range(20):
        x = x * 2
        if bool(x.sum() > 50):
            return x - 1
    return x
""",
    "continue": """
def f(x: Tensor) -> Tensor:
    y = x * 0
    while bool(y.sum() < 60):
        x = x + 1
        if bool(x[0] < 4):
            continue
        y = y + x
    return y
""",
    "a count out of a tensor": """
def f(x: Tensor) -> Tensor:
    n = int(x[0])
    y = x
    for i in range(n):
        y = y + i * 0.5
    return y
""",
    "a range out of a tensor": """
def f(x: Tensor) -> Tensor:
    first = int(x[1])
    y = torch.zeros_like(x)
    for i in range(first, first + 7, 3):
        y = y + x * i
    return y
""",
    "a state that grows in a counted loop": """
def f(x: Tensor, most: int = 5) -> Tensor:
    for i in range(1, most):
        x = torch.cat([x, x[-1:] * 2])
        if bool(x[-1] > 10):
            break
    return x
""",
    "a count that is returned out of a growing loop": """
def grown(x: Tensor) -> Tuple[Tensor, int]:
    for i in range(4):
        if bool(x[-1] > 10):
            return x, i
        x = torch.cat([x, x[-1:] * 2])
    return x, -1

def f(x: Tensor) -> Tuple[Tensor, int]:
    return grown(x)
""",
    "Newton's method": """
def f(x: Tensor) -> Tensor:
    y, error = x, 1.0
    while error > 1e-4:
        z = 0.5 * (y + x / y)
        error = float((z - y).abs().max())
        y = z
    return y
""",
    "nested loops": """
def f(x: Tensor) -> Tensor:
    turns = 0
    while bool(x.sum() < 1000):
        while bool(x[0] < 50):
            x = x + 3
        x = x * 2
        turns += 1
    return x + turns
""",
    "a branch in a loop": """
def f(x: Tensor) -> Tensor:
    while bool(x.max() < 90):
        if bool(x[0] > x[1]):
            x = x + 5
        else:
            x = x * 2
    return x
""",
    "a loop in a branch": """
def f(x: Tensor) -> Tensor:
    if bool(x[0] > 2):
        while bool(x.sum() > 1):
            x = x / 2
    else:
        x = x.exp()
    return x
""",
    "several tensors": """
def f(x: Tensor) -> Tuple[Tensor, Tensor]:
    a, b = x, x.flip(0)
    while bool((a - b).abs().max() > 0.01):
        a, b = (a + b) / 2, (a * 0.25 + b * 0.75)
    return a, b
""",
    "a flag": """
def f(x: Tensor) -> Tensor:
    done = False
    while not done:
        x = x * 1.5
        done = bool(x.min() > 5)
    return x
""",
    "a number chosen": """
def f(x: Tensor) -> Tensor:
    n = 1
    if bool(x.sum() > 7):
        n = 4
    return x * n + n // 2
""",
    "a number returned": """
def f(x: Tensor) -> int:
    n = 1
    if bool(x.sum() > 7):
        n = 2
    return n
""",
    "item as a factor": """
def f(x: Tensor) -> Tensor:
    return x * x.max().item() - x.min().item()
""",
    "arithmetic": """
def f(x: Tensor) -> Tensor:
    n = int(x[2])
    a = (n * 7 - 3) // 2 % 5
    b = max(float(x[0]), 1.5) / 4 + min(n, 2)
    return x + a + abs(b - 9)
""",
    "an index": """
def f(x: Tensor) -> Tensor:
    best = int(x.argmax())
    return x * 2 + x[best]
""",
    "clamped": """
def f(x: Tensor) -> Tensor:
    low = float(x.mean())
    return x.clamp(low, low + 1.0)
""",
    "a tensor of a number": """
def f(x: Tensor) -> Tensor:
    n = int(x.sum())
    return torch.stack([x[0], torch.tensor(n * 2).float()])
""",
    "a comparison of numbers": """
def f(x: Tensor) -> Tensor:
    a, b = float(x[0]), float(x[1])
    if a < b and b - a < 3.0:
        return x - a
    return x - b
""",
    "collatz": """
def f(x: Tensor) -> Tuple[int, Tensor]:
    n = int(x[0]) + 6
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps, x + steps
""",
    "an assertion": """
def f(x: Tensor) -> Tensor:
    assert bool(x.sum() > 0), 'positive'
    return x.sqrt()
""",
    "an exception in a loop": """
def f(x: Tensor) -> Tensor:
    while bool(x.sum() < 100):
        x = x * 3
        if bool(x[1] < 0):
            raise ValueError('below zero')
    return x
""",
    "a function that loops": """
def halved(x: Tensor, limit: float) -> Tensor:
    while bool(x.max() > limit):
        x = x / 2
    return x

def f(x: Tensor) -> Tensor:
    return halved(x, 1.0) + halved(x * 3, 2.5)
""",
    "numbers in a tensor": """
def f(x: Tensor) -> Tensor:
    n = int(x[0])
    return torch.tensor([n, 2, n * 3]) + x
""",
    "numbers and truths in tensors": """
def f(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    a, b = float(x[0]), x[1].item()
    rows = torch.tensor([[a, 0.5], [2.0, a * 2]])
    truths = torch.tensor([bool(x[0] > 1), True])
    return rows, truths, torch.tensor([a, 1.0], dtype=torch.float64)
""",
    "numbers in lists": """
def f(x: Tensor) -> Tensor:
    numbers = [float(x[0]), 2.0]
    numbers.extend([float(x[1])])
    numbers.reverse()
    copied = list(numbers)
    return x * copied[0] + torch.tensor(numbers)
""",
    "truths out of loops and branches": """
def f(x: Tensor) -> Tensor:
    found, turns = False, 0
    while not found and turns < 7:
        x = x * 2
        turns += 1
        found = bool(x.sum() > 20)
    is_large = False
    if bool(x[0] > 3):
        is_large = found and turns > 2
    if is_large or not found:
        x = x - 1
    return x * float(turns)
""",
}
FAILING = {
    "an assertion": ([-1.0, -2.0, -3.0], "positive"),
    "an exception in a loop": ([1.0, -1.0, 1.0], "below zero"),
}
"""An argument for which a program raises, and a part of what it says."""

REFUSED = {
    "a dimension": (
        "def f(x: Tensor) -> Tensor:\n    return x.sum(int(x[0]))\n",
        "the argument dim of aten::sum is a number that data decides",
    ),
    "a length that is no integer": (
        "def f(x: Tensor) -> Tensor:\n    return torch.arange(float(x[0]))\n",
        "the argument end of aten::arange",
    ),
    "an index of a list of texts": (
        "def f(x: Tensor) -> int:\n    return len(['a', 'bc'][int(x[0])])\n",
        "which element of a list is taken",
    ),
    "overwritten": (
        "def f(x: Tensor) -> Tensor:\n    n = x[0].item()\n    x.add_(1)\n    return x * n\n",
        "written since",
    ),
    "text of a number": (
        "def f(x: Tensor) -> bool:\n    return f'{x.sum()}' == '3.0'\n",
        "a text that data decides",
    ),
}
