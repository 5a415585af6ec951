# ruff: noqa: UP006, UP032, UP035, UP045, B007  PyTorch compiles this, and has these spellings
"""Modules with what only classes have: state, interfaces, hooks, containers, Optional members, constants."""

import enum
from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn


class Mode(enum.Enum):
    SUM = 1
    MEAN = 2


class Shape(enum.Enum):
    ROUND = "round"
    FLAT = "flat"


class Pair(NamedTuple):
    first: Tensor
    second: int = 3


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.seen: List[int] = []

    def add(self, step: int) -> int:
        self.seen.append(self.count)
        self.count += step
        return self.count


@torch.jit.script
class Holder:
    def __init__(self, inner: Counter, scale: float):
        self.inner = inner
        self.scale = scale

    def __call__(self, x: Tensor) -> Tensor:
        return x * self.scale + self.inner.add(2)


@torch.jit.interface
class Activation(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Rectify(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x)


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([0.5, 2.0, -1.0]))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight


def double_if(x: Tensor, flag: bool = True, factor: float = 2.0) -> Tensor:
    return x * factor if flag else x


class UsesInterface(nn.Module):
    active: Activation

    def __init__(self) -> None:
        super().__init__()
        self.active = Scaled()

    def forward(self, x: Tensor) -> Tensor:
        return self.active.forward(x)


class InterfaceList(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.ModuleList([Rectify(), Scaled()])

    def forward(self, x: Tensor, index: int) -> Tensor:
        step: Activation = self.steps[index]
        return step.forward(x)


class HasClasses(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        counter = Counter(3)
        self.counter = counter
        self.holder = Holder(counter, 1.5)

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        y = self.holder(x)
        return y, self.counter.count


class MakesClasses(nn.Module):
    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, List[int]]:
        counter = Counter(n)
        for i in range(3):
            x = x + counter.add(i)
        return x, counter.seen


class HasEnums(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mode = Mode.MEAN
        self.shape = Shape.FLAT

    def forward(self, x: Tensor) -> Tuple[Tensor, str]:
        if self.mode == Mode.SUM:
            return x.sum(), self.shape.value
        return x.mean(), self.shape.name


class GivesTuples(nn.Module):
    def forward(self, x: Tensor) -> Pair:
        return Pair(x + 1, 4)


class HasAttributes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.names: Dict[str, int] = {"one": 1, "two": 2}
        self.sizes = [1, 2, 3]
        self.scales = [0.5, 1.5]
        self.flags = [True, False]
        self.words = ["a", 'b\n"quoted"', "ü"]
        self.empty: List[Tensor] = []
        self.tensors = [torch.ones(2), torch.zeros(2)]
        self.pairs: List[Tuple[int, str]] = [(1, "x")]
        self.nested: Dict[str, List[Optional[Tensor]]] = {"k": [None, torch.ones(1)]}
        self.maybe = torch.jit.Attribute(None, Optional[int])
        self.anything = torch.jit.Attribute(3, Any)
        self.point = (1, 2.5, "z")
        self.number = 7
        self.complex = 1 + 2j
        self.big = 2**40

    def forward(self, x: Tensor) -> Tuple[Tensor, Dict[str, int], List[int], str]:
        maybe = self.maybe
        if maybe is not None:
            x = x + maybe
        self.sizes.append(self.number)
        for tensor in self.tensors:
            x = x + tensor
        return x * self.point[1], self.names, self.sizes, self.words[1]


class HasConstants(nn.Module):
    width: Final[int]
    ratio: Final[float]
    labels: Final[List[str]]

    def __init__(self) -> None:
        super().__init__()
        self.width = 3
        self.ratio = 1e-5
        self.labels = ["p", "q"]
        self.table = torch.arange(6).view(2, 3)

    def forward(self, x: Tensor) -> Tuple[Tensor, str]:
        infinite = float("inf")
        x = torch.where(x > 1, torch.tensor([1.0, 2.0, 3.0]), x)
        return x.clamp(max=infinite) + self.width * self.ratio + self.table, self.labels[-1]


class OptionalMembers(nn.Module):
    def __init__(self, is_there: bool) -> None:
        super().__init__()
        self.extra = nn.Linear(3, 3) if is_there else None
        self.register_parameter("bias", None)
        self.register_buffer("nothing", None)

    def forward(self, x: Tensor, y: Optional[Tensor] = None) -> Tensor:
        if self.extra is not None:
            x = self.extra(x)
        if y is not None:
            x = x + y
        return x


class SharedTensors(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        base = torch.arange(6.0)
        self.register_buffer("whole", base)
        self.register_buffer("head", base[:3])
        self.register_buffer("columns", base.view(2, 3).t())
        self.one = nn.Linear(3, 3)
        self.two = nn.Linear(3, 3)
        self.two.weight = self.one.weight
        self.same = self.one

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        self.whole.add_(1)
        return self.same(self.two(x)) + self.head, self.columns, self.whole


class SeveralMethods(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0
        self.lin = nn.Linear(3, 2)

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        return self.decode(self.encode(x), 2)

    @torch.jit.export
    def encode(self, x: Tensor) -> Tensor:
        return self.lin(x)

    @torch.jit.export
    def decode(self, x: Tensor, k: int = 2) -> Tensor:
        return x * k

    def helper(self, x: Tensor) -> Tensor:
        return double_if(x, flag=self.steps > 1)

    @torch.jit.export
    def total(self, xs: List[Tensor], scale: Optional[float] = None) -> Dict[str, Tensor]:
        result: Dict[str, Tensor] = {}
        for i, x in enumerate(xs):
            result[str(i)] = self.helper(x)
        if scale is not None:
            result["scaled"] = xs[0] * scale
        return result


class Containers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.branches = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Tanh()})
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(3) * i) for i in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        for name, branch in self.branches.items():
            x = branch(x)
        for weight in self.weights:
            x = x + weight
        return x


class WithState(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.factor = 3

    @torch.jit.export
    def __getstate__(self) -> Tuple[int, bool]:
        return self.factor * 10, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[int, bool]) -> None:
        self.factor = state[0] // 10
        self.training = state[1]

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class KeepsState(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = WithState()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + 1


class Plain(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + 1


def before(self: Plain, input: Tuple[Tensor]) -> Tensor:
    return input[0] * 2


def after(self: Plain, input: Tuple[Tensor], output: Tensor) -> Tensor:
    return output * 3


def hooked() -> nn.Module:
    module = Plain()
    module.register_forward_pre_hook(before)
    module.register_forward_hook(after)
    return module


class AroundHooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = hooked()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


class ControlFlow(nn.Module):
    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int]:
        total = 0
        while total < n:
            total += 1
            if total == 3:
                continue
            x = x + 1
            if bool(x.sum() > 100):
                break
        squares = [i * i for i in range(n)]
        assert len(squares) == n, "wrong count"
        return x, total


class Raises(nn.Module):
    def forward(self, x: Tensor, n: int) -> Tensor:
        if n < 0:
            raise ValueError(f"negative: {n}")
        return x[:n]


class Forks(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        future = torch.jit.fork(double_if, x)
        other = double_if(x, False)
        return torch.jit.wait(future) + other


class GradMode(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            y = x * 2
        return y + 1


class Texts(nn.Module):
    def forward(self, x: Tensor, name: str) -> Tuple[str, List[str], Any]:
        text = "{}: {}".format(name, x.size(0))
        print(text, x.dim())
        return text.upper(), text.split(":"), x.dtype == torch.float32


class Dtypes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        kinds = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.float16,
                 torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.bool)  # fmt: skip
        for kind in kinds:
            self.register_buffer(str(kind)[6:] + "_values", torch.tensor([0, 1, 1]).to(kind))

    def forward(self, x: Tensor) -> Tensor:
        return x.to(torch.float64) + self.int8_values + self.bfloat16_values.to(torch.float64)
