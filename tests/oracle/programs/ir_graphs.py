"""Programs for the texts of graphs: each shows something else that IR text can contain."""

import enum
import math
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Point(NamedTuple):
    x: Tensor
    weight: float
    label: Optional[str] = None


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start

    def step(self, by: int = 1) -> int:
        self.count += by
        return self.count


@torch.jit.interface
class Scorer(torch.nn.Module):
    def score(self, x: Tensor) -> Tensor:
        pass


class Double(nn.Module):
    def score(self, x: Tensor) -> Tensor:
        return x * 2


class WithInterface(nn.Module):
    scorer: Scorer

    def __init__(self):
        super().__init__()
        self.scorer = Double()

    def forward(self, x: Tensor) -> Tensor:
        return self.scorer.score(x)


class Net(nn.Module):
    __constants__ = ["steps"]

    def __init__(self):
        super().__init__()
        self.steps = 3
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("shift", torch.zeros(2))
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Dropout(0.1))
        self.blocks = nn.ModuleList([nn.Linear(2, 2), nn.Tanh()])
        self.table: Dict[str, int] = {"a": 1}

    def helper(self, x: Tensor, times: int) -> Tensor:
        for _ in range(times):
            x = x * self.scale + self.shift
        return x

    def forward(self, x: Tensor) -> Tensor:
        x = self.layers(self.helper(x, self.steps))
        for block in self.blocks:
            x = block(x)
        if self.training:
            x = x + self.table["a"]
        return x


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 4, 3, padding=1)
        self.normalization = nn.BatchNorm2d(4)

    def forward(self, x: Tensor) -> Tensor:
        return F.max_pool2d(torch.relu(self.normalization(self.convolution(x))), 2)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, label):
        return x * factor

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None, None


@torch.jit.ignore
def outside(x: int) -> int:
    return x + 1


def identity(x):
    return x


def twice(x: Tensor, n: int = 2) -> Tensor:
    return x * n


def floats(x: Tensor) -> Tuple[float, float, float, float, float, float, Tensor]:
    return 0.5, 1e-5, 1.0, -0.0, 1e10, 123456789.125, x * 0.1 + 1e300


def infinities() -> Tuple[float, float, float]:
    return float("inf"), -float("inf"), float("nan")


def complexes(x: complex) -> List[complex]:
    return [2.5j, 3 + 2j, x * 1j]


def integers() -> Tuple[int, int, bool]:
    return 9223372036854775807, -9223372036854775807 - 1, True


def strings(s: str) -> List[str]:
    return ["", "plain", "a'b\"c\\d", "tab\tnew\nline\r\a\b\f\v", "bell\x07 null\x00 del\x7f", s]


def unicode_strings() -> List[str]:
    return ["h\u00e9llo", "\u4f60\u597d", "\U0001f600", "\u00ff\u0080"]


def nothing(x: Optional[Tensor]) -> Optional[Tensor]:
    if x is None:
        return None
    return x + 1


def devices(x: Tensor) -> Tensor:
    return x.to(torch.device("cpu")) + torch.zeros([2], dtype=torch.float32, device="cpu")


def enums(c: Color) -> Tuple[bool, str, int, Color]:
    return c == Color.RED, c.name, c.value, Color.GREEN


def branches(a: Tensor, b: Tensor, c: bool) -> Tensor:
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e


def loops(x: Tensor, n: int) -> Tensor:
    z = x
    for i in range(n):
        z = z * i
        while bool(z.sum() > 10):
            z = z / 2
    return z


def exits(n: int) -> int:
    total = 0
    for i in range(n):
        if i == 3:
            continue
        if i > 7:
            break
        for j in range(i):
            if j * i > 20:
                return total
            total += j
    return total


def raises(x: Tensor, n: int) -> Tensor:
    if n < 0:
        raise ValueError("negative")
    assert x.dim() == 2, f"rank {x.dim()}"
    return x


def always_raises(n: int) -> int:
    raise RuntimeError("no")


def containers(x: Tensor) -> Tuple[List[int], Dict[str, Tensor], List[Tensor], Tuple[int, str]]:
    empty: Dict[str, Tensor] = {}
    empty["x"] = x
    numbers = [1, 2, 3]
    numbers.append(4)
    return numbers, {"a": x, "b": x + 1}, [x for _ in numbers], (1, "one")


def constant_containers(x: Tensor):
    empty_list: List[int] = []
    empty_dict: Dict[str, int] = {}
    optionals: List[Optional[int]] = [1, None]
    return ([1, 2], [2.0, 0.1], [True, False], ["a", "b'"], [[1], [2]], {"a": 1}, {1: 2.0},
            (1,), (1, ("b", 2.5), [1.5]), empty_list, empty_dict, optionals, [1j], (None, True))


def unpacking(t: Tuple[Tensor, Tuple[int, List[str]]]) -> Tensor:
    x, (n, names) = t
    first, second = names, 2
    return x + n + len(first) + second


def optional_unions(x: Union[int, str, List[int]], y: Optional[Union[int, float]]) -> int:
    if isinstance(x, int):
        return x
    elif isinstance(x, str):
        return len(x)
    return 0 if y is None else len(x)


def anything(x: Any) -> bool:
    return isinstance(x, (int, List[str])) or isinstance(x, Tensor)


def named_tuple(x: Tensor) -> Point:
    p = Point(x, 0.5)
    return Point(p.x * p.weight, 1.0, "a")


def classes(n: int) -> int:
    c = Counter(n)
    c.step()
    return c.step(by=2) + c.count


def indexing(x: Tensor, i: Tensor) -> Tensor:
    x[0] = 1
    x[:, 1:3] += 2.5
    x[i > 0] = i[i > 0]
    return x[..., None, ::2][0, -1]


def formatted(x: Tensor, n: int) -> str:
    print(x, n, "text")
    return "{} and {}".format(x, n) + "%d %s" % (n, "s") + f"{n}!"


def listcomp(xs: List[Tensor]) -> List[Tensor]:
    return [torch.relu(x) for x in xs]


def dictcomp(xs: List[int]) -> Dict[int, int]:
    return {x: x * x for x in xs}


def zipped(xs: List[int], ys: List[str]) -> List[str]:
    out: List[str] = []
    for i, (x, y) in enumerate(zip(xs, ys)):
        out.append(y + str(x + i))
    return out


def calls(x: Tensor) -> Tensor:
    return twice(twice(x), n=3)


def library(x: Tensor, w: Tensor) -> Tensor:
    return F.dropout(F.relu(F.linear(x, w)), 0.5, False) + F.softmax(x, -1).sum(dim=[0, 1], keepdim=True)


def forks(x: Tensor) -> Tensor:
    future = torch.jit.fork(twice, x, 3)
    other = torch.jit.fork(identity, x)
    return torch.jit.wait(future) + torch.jit.wait(other)


def contexts(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x * 2
    return y + x


def python_call(x: int) -> int:
    return outside(x)


def annotated(x):
    # type: (Tensor) -> Tuple[Tensor, List[int]]
    empty = torch.jit.annotate(List[int], [])
    return x, empty


def short_circuit(a: bool, b: bool, n: int) -> bool:
    return (a and b) or (not a and n > 3) or 1 < n <= 7


def numbers(a: int, b: float) -> float:
    return math.sqrt(a // 3 % 5) + b ** 2 - int(b) / a + float(a) + abs(-a) + round(b) + math.pi


def shapes(x: Tensor) -> List[int]:
    return x.view(-1, x.size(1)).t().contiguous().shape


def gates(x: Tensor, w: Tensor) -> Tuple[Tensor, Tensor]:
    a, b = (x @ w).chunk(2, 1)
    return torch.sigmoid(a), torch.tanh(b)


def mutated(x: Tensor) -> Tensor:
    y = x.clone()
    y.add_(1).mul_(2)
    y += x
    del x
    return y


def types_as_values(x: Tensor) -> Tensor:
    return x.to(torch.int64).to(dtype=torch.float, non_blocking=True, memory_format=torch.contiguous_format)


def string_methods(s: str) -> List[str]:
    return s.strip().upper().split(",")[1:] + [s[0], s[-1:], s.replace("a", "b")]


def polynomial(x, y):
    z = x * y + x
    return z.relu() * y


class Traced:
    """Functions to be traced: they need not compile."""

    @staticmethod
    def arithmetic(x):
        return (x * 2 + torch.ones(3)).sum(0)

    @staticmethod
    def custom(x):
        return Scaled.apply(x, 2, "a'b")

    @staticmethod
    def types(a, b, c):
        return a + 1, ~b, c.t()
