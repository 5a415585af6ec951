"""Loops over numbers, lists, objects, elements of tensors: torch.jit's best time over ours, and the geometric mean."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.ratio_table import RatioTable
from bench.speed import arrays, module_of, to

SOURCE = Path(__file__).parent / "programs" / "loops.py"
THREADS = 2
SECONDS = 0.4
_SETTLED = 0.9
"""How much faster a call is than the best one before, where it is not merely a lucky one."""
"""Spent on each side of each program, at least; the best time of a call counts."""
FEWEST_CALLS = 4
"""PyTorch's profiling executor has settled by then."""
WANTED_MEAN, WANTED_LEAST = 30.0, 5.0


def numbers(count: int, limit: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(0, limit, count).tolist()


def letters(count: int, seed: int) -> str:
    return "".join(chr(97 + each) for each in numbers(count, 4, seed))


def rows(count: int) -> list[list[float]]:
    return np.random.default_rng(count).standard_normal((count, count)).tolist()


def boxes(count: int) -> tuple[Any, ...]:
    random = np.random.default_rng(0)
    corners = random.random((count, 2), np.float32) * 8
    return np.concatenate([corners, corners + 1], 1), random.random(count, np.float32)


def cases() -> dict[str, tuple[Any, ...]]:
    """The arguments of each program."""
    floats = [each / 1000 for each in numbers(500, 1000)]
    points = list(zip(numbers(400, 1000, 5), numbers(400, 1000, 6)))
    edges = [[(to, 1.0 + to % 7) for to in numbers(5, 60, each)] for each in range(60)]
    intervals = [(begin, begin + 3) for begin in numbers(3000, 20_000)]
    return {
        "collatz": (300,),
        "mandelbrot": (24, 40),
        "coprimes": (120,),
        "primes_by_division": (3000,),
        "bisection": (200,),
        "newton": (400,),
        "random_walk": (10_000,),
        "sieve": (5000,),
        "bodies": (200,),
        "product_of_lists": (rows(24), rows(24)),
        "queens": (6,),
        "edit_distance": (numbers(90, 4, 1), numbers(90, 4, 2)),
        "edit_distance_of_strings": (letters(90, 1), letters(90, 2)),
        "common_subsequence": (numbers(90, 4, 1), numbers(90, 4, 2)),
        "knapsack": (numbers(20, 40), numbers(20, 100), 500),
        "shortest_paths": (24,),
        "insertion_sort": (numbers(200, 1000),),
        "quick_sort": (numbers(1000, 1000),),
        "merged_intervals": (intervals,),
        "windows": (numbers(2000, 1000), 20),
        "life": (12, 5),
        "balanced": ("([])" * 300,),
        "matches": (letters(1000, 3), letters(4, 4)),
        "failure_table": (letters(1000, 5),),
        "parsed_numbers": ("12 345,6;" * 150,),
        "moving_medians": (floats, 9),
        "convex_hull": (points,),
        "distances_from": (edges, 0),
        "heap_sort": (floats,),
        "beam_search": (rows(10), 3),
        "determinant": (rows(16),),
        "run_lengths": (numbers(1000, 2),),
        "product_of_tensors": arrays((16, 16), (16, 16), (16, 16)),
        "warping": arrays((50,), (50,)),
        "viterbi": arrays((30, 10), (10, 10)),
        "suppression": (*boxes(60), 0.3),
        "ctc": (*arrays((60, 30)), 0),
        "convolution": arrays((14, 14), (3, 3), (12, 12)),
        "running_sum": arrays((20, 100), (20, 100)),
        "histogram": (np.array(numbers(2000, 1000)), np.zeros(16, np.int64)),
        "clusters": (*arrays((60, 4), (8, 4)), np.zeros(60, np.int64)),
        "relaxation": (*arrays((16, 16)), 5),
        "scalar_product": (floats * 2, floats * 2),
        "prefix_sums": (numbers(2000, 100),),
        "merge_sort": (numbers(500, 1000),),
        "chunks": (numbers(2000, 100), 7),
        "rotated": (numbers(200, 100), 50),
        "viterbi_of_lists": (rows(40), rows(40)),
        "life_of_lists": ([numbers(16, 2, each) for each in range(16)], 3),
        "area_by_chance": (3000,),
        "stack_machine": ([each - 3 for each in numbers(2000, 10)],),
        "walk_of_objects": (1000,),
        "templates": (["ab", "c", "def"], 500),
        "padded": ([numbers(3 + each % 10, 50, each) for each in range(64)], 12, 0),
    }


def main(chosen: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(THREADS)
    tsc.set_num_threads(THREADS)
    source = SOURCE.read_text(encoding="utf-8")
    unit, table = tsc.CompilationUnit(source), RatioTable(26)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        module = module_of(source, folder)
        for name, arguments in cases().items():
            if chosen and name not in chosen:
                continue
            theirs = tuple(to(torch.from_numpy, each) for each in arguments)
            ours = tuple(to(tsc.from_numpy, each) for each in arguments)
            reference = best_seconds(torch.jit.script(getattr(module, name)), theirs)
            seconds = best_seconds(getattr(unit, name), ours)
            table.add(name, seconds, reference)
    table.end(WANTED_MEAN, WANTED_LEAST)


def best_seconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Of a call, over calls that take `SECONDS` together."""
    function(*arguments)  # makes plans
    best, calls, end = math.inf, 0, time.perf_counter() + SECONDS
    while calls < FEWEST_CALLS or time.perf_counter() < end:
        started = time.perf_counter()
        function(*arguments)
        took, calls = time.perf_counter() - started, calls + 1
        if took < best * _SETTLED:  # its code may just have been made
            end = max(end, time.perf_counter() + SECONDS / 2)
        best = min(best, took)
    return best
