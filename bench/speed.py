"""Chains of operators on small and large tensors, and steps of an LSTM, as ratios to torch.jit on one thread.

`bench.native` has the loops over numbers and lists, `bench.small` more programs of small tensors.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.ratio_table import RatioTable
from bench.timing import seconds_per_call

PROGRAMS = """
import torch
from torch import Tensor
from typing import List


def lstm(x: Tensor, h: Tensor, c: Tensor, w_ih: Tensor, w_hh: Tensor, b: Tensor) -> Tensor:
    for i in range(x.size(0)):
        gates = torch.mm(x[i], w_ih) + torch.mm(h, w_hh) + b
        ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
        c = torch.sigmoid(forgetgate) * c + torch.sigmoid(ingate) * torch.tanh(cellgate)
        h = torch.sigmoid(outgate) * torch.tanh(c)
    return h


def chain(x: Tensor, y: Tensor) -> Tensor:
    a = x * y + x
    b = torch.relu(a - 0.5) * 2.0
    c = torch.sigmoid(b) + torch.tanh(a)
    return (c * c + a) / (b + 1.5)


def small_tensors(x: Tensor, n: int) -> Tensor:
    total = torch.zeros_like(x)
    for i in range(n):
        total = total + x * i
        if i % 4 == 0:
            total = total - 1.0
    return total
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One measurement: a function and its arguments (arrays become tensors on both sides)."""

    label: str
    function: str
    arguments: tuple[Any, ...]


def arrays(*shapes: tuple[int, ...]) -> tuple[Any, ...]:
    """Reproducible float32 arrays of the given shapes."""
    generator = np.random.default_rng(0)
    return tuple(generator.standard_normal(shape, dtype=np.float32) for shape in shapes)


def cases() -> list[Case]:
    cell = arrays((10, 4, 16), (4, 32), (4, 32), (16, 128), (32, 128), (128,))
    return [
        Case("LSTM, 10 steps, 4x32", "lstm", cell),
        Case("pointwise chain, 8 elements", "chain", arrays((8,), (8,))),
        Case("pointwise chain, 10^4 elements", "chain", arrays((10_000,), (10_000,))),
        Case("pointwise chain, 10^6 elements", "chain", arrays((1_000_000,), (1_000_000,))),
        Case("small tensors in a loop", "small_tensors", (*arrays((4,)), 100)),
    ]


def module_of(source: str, folder: str) -> Any:
    """A program as a Python module, for PyTorch's frontend, which reads its file."""
    path = Path(folder) / f"program_{zlib.crc32(source.encode()):08x}.py"
    path.write_text(source)
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[path.stem] = module
    specification.loader.exec_module(module)
    return module


def measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Seconds a call, after PyTorch's profiling executor has settled."""
    for _ in range(4):
        function(*arguments)
    return seconds_per_call(lambda: function(*arguments))


def main(_: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(1)
    unit = tsc.CompilationUnit(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        module = module_of(PROGRAMS, folder)
        table = RatioTable(32)
        for case in cases():
            scripted = torch.jit.script(getattr(module, case.function))
            theirs = tuple(to(torch.from_numpy, argument) for argument in case.arguments)
            ours = tuple(to(tsc.from_numpy, argument) for argument in case.arguments)
            reference = measured(scripted, theirs)
            seconds = measured(getattr(unit, case.function), ours)
            table.add(case.label, seconds, reference)
    table.end()


def to(convert: Callable[[Any], Any], argument: Any) -> Any:
    return convert(argument.copy()) if isinstance(argument, np.ndarray) else argument
