"""Memory: the peak of a process that loads a whole model and calls it, in megabytes, beside PyTorch's."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.fusion import THREADS
from bench.models import MODELS, Model

CALLS = 4
PEAK = """
import re
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024
"""
OURS = """
import numpy, tsc
tsc.set_num_threads({threads})
before = peak()
loaded = tsc.load({path!r}{options})
given = tsc.from_numpy(numpy.load({example!r}))
with tsc.no_grad():
    for _ in range({calls}):
        loaded(given)
print(before, peak())
"""
THEIRS = OURS.replace("tsc.load", "torch.jit.load").replace("tsc", "torch")
DELEGATED = OURS.replace("{options}", ", backend='onnxruntime'")


def main(arguments: list[str]) -> None:
    """With the beginning of the labels of wanted models, if not all, and the batch, if not 1.

    Lists the peak, and how much of it came after imports.
    """
    start, batch = (*arguments, *("", "1")[len(arguments) :])[:2]
    print(f"{'MB, and in brackets beside imports':44s}{'tsc':>14s}{'torch.jit':>14s}{'share':>7s}")
    with tempfile.TemporaryDirectory() as folder:
        for model in MODELS:
            if model.label.startswith(start):
                paths = written(model, int(batch), Path(folder))
                (low, ours), (their_low, theirs) = (peaks(each, paths) for each in (OURS, THEIRS))
                shown = f"{ours:7d} ({ours - low:4d}){theirs:7d} ({theirs - their_low:4d})"
                print(f"{model.label:44s} {shown} {ours / theirs:6.2f}", flush=True)


def written(model: Model, batch: int, folder: Path) -> dict[str, str]:
    """The paths of the model's archive and of an example."""
    import numpy as np
    import torch

    path, example = str(folder / "model.pt"), str(folder / "example.npy")
    torch.jit.script(model.made(str(folder))).save(path)
    np.save(example, model.example(batch).numpy())
    return {"path": path, "example": example}


def peaks(program: str, paths: dict[str, str]) -> tuple[int, int]:
    """Megabytes after imports, and at most."""
    text = PEAK + program.format(threads=THREADS, calls=CALLS, options="", **paths)
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    before, peak = map(int, done.stdout.split())
    return before, peak
