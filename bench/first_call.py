"""First call: from a Python function to its first result as a compiled one, in a process that has run others, beside
torch.jit, and the most memory that the process had.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bench import native, small
from bench.ratio_table import RatioTable
from bench.speed import PROGRAMS as SPEED
from bench.speed import cases, module_of

RUNS = 9
LOOPS = ("collatz", "sieve", "edit_distance")
FORWARD_PASSES: list[tuple[str, str, tuple[int, ...]]] = [
    ("ResNet-18, one image of 64x64", "resnet18", (0, 1, 64)),
    ("transformer, 2 layers, 1x16 tokens, width 64", "transformer", (0, 1, 16, 64, 2, 4)),
]
"""A label, a program, and the arguments of its ``example``, which makes those of ``forward``."""


def main(_: list[str]) -> None:
    import torch

    import tsc
    from tsc.runtime.native.code.background import BACKGROUND

    torch.set_num_threads(1)
    BACKGROUND.is_immediate = False  # as it is for users
    table = RatioTable(48, unit="ms")
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        for label, text, name, arguments in programs():
            ours, theirs = (
                [small.converted(library.from_numpy, each) for each in arguments]
                for library in (tsc, torch)
            )
            table.add(label, *first_calls(text, name, ours, theirs, folder))
        for label, program, example in FORWARD_PASSES:
            text = native.SOURCE.with_name(f"{program}.py").read_text(encoding="utf-8")
            ours = tsc.CompilationUnit(text).example(*example)
            theirs = module_of(text, folder).example(*example)
            table.add(label, *first_calls(text, "forward", ours, theirs, folder))
    table.end()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory of the process: {peak:.0f} MB")


def programs() -> Iterator[tuple[str, str, str, Sequence[Any]]]:
    """A label, a text, a function in it, and its arguments, of which arrays become tensors."""
    loops = native.cases()
    text = native.SOURCE.read_text(encoding="utf-8")
    yield from ((f"loop: {name}", text, name, loops[name]) for name in LOOPS)
    yield from ((each.label, SPEED, each.function, each.arguments) for each in cases())
    text = small.PROGRAM.read_text(encoding="utf-8")
    yield from ((label, text, name, small.arrays(shapes)) for label, name, shapes in small.CASES)
    for count in (10, 50, 500):
        yield f"{count} pointwise operators", straight(count), "f", small.arrays(((4,),))


def straight(operators: int) -> str:
    """A function of so many operators without a loop."""
    body = "".join(f"    x = x * {each}.5 + {each}\n" for each in range(operators // 2))
    return f"from torch import Tensor\n\n\ndef f(x: Tensor) -> Tensor:\n{body}    return x\n"


def first_calls(
    text: str, name: str, ours: Sequence[Any], theirs: Sequence[Any], folder: str
) -> tuple[float, float]:
    """The median seconds of some first calls of tsc and of torch.jit, which take turns."""
    import torch

    import tsc

    rounds: list[tuple[float, float]] = []
    for run in range(RUNS + 1):
        function = getattr(module_of(f"{text}\n# {run}\n", folder), name)
        rounds.append(
            (seconds_of(tsc.script, function, ours), seconds_of(torch.jit.script, function, theirs))
        )
    mine, right = zip(*rounds[1:], strict=True)
    return statistics.median(mine), statistics.median(right)


def seconds_of(script: Any, function: Any, arguments: Sequence[Any]) -> float:
    started = time.perf_counter()
    script(function)(*arguments)
    return time.perf_counter() - started
