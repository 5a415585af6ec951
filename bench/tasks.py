"""Forked tasks: two that run beside each other, against the same one after the other; and what a fork costs.

For tsc also the program in turn after `fork_independent_calls`, which forks one of the two by itself.
"""

from __future__ import annotations

import tempfile
from types import SimpleNamespace
from typing import Any

import numpy as np

from bench.speed import module_of
from bench.timing import seconds_in_turn

PROGRAMS = """
import torch
from torch import Tensor


def powers(x: Tensor, n: int) -> Tensor:
    result = x
    for _ in range(n):
        result = torch.mm(result, x)
    return result


def in_turn(x: Tensor, n: int) -> Tensor:
    return powers(x, n) + powers(x, n)


def forked(x: Tensor, n: int) -> Tensor:
    one = torch.jit.fork(powers, x, n)
    other = torch.jit.fork(powers, x, n)
    return torch.jit.wait(one) + torch.jit.wait(other)


def next_number(n: int) -> int:
    return n + 1


def thousand_forks(n: int) -> int:
    futures = [torch.jit.fork(next_number, i) for i in range(1000)]
    total = 0
    for future in futures:
        total += torch.jit.wait(future)
    return total
"""
EXTENT = 512
PRODUCTS = 10


def main(_: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(1)
    tsc.set_num_threads(1)
    matrix = np.random.default_rng(0).standard_normal((EXTENT, EXTENT), np.float32) / EXTENT
    unit = tsc.CompilationUnit(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        module = module_of(PROGRAMS, folder)
        x = tsc.from_numpy(matrix)
        report("tsc", unit, x)
        report_pass(unit.in_turn, x)
        names = ("in_turn", "forked", "thousand_forks")
        scripted = SimpleNamespace(**{n: torch.jit.script(getattr(module, n)) for n in names})
        report("torch.jit", scripted, torch.from_numpy(matrix))


def report_pass(in_turn: Any, x: Any) -> None:
    """The time of a program whose independent calls a pass has forked, over that of the program as it is."""
    import tsc

    graph = in_turn.graph.copy()
    tsc.run_pass("fork_independent_calls", graph)
    forked = tsc.script(graph)
    plain, parallel = seconds_in_turn(lambda: in_turn(x, PRODUCTS), lambda: forked(x, PRODUCTS))
    print(
        f"{'tsc':10s} the same after fork_independent_calls: {parallel / plain:.2f} of the time in turn"
    )


def report(label: str, programs: Any, x: Any) -> None:
    """One line: the time of both forked products over that of both in turn, and of a fork with its wait."""
    in_turn, forked, thousand = seconds_in_turn(
        lambda: programs.in_turn(x, PRODUCTS),
        lambda: programs.forked(x, PRODUCTS),
        lambda: programs.thousand_forks(0),
    )
    print(
        f"{label:10s} two tasks of {PRODUCTS} products of {EXTENT}x{EXTENT}: {forked / in_turn:.2f} of the time in turn"
        f" ({in_turn * 1e3:.0f} ms); a fork and its wait {thousand * 1e3:.1f} µs",
        flush=True,
    )
