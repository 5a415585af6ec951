"""Modules of PyTorch whose archives are read here, and what PyTorch says that is in them.

Annotations are evaluated, as PyTorch's compiler wants them to be.
"""

import enum
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from tsc.runtime.serialization.records import (
    ContainerRecord,
    EnumRecord,
    ObjectRecord,
)


class Pair(NamedTuple):
    number: int
    tensor: torch.Tensor


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Name(enum.Enum):
    FIRST = "first"


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.history = [start]
        self.weights = torch.ones(2)


class Attributes(torch.nn.Module):
    """One attribute of each type that PyTorch saves."""

    pair: Pair
    color: Color
    name: Name

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(2, 3)
        self.register_buffer("buffer", torch.arange(4.0))
        self.register_buffer("passing", torch.arange(2), persistent=False)
        self.counter = Counter(3)
        self.pair = Pair(1, torch.ones(2))
        self.color, self.name = Color.BLUE, Name.FIRST
        self.flag, self.count, self.ratio, self.text = True, 2**40, 0.1, "grün \n"
        self.negative, self.short, self.middle = -7, 200, 70000
        self.complex_number, self.nothing = 1.5 - 2j, None
        self.integers, self.numbers, self.flags = [1, 300, -(2**50)], [0.5, 1e300], [True, False]
        self.complex_numbers, self.texts = [1j, 2 + 0j], ["a", "b", "a"]
        self.tensors = [torch.ones(1), torch.zeros(2, 2)]
        self.maybe: int | None = None
        self.maybe_list: list[int | None] = [None, 4]
        self.nested = [[1], [2, 3]]
        self.by_name = {"x": 1, "y": 2}
        self.by_number: dict[int, torch.Tensor] = {7: torch.ones(2)}
        self.by_ratio = {0.5: ["half"]}
        self.mixed = (1, "x", 2.5, None, torch.ones(1))
        self.empty: list[int] = []
        self.no_names: dict[str, float] = {}
        self.device, self.other_device = torch.device("cpu"), torch.device("cuda:1")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.color == Color.RED and self.name == Name.FIRST:
            return self.linear(x) * self.pair[0]
        return self.linear(x) + self.counter.count + torch.tensor([0.5, 1.5, 2.5])


class Tensors(torch.nn.Module):
    """Tensors of all dtypes that are computed with, and views of shared storages."""

    def __init__(self) -> None:
        super().__init__()
        for dtype in (*FLOATING, *INTEGRAL, torch.bool):
            name = str(dtype).removeprefix("torch.")
            self.register_buffer(f"of_{name}", torch.tensor([[0, 1], [2, 3]]).to(dtype))
        base = torch.arange(12.0)
        self.base, self.part, self.turned = base, base[3:9], base.view(3, 4).t()
        self.strided, self.repeated = base[1::3], torch.ones(1).expand(3)
        self.scalar, self.empty = torch.tensor(2.5), torch.empty(0, 3)
        self.parameter = torch.nn.Parameter(base.view(4, 3))
        self.last = torch.ones(1, 2, 2, 2).contiguous(memory_format=torch.channels_last)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.base


class State(torch.nn.Module):
    """A module with a state of its own making."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = torch.ones(2)

    @torch.jit.export
    def __getstate__(self) -> tuple[torch.Tensor, int, bool]:
        return self.weights, 3, self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[torch.Tensor, int, bool]) -> None:
        self.weights, self.training = state[0], state[2]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.weights


class Small(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) + torch.tensor([1.0, 2.0])


FLOATING = (
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
)
INTEGRAL = (
    *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.uint16, torch.uint32, torch.uint64),
)


def _saved(module: torch.nn.Module) -> Callable[[Path], None]:
    def save(path: Path) -> None:
        torch.jit.save(torch.jit.script(module), path, _extra_files={"note.txt": "hello"})

    return save


def _save_traced(path: Path) -> None:
    torch.jit.save(torch.jit.trace(Small().eval(), torch.ones(1, 2)), path)


def _save_frozen(path: Path) -> None:
    torch.jit.save(torch.jit.freeze(torch.jit.script(Small().eval())), path)


def _save_mobile(path: Path) -> None:
    torch.jit.script(Small())._save_for_lite_interpreter(str(path))


def _checkpoint() -> dict[str, Any]:
    module = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    shared = torch.arange(6.0)
    return {
        "model": module.state_dict(),
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "views": [shared, shared[2:4]],
        "wide": torch.ones(2, dtype=torch.uint16),
        "conjugated": torch.tensor([1 + 2j]).conj(),
        "epoch": 3,
        "size": torch.Size([2, 3]),
        "device": torch.device("cpu"),
    }


def _save_legacy(path: Path) -> None:
    """PyTorch itself cannot read what it writes of the dtypes that came later."""
    values = {name: value for name, value in _checkpoint().items() if name != "wide"}
    torch.save(values, path, _use_new_zipfile_serialization=False)


ARCHIVES: dict[str, Callable[[Path], None]] = {
    "attributes.pt": _saved(Attributes()),
    "tensors.pt": _saved(Tensors()),
    "state.pt": _saved(State()),
    "frozen.pt": _save_frozen,
    "mobile.ptl": _save_mobile,
    "checkpoint.pth": lambda path: torch.save(_checkpoint(), path),
    "legacy.pth": _save_legacy,
    "whole.pth": lambda path: torch.save(torch.nn.Linear(1, 1), path),
}
"""How each archive of the folder ``archives`` was written."""
LIVE_ARCHIVES: dict[str, Callable[[Path], None]] = {**ARCHIVES, "traced.pt": _save_traced}
"""Also those that hold paths of the machine on which they were written."""
READ_AS_MODULES = ("attributes.pt", "tensors.pt", "traced.pt")
READ_AS_VALUES = ("checkpoint.pth", "legacy.pth")


def described_by_pytorch(value: Any, record: Any) -> Any:
    """What PyTorch has where an archive has `record`, in the form of `samples.described`."""
    if isinstance(value, torch.Tensor):
        return _described_tensor(value)
    if isinstance(record, ObjectRecord):
        state = {
            name: described_by_pytorch(getattr(value, name), of)
            for name, of in record.state.items()
        }
        return {"class": record.class_name, "state": {"dict": [[*item] for item in state.items()]}}
    if isinstance(record, EnumRecord):
        return {"enum": value.value}
    if isinstance(record, ContainerRecord):
        record = record.value
    if isinstance(record, dict):
        pairs = zip(value.items(), record.items())
        return {"dict": [[key, described_by_pytorch(item, of)] for (key, item), (_, of) in pairs]}
    if isinstance(record, (list, tuple)):
        items = [described_by_pytorch(item, of) for item, of in zip(value, record)]
        return {type(record).__name__: items}
    if isinstance(value, (complex, torch.device)):
        return str(value)
    return list(value) if isinstance(value, torch.Size) else value


def _described_tensor(tensor: torch.Tensor) -> dict[str, Any]:
    if tensor.is_quantized:
        return {"quantized": str(tensor.dtype), "sizes": list(tensor.shape)}
    values = tensor.detach().tolist()
    return {
        "dtype": str(tensor.dtype),
        "sizes": list(tensor.shape),
        "values": str(values) if tensor.is_complex() else values,
        "requires_grad": tensor.requires_grad,
    }
