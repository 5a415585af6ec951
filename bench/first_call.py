"""First call: from a Python function or an archive to the first result, in a process that has run others, beside
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
from bench.models import MODELS, Model
from bench.ratio_table import RatioTable
from bench.speed import PROGRAMS as SPEED
from bench.speed import cases, module_of

RUNS = 9
LOOPS = ("collatz", "sieve", "edit_distance")
ARCHIVES = ("ResNet-18", "ViT-B", "LSTM over 152 bytes", "policy of 24 numbers")


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
        for model in MODELS:
            if model.label in ARCHIVES:
                table.add(f"archive: {model.label}", *first_calls_of_archive(model, folder))
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

    functions = (getattr(module_of(f"{text}\n# {run}\n", folder), name) for run in range(RUNS + 1))
    return medians(
        (seconds_of(tsc.script, each, ours), seconds_of(torch.jit.script, each, theirs))
        for each in functions
    )


def first_calls_of_archive(model: Model, folder: str) -> tuple[float, float]:
    """The same from an archive on."""
    import torch

    import tsc

    path = f"{folder}/{model.name}.pt"
    example = model.example(1)
    torch.jit.script(model.made(folder)).save(path)
    ours, theirs = [tsc.from_numpy(example.numpy())], [example]
    return medians(
        (seconds_of(tsc.load, path, ours), seconds_of(torch.jit.load, path, theirs))
        for _ in range(RUNS + 1)
    )


def medians(rounds: Iterator[tuple[float, float]]) -> tuple[float, float]:
    """Of each side, without the first round."""
    mine, right = zip(*list(rounds)[1:], strict=True)
    return statistics.median(mine), statistics.median(right)


def seconds_of(make: Any, source: Any, arguments: Sequence[Any]) -> float:
    started = time.perf_counter()
    make(source)(*arguments)
    return time.perf_counter() - started
