"""Whole forward passes in source form, end to end, against PyTorch in the same process."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from bench.ratio_table import RatioTable
from bench.speed import measured, module_of

PROGRAMS = Path(__file__).parent / "programs"

MODELS: list[tuple[str, str, tuple[int, ...]]] = [
    ("ResNet-18, one image of 64x64", "resnet18", (0, 1, 64)),
    ("ResNet-18, one image of 224x224", "resnet18", (0, 1, 224)),
    ("transformer, 2 layers, 1x16 tokens, width 64", "transformer", (0, 1, 16, 64, 2, 4)),
    ("transformer, 4 layers, 4x128 tokens, width 256", "transformer", (0, 4, 128, 256, 4, 8)),
]
"""A label, a program, and the arguments of its ``example``, which makes those of ``forward``."""


def largest_difference(ours: Any, theirs: Any) -> float:
    """Relative to the largest value of the reference."""
    reference = theirs.detach().numpy()
    return float(abs(ours.detach().numpy() - reference).max() / abs(reference).max())


def main(_: list[str]) -> None:
    import torch

    import tsc

    torch.set_num_threads(1)
    table = RatioTable(48, "ms")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        for label, program, example in MODELS:
            source = (PROGRAMS / f"{program}.py").read_text(encoding="utf-8")
            unit, module = tsc.CompilationUnit(source), module_of(source, folder)
            scripted = torch.jit.script(module.forward)
            mine, theirs = unit.example(*example), module.example(*example)
            apart = largest_difference(unit.forward(*mine), scripted(*theirs))
            seconds = measured(unit.forward, mine)
            reference = measured(scripted, theirs)
            table.add(label, seconds, reference, f"   (difference: {apart:.1e})")
    table.end()
