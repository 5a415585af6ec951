"""Programs with regions without gradients."""

from __future__ import annotations

ARGUMENTS = ([1.0, 2.0, 3.0], [0.5, -4.0, 0.25], [40.0, 1.0, -1.0])
"""Arguments, the first of which is the example."""

PROGRAMS = {
    "one": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x * 2
        z = y + 1
    return x * z
""",
    "two results": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x * 2
        z = y + 1
    return x * z + y
""",
    "nothing read": """
def f(x: Tensor) -> Tensor:
    y = x * 2
    with torch.no_grad():
        z = y + 1
    return x + y
""",
    "nothing in it": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        pass
    return x * 2
""",
    "write": """
def f(x: Tensor) -> Tensor:
    y = x * 2
    with torch.no_grad():
        y.add_(1)
    return y * x
""",
    "view": """
def f(x: Tensor) -> Tensor:
    z = x * 3
    with torch.no_grad():
        y = z[1:]
        y.mul_(2)
    return z + x
""",
    "several": """
def f(x: Tensor) -> Tuple[Tensor, Tensor]:
    with torch.no_grad():
        y = x * 2
    w = y * x
    with torch.no_grad():
        z = w - 1
    return z, w
""",
    "nested": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x * 2
        with torch.no_grad():
            z = y + x
        z = z * 3
    return z * x
""",
    "switched": """
def f(x: Tensor) -> Tensor:
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    z = y + x
    with torch.no_grad():
        w = z + 1
        torch.set_grad_enabled(True)
        w = w * x
    return w
""",
    "returned": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        return x * 2
""",
    "returned early": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x * 2
        if bool(y.sum() > 3):
            return y
    return y * x
""",
    "branch in it": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        if bool(x[0] > 0.75):
            y = x + 1
        else:
            y = x - 1
    return y * x
""",
    "in a branch": """
def f(x: Tensor) -> Tensor:
    if bool(x[0] > 0.75):
        with torch.no_grad():
            y = x.exp()
            z = y + x
        return z * y * x
    return x - 1
""",
    "loop in it": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x.abs() + 1
        while bool(y.sum() < 90):
            y = y * 2
    return y * x
""",
    "in a loop": """
def f(x: Tensor) -> Tensor:
    y = x.abs() + 1
    while bool(y.sum() < 90):
        with torch.no_grad():
            z = y.sqrt()
        y = y * 2 + z
    return y * x
""",
    "in turns": """
def f(x: Tensor) -> Tensor:
    for i in range(3):
        with torch.no_grad():
            scale = x.abs().max()
        x = x / (scale + i)
    return x
""",
    "number out of it": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        n = x.max().item()
        y = x * n
    return y + x * n
""",
    "constant": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = torch.tensor([1.0, 2.0, 3.0]) + x
    return y * x
""",
    "assertion": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        assert bool(x.sum() > -100), "too small"
        y = x.sigmoid()
    return y + x
""",
    "asked": """
def f(x: Tensor) -> Tuple[Tensor, bool]:
    with torch.no_grad():
        is_enabled = torch.is_grad_enabled()
        y = x * 2
    return y + x, is_enabled
""",
    "pieces": """
def f(x: Tensor) -> Tensor:
    with torch.no_grad():
        a, b, c = x.split(1)
    return a + b * x
""",
}
