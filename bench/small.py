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
    ("torch.gru, 20 steps, 1x32", "sequence", ((20, 1, 16), (1, 1, 32), *GRU)),
    ("beam search step, 4 of 100", "beam_step", ((4,), (4, 100), (4, 32))),
    (
        "decoder step, 16 tokens",
        "decoder_step",
        ((1, 64), (4, 16, 16), (4, 16, 16), *((64, 64),) * 4),
    ),
    (
        "policy gradient terms, 16",
        "policy",
        ((16, 8), (16, 2), (32, 8), (32,), (2, 32), (2,), (2,)),
    ),
    ("extended Kalman filter", "extended_kalman", ((4,), (4, 4), (2,), (4, 4), (2, 2))),
    (
        "voice features, 512 samples",
        "voice",
        ((512,), (64,), (64, 32), (24, 16), (24,), (1, 24), (1,)),
    ),
    (
        "autoencoder, 8x32",
        "autoencoder",
        ((8, 32), (8, 4), (24, 32), (24,), (8, 24), (8,), (32, 4), (32,)),
    ),
    ("mixture of experts, 8x16", "mixture", ((8, 16), (16, 4), (4, 16, 16))),
    ("rotations by quaternions, 16", "rotated", ((16, 4), (16, 3))),
    (
        "Kalman filter, 10 steps",
        "kalman_sequence",
        ((10, 2), (4,), (4, 4), (4, 4), (2, 4), (4, 4), (2, 2)),
    ),
    ("lstm_cell in a loop, 1x32", "cells", ((10, 1, 32), (1, 32), (1, 32), *CELL[1:])),
    (
        "voice detection, 64 samples",
        "voice_detection",
        (
            *((1, 64), (2, 1, 32), (1, 16), (34, 1, 32), (24, 17, 3), (24,), (32, 24, 3), (32,)),
            *(*CELL[1:], (1, 32, 1), (1,)),
        ),
    ),
    ("experts by rows, 8x16", "routed_experts", ((8, 16), (16, 4), (4, 16, 32), (4, 32, 16))),
    ("position by ranges", "ranges", ((4,), (4, 4), (3,), (3, 2), (4, 4), (3, 3))),
    (
        "CNN with averages, 12x12",
        "averaged_cnn",
        ((1, 1, 12, 12), (4, 1, 3, 3), (4,), (8, 4, 2, 2), (8,), (10, 32), (10,)),
    ),
]
"""A label, a function, and the shapes of its arguments."""

FLOW = ((4, 4),) * 4
CACHED = ((1, 64), (4, 32, 16), (4, 32, 16))
FLAGS = [np.linspace(-1, 1, 32, dtype=np.float32), np.tile(np.float32([0, 0, 0, 1]), 8)]
ADAM = ((32, 16), (32,), (10, 32), (10,))
QUARTERS = np.float32([0.25, 0.5, 0.75])
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
    cases.append(("flow, 4 layers of 16x8", "flow", [*arrays(((16, 8),)), *[arrays(FLOW)] * 2]))
    cases.append(("suppression of 50 boxes", "suppress", [*boxes(50), 0.5]))
    cases += [
        ("suppression by a mask, 20", "masked_suppression", [*boxes(20), 0.3]),
        ("decoder with a cache", "cached_decoder", [*arrays(CACHED), 9, *arrays(((64, 64),) * 4)]),
        ("action values, 32", "action_values", [*arrays(((32, 6),) * 3), names(6, 32), *FLAGS]),
        ("likely words, 64", "likely_words", [*arrays(((2, 64),)), 0.9]),
        ("contrastive loss, 8x16", "contrastive", [*arrays(((8, 16),) * 2), 10.0]),
        (
            "graph convolution, 30 edges",
            "graph_convolution",
            [*arrays(((10, 8),)), names(10, 30), names(10, 30), *arrays(((8, 16),))],
        ),
        (
            "cross attention, 8 of 12",
            "cross_attention",
            [*arrays(((8, 32), (12, 32))), names(10, 12)[None] > 1, *arrays(((32, 32),) * 4)],
        ),
        ("clipping by masks, 8x8", "clipped", [*arrays(((8, 8),)), -0.2, 0.2]),
        ("molecule of 12 atoms", "molecule", [*arrays(((12, 3),)), 0.5]),
        ("most likely words, 20 of 200", "most_likely", [*arrays(((2, 200),)), 20]),
        (
            "recursive filter, 50 samples",
            "recursive_filter",
            [*arrays(((2, 50),)), -1.5, 0.7, 0.1, 0.2],
        ),
        ("scale by quantiles, 4x50", "robust_scale", [*arrays(((4, 50),)), QUARTERS]),
        ("particles resampled, 50", "resampled", [*arrays(((50, 2), (2,))), 0.3]),
        ("peaks of a heat map, 12x12", "peaks", [*arrays(((1, 12, 12),)), 5]),
    ]
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


def names(limit: int, count: int) -> Any:
    """Reproducible integers below a limit."""
    return np.random.default_rng(0).integers(0, limit, count)


def boxes(count: int) -> list[Any]:
    """Corners of random boxes, and their scores."""
    generator = np.random.default_rng(0)
    first, extent = generator.random((2, count, 2), np.float32)
    return [np.concatenate([first, first + extent * 0.5], 1), generator.random(count, np.float32)]


def converted(convert: Any, argument: Any) -> Any:
    if isinstance(argument, list):
        return [converted(convert, each) for each in argument]
    return to(convert, argument)
