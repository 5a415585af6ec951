"""Loading archives: from a new process, to a first result, once more in the same process; and listing 2 GB.

tsc and PyTorch take turns, so that both meet the same machine; each time is the median of several runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

import tsc
from bench.speed import module_of
from bench.timing import process_seconds_in_turn, seconds_in_turn

PROJECT = Path(__file__).parent.parent
PROGRAM = PROJECT / "bench" / "programs" / "modules.py"

LARGE = """
import torch
from torch import nn

class Large(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.weight[0]
"""
LARGE_SIZE = 1 << 29
"""Numbers of four bytes: two gigabytes."""

OURS = """
import tsc
loaded = tsc.load({path!r})
"""
OUR_RESULT = """
import numpy
print(loaded(tsc.from_numpy(numpy.ones({shape}, "float32"))))
"""
THEIRS = """
import torch
loaded = torch.jit.load({path!r})
"""
THEIR_RESULT = """
print(loaded(torch.ones({shape})))
"""

LISTING = """
import atexit, re, runpy, sys
def show_peak():
    print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
atexit.register(show_peak)
sys.argv = ["tsc", "inspect", {path!r}]
runpy.run_module("tsc", run_name="__main__")
"""


@dataclass(frozen=True, slots=True)
class Model:
    """A class of ``programs/modules.py``, and the shape of its input."""

    label: str
    name: str
    input: tuple[int, ...]


MODELS = [
    Model("small: perceptron of 2 layers", "Perceptron", (1, 16)),
    Model("middle: convolutions and LSTM", "SpeechTagger", (1, 40, 20)),
    Model("large: ResNet-18", "ResNet18", (1, 3, 64, 64)),
]


def main(_: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archives = [(model, saved_by_pytorch(model, folder)) for model in MODELS]
        print(f"{'':44s}{'tsc':>11s} {'torch.jit':>11s} {'ratio':>7s}")
        for model, path in archives:
            cold = processes(OURS.format(path=path), THEIRS.format(path=path))
            report(f"{model.label}, cold load", cold, wanted=1 / 3)
        for model, path in archives:
            report(f"{model.label}, cold to result", first_results(model, path), wanted=1 / 3)
        for model, path in archives:
            report(f"{model.label}, warm load", warm_loads(path))
        report_listing(Path(folder) / "large.pt")


def saved_by_pytorch(model: Model, folder: str) -> str:
    """The path of the model's archive, with random weights."""
    import torch

    module = getattr(module_of(PROGRAM.read_text(encoding="utf-8"), folder), model.name)()
    path = str(Path(folder) / f"{model.name}.pt")
    torch.jit.script(module.eval()).save(path)
    return path


def first_results(model: Model, path: str) -> tuple[float, float]:
    """From nothing to the printed result of one call."""
    values = {"path": path, "shape": model.input}
    return processes((OURS + OUR_RESULT).format(**values), (THEIRS + THEIR_RESULT).format(**values))


def processes(ours: str, theirs: str) -> tuple[float, float]:
    """Seconds of two programs, each in processes of its own."""
    ours_seconds, their_seconds = process_seconds_in_turn(
        [[sys.executable, "-c", program] for program in (ours, theirs)]
    )
    return ours_seconds, their_seconds


def warm_loads(path: str) -> tuple[float, float]:
    """Seconds of loading in a process that has loaded before."""
    import torch

    return seconds_in_turn(lambda: tsc.load(path), lambda: torch.jit.load(path))


def report(label: str, seconds: tuple[float, float], wanted: float | None = None) -> None:
    ours, theirs = seconds
    goal = "" if wanted is None else f"   (wanted: at most {wanted:.2f})"
    print(
        f"{label:44s}{ours * 1e3:8.1f} ms {theirs * 1e3:8.1f} ms {ours / theirs:7.3f}{goal}",
        flush=True,
    )


# Two gigabytes -------------------------------------------------------------------------------


class SparseFile:
    """A file that zeros are written to as holes, which take no place on the disk."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def seekable(self) -> bool:
        return False

    def write(self, content: bytes | memoryview) -> None:
        if np.frombuffer(content, np.uint8).any():
            self._file.write(content)
        else:
            self._file.seek(len(content), os.SEEK_CUR)


def write_large_archive(path: Path, size: int = LARGE_SIZE) -> None:
    """An archive with one parameter of `size` numbers of four bytes, all of them 0."""
    with tsc.limits(max_memory=8 * size):
        module = tsc.CompilationUnit(LARGE).Large(size)
    with path.open("wb") as file:
        module.save(SparseFile(file))


def listed(path: Path) -> tuple[float, int, str]:
    """Seconds and megabytes that ``tsc inspect`` takes, and what it prints."""
    command = [sys.executable, "-c", LISTING.format(path=str(path))]
    started = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=PROJECT)
    return time.perf_counter() - started, int(done.stderr) // 1024, done.stdout


def report_listing(path: Path) -> None:
    write_large_archive(path)
    seconds, megabytes, _ = sorted(listed(path) for _ in range(5))[2]
    print(f"{'2 GB, listed by tsc inspect':44s}{seconds * 1e3:8.1f} ms   (wanted: below 1000)")
    print(f"{'':44s}{megabytes:8d} MB   (wanted: below 100)")
