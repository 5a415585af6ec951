"""Speed: calls of compiled functions against torch.jit, in one process, as ratios."""

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

from bench.timing import seconds_per_call

PROGRAMS = """
import torch
from torch import Tensor
from typing import List


def collatz(limit: int) -> int:
    longest = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


def mandelbrot(size: int, limit: int) -> int:
    total = 0
    for row in range(size):
        for column in range(size):
            a = 3.0 * column / size - 2.0
            b = 2.0 * row / size - 1.0
            x = 0.0
            y = 0.0
            for i in range(limit):
                x, y = x * x - y * y + a, 2.0 * x * y + b
                if x * x + y * y > 4.0:
                    break
                total += 1
    return total


def sieve(limit: int) -> int:
    composite = [False for _ in range(limit)]
    count = 0
    for n in range(2, limit):
        if not composite[n]:
            count += 1
            for multiple in range(n * n, limit, n):
                composite[multiple] = True
    return count


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
    wanted: float


def arrays(*shapes: tuple[int, ...]) -> tuple[Any, ...]:
    """Reproducible float32 arrays of the given shapes."""
    generator = np.random.default_rng(0)
    return tuple(generator.standard_normal(shape, dtype=np.float32) for shape in shapes)


def cases() -> list[Case]:
    cell = arrays((10, 4, 16), (4, 32), (4, 32), (16, 128), (32, 128), (128,))
    return [
        Case("scalar loop: collatz", "collatz", (300,), 20.0),
        Case("scalar loop: mandelbrot", "mandelbrot", (16, 40), 20.0),
        Case("list loop: sieve", "sieve", (3000,), 20.0),
        Case("LSTM, 10 steps, 4x32", "lstm", cell, 1.5),
        Case("pointwise chain, 8 elements", "chain", arrays((8,), (8,)), 1.5),
        Case("pointwise chain, 10^4 elements", "chain", arrays((10_000,), (10_000,)), 1.5),
        Case("pointwise chain, 10^6 elements", "chain", arrays((1_000_000,), (1_000_000,)), 1.5),
        Case("small tensors in a loop", "small_tensors", (*arrays((4,)), 100), 1.5),
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
        print(f"{'':32s} {'tsc':>12s} {'torch.jit':>12s} {'ratio':>7s}")
        for case in cases():
            scripted = torch.jit.script(getattr(module, case.function))
            theirs = tuple(to(torch.from_numpy, argument) for argument in case.arguments)
            ours = tuple(to(tsc.from_numpy, argument) for argument in case.arguments)
            reference = measured(scripted, theirs)
            seconds = measured(getattr(unit, case.function), ours)
            print(
                f"{case.label:32s} {seconds * 1e6:9.1f} µs {reference * 1e6:9.1f} µs "
                f"{seconds / reference:7.2f}   (wanted: at most {case.wanted:g})",
                flush=True,
            )


def to(convert: Callable[[Any], Any], argument: Any) -> Any:
    return convert(argument.copy()) if isinstance(argument, np.ndarray) else argument
