"""Small tensors: recurrent cells, a perceptron, attention, filters, an optimizer's step, as ratios to torch.jit."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench.fusion import THREADS, warmed_seconds
from bench.ratio_table import RatioTable
from bench.speed import module_of, to

PROGRAM = Path(__file__).parent / "programs" / "small.py"
CELL = ((32,), (128, 32), (128, 32), (128,), (128,))
GRU = ((96, 16), (96, 32), (96,), (96,))

CASES: list[tuple[str, str, tuple[tuple[int, ...], ...]]] = [
    ("LSTM cell, 1x32", "lstm_cell", ((1, 32), (1, 32), (1, 32), *CELL[1:])),
    ("LSTM, 10 steps, 1x32", "lstm", ((10, 1, 32), (1, 32), (1, 32), *CELL[1:])),
    ("GRU cell, 4x32", "gru_cell", ((4, 16), (4, 32), *GRU)),
    ("GRU, 10 steps, 4x32", "gru", ((10, 4, 16), (4, 32), *GRU)),
    ("MLP, 8x32", "mlp", ((8, 32), (64, 32), (64,), (64, 64), (64,), (10, 64), (10,))),
    (
        "CNN, one image of 8x8",
        "cnn",
        ((1, 3, 8, 8), (8, 3, 3, 3), (8,), (16, 8, 3, 3), (16,), (10, 64), (10,)),
    ),
    (
        "transformer block, 16x64",
        "transformer_block",
        ((16, 64), (192, 64), (192,), (64, 64), (64,), (256, 64), (256,), (64, 256), (64,)),
    ),
    ("Kalman filter, 4 states", "kalman", ((4, 1), (4, 4), (2, 1), (4, 4), (2, 4), (4, 4), (2, 2))),
    ("box decoding, 100", "boxes", ((100, 4), (100, 4), (100,))),
    (
        "streaming, 4 steps",
        "streaming",
        (
            *((1, 8, 16), (1, 32), (1, 32), (16, 8, 3), (16,), (32, 16, 3), (32,)),
            *(CELL[1:]),
            *((1, 32), (1,)),
        ),
    ),
]
"""A label, a function, and the shapes of its arguments."""

ADAM = ((32, 16), (32,), (10, 32), (10,))
WANTED_MEAN, WANTED_LEAST = 3.0, 1.5


def main(arguments: list[str]) -> None:
    """With the number of threads that each side takes, if not two."""
    import torch

    import tsc

    threads = int(arguments[0]) if arguments else THREADS
    torch.set_num_threads(threads)
    tsc.set_num_threads(threads)
    source = PROGRAM.read_text(encoding="utf-8")
    unit = tsc.CompilationUnit(source)
    cases = [(label, name, arrays(shapes)) for label, name, shapes in CASES]
    cases.append(("Adam step, 4 parameters", "adam", ([arrays(ADAM)] * 4 + [5])))
    table = RatioTable(28)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        module = module_of(source, folder)
        for label, name, given in cases:
            ours = [converted(tsc.from_numpy, each) for each in given]
            theirs = [converted(torch.from_numpy, each) for each in given]
            seconds = warmed_seconds(getattr(unit, name), ours)
            reference = warmed_seconds(torch.jit.script(getattr(module, name)), theirs)
            table.add(label, seconds, reference)
    table.end(WANTED_MEAN, WANTED_LEAST)


def arrays(shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """Reproducible float32 arrays, small enough for what adds them up; squares of differences are none below zero."""
    generator = np.random.default_rng(0)
    made = [generator.standard_normal(shape, dtype=np.float32) * 0.25 for shape in shapes]
    return [np.abs(each) if each.ndim == 1 else each for each in made]


def converted(convert: Any, argument: Any) -> Any:
    if isinstance(argument, list):
        return [converted(convert, each) for each in argument]
    return to(convert, argument)
