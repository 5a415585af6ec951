"""How close kernels come to what the machine can do: bytes moved per second against a copy, operations against BLAS.

The limit is measured in the same process, between the rows: ``numpy.copyto`` between arrays that no cache holds, and
NumPy's product of float32 matrices. What PyTorch reaches of it stands beside.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from bench.fusion import THREADS, warmed_seconds
from bench.small import arrays, converted
from bench.timing import seconds_per_call

Shape = tuple[int, ...]
_BYTES = 4
_COPIED = 1 << 24
_SIDE = 1024
"""Rows and columns of the matrices whose product is the limit of operations."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A function of `x` and, if there are more shapes, `a`, `b`, and what it cannot do without."""

    label: str
    body: str
    shapes: tuple[Shape, ...]
    work: int
    """Bytes that must be read and written, or operations on numbers, a product and a sum being two."""


def _streamed(label: str, body: str, *shapes: Shape, written: Shape | None = None) -> Kernel:
    result = shapes[0] if written is None else written
    return Kernel(label, body, shapes, _BYTES * sum(map(prod, (*shapes, result))))


_LONG = (1 << 23,)
_ROWS = (8192, 1024)
_IMAGES = (8, 64, 112, 112)

STREAMED = (
    _streamed("x + a", "x + a", _LONG, _LONG),
    _streamed("chain of 7", "torch.relu((x * a + 1.5) * x - a) * 0.5 + x", _LONG, _LONG),
    _streamed("exp", "torch.exp(x)", _LONG),
    _streamed("gelu", "torch._C._nn.gelu(x) * 2.0", _LONG),
    _streamed("sum of rows", "(x * 2.0).sum(1)", _ROWS, written=(8192,)),
    _streamed("softmax of rows", "torch.softmax(x * 0.5, 1)", _ROWS),
    _streamed(
        "layer norm of rows", "torch.layer_norm(x, [1024], a, b)", _ROWS, _ROWS[1:], _ROWS[1:]
    ),
    _streamed(
        "batch norm of channels",
        "torch.batch_norm(x, a, a, a, b, False, 0.1, 1e-5, True)",
        _IMAGES,
        (64,),
        (64,),
    ),
    _streamed("transposed copy", "x.t().contiguous()", (2048, 2048)),
)

COMPUTED = (
    Kernel(
        "linear, 512 by 1024 to 1024",
        "torch._C._nn.linear(x, a, b)",
        ((512, 1024), (1024, 1024), (1024,)),
        2 * 512 * 1024 * 1024,
    ),
    Kernel(
        "3x3, 64 of 56²",
        "torch.conv2d(x, a, b, padding=1)",
        ((4, 64, 56, 56), (64, 64, 3, 3), (64,)),
        2 * 4 * 64 * 64 * 9 * 56 * 56,
    ),
    Kernel(
        "1x1, 256 to 64 of 56²",
        "torch.conv2d(x, a, b)",
        ((4, 256, 56, 56), (64, 256, 1, 1), (64,)),
        2 * 4 * 64 * 256 * 56 * 56,
    ),
    Kernel(
        "depthwise 3x3, 64 of 112²",
        "torch.conv2d(x, a, b, padding=1, groups=64)",
        ((4, 64, 112, 112), (64, 1, 3, 3), (64,)),
        2 * 4 * 64 * 9 * 112 * 112,
    ),
)


def main(_arguments: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(THREADS)
    tsc.set_num_threads(THREADS)
    print(f"{THREADS} threads; of the limit, what tsc and what torch.jit reach")
    with torch.no_grad():
        for kernels, limit, unit in (
            (STREAMED, copied_bytes, "GB/s of a copy's"),
            (COMPUTED, multiplied, "GFLOP/s of BLAS's"),
        ):
            print(f"{'':30s}{unit:>22s} {'tsc':>6s} {'torch.jit':>10s}")
            for kernel in kernels:
                _show(kernel, limit())


def _show(kernel: Kernel, limit: float) -> None:
    ours, theirs = (kernel.work / seconds for seconds in _seconds(kernel))
    reached = f"{ours / 1e9:8.1f} of {limit / 1e9:8.1f}"
    print(
        f"{kernel.label:30s}{reached:>22s} {ours / limit:6.2f} {theirs / limit:10.2f}", flush=True
    )


def _seconds(kernel: Kernel) -> tuple[float, float]:
    """Of a call of tsc's and of torch.jit's."""
    import torch

    import tsc

    names = ", ".join(f"{each}: Tensor" for each in ["x", *"abcd"[: len(kernel.shapes) - 1]])
    source = f"def f({names}) -> Tensor:\n    return {kernel.body}\n"
    given = arrays(kernel.shapes)
    own: list[Any] = [converted(tsc.from_numpy, each) for each in given]
    foreign: list[Any] = [converted(torch.from_numpy, each) for each in given]
    return (
        warmed_seconds(tsc.CompilationUnit(source).f, own),
        warmed_seconds(torch.jit.CompilationUnit(source).f, foreign),
    )


def copied_bytes() -> float:
    """Bytes a second, read and written, that copies move, one on each thread."""
    parts = [(np.ones(_COPIED, np.float32), np.ones(_COPIED, np.float32)) for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        seconds = _once(lambda: list(pool.map(lambda pair: np.copyto(*pair), parts)))
    return THREADS * 2 * parts[0][0].nbytes / seconds


def multiplied() -> float:
    """Operations a second of NumPy's product of matrices."""
    matrix = np.ones((_SIDE, _SIDE), np.float32)
    return 2 * _SIDE**3 / _once(lambda: matrix @ matrix)


def _once(function: Callable[[], object]) -> float:
    return seconds_per_call(function, budget=0.3)


if __name__ == "__main__":
    main([])
