"""Timing: the median of several runs, of a function in this process or of a whole process."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial


def seconds_per_call(function: Callable[[], object], budget: float = 0.6) -> float:
    """The median time of a call, in seconds, over batches that fill about `budget` seconds."""
    function()
    started = time.perf_counter()
    function()
    once = max(time.perf_counter() - started, 1e-7)
    batch = max(1, int(budget / 7 / once))
    samples: list[float] = []
    for _ in range(7):
        started = time.perf_counter()
        for _ in range(batch):
            function()
        samples.append((time.perf_counter() - started) / batch)
    return statistics.median(samples)


def process_seconds(command: Sequence[str], runs: int = 5) -> tuple[float, float]:
    """The median wall-clock and processor seconds of a whole process, after one run to warm up."""
    measured = [run_process(command) for _ in range(runs + 1)][1:]
    walls, processors = zip(*measured, strict=True)
    return statistics.median(walls), statistics.median(processors)


def run_process(command: Sequence[str]) -> tuple[float, float]:
    """The wall-clock and processor seconds of one run."""
    before = os.times()
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.perf_counter() - started
    after = os.times()
    processor = after.children_user + after.children_system
    return wall, processor - before.children_user - before.children_system


def seconds_in_turn(*functions: Callable[[], object], runs: int = 15) -> tuple[float, ...]:
    """The median time of each function, called one after another, round after round, after one to warm up."""
    rounds: list[list[float]] = []
    for _ in range(runs + 1):
        seconds: list[float] = []
        for function in functions:
            started = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - started)
        rounds.append(seconds)
    return tuple(statistics.median(each) for each in zip(*rounds[1:], strict=True))


def process_seconds_in_turn(commands: Sequence[Sequence[str]], runs: int = 7) -> tuple[float, ...]:
    """The median wall-clock time of each command, run one after another, round after round."""
    functions = [partial(run_process, command) for command in commands]
    return seconds_in_turn(*functions, runs=runs)
