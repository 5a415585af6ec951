"""First result: from an empty process to what `main` of a sample gives, without and with native code of an earlier run,
against PyTorch.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.timing import run_process

SAMPLES = Path(__file__).parent.parent / "samples"
RUNS = 3
PYTORCH = """
import importlib.util, torch
specification = importlib.util.spec_from_file_location("sample", {path!r})
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
print(torch.jit.script(module.main)())
"""


def main(names: list[str]) -> None:
    """Of the samples of these names, or of all."""
    paths = [path for path in sorted(SAMPLES.glob("*.py")) if not names or path.stem in names]
    print(
        "processor seconds of processes, and in brackets their share of PyTorch's: wanted at most 0.5 cold, 0.25 warm"
    )
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "reference.py"
            script.write_text(PYTORCH.format(path=str(path)))
            print(_row(path, script, Path(folder) / "cache"), flush=True)


def _row(path: Path, script: Path, cache: Path) -> str:
    ours = [sys.executable, "-m", "tsc", "run", str(path), "main"]
    os.environ["TSC_NATIVE_CACHE"] = "off"
    cold = _seconds(ours)
    os.environ["TSC_NATIVE_CACHE"] = str(cache)
    warm = _seconds(ours)
    theirs = _seconds([sys.executable, str(script)])
    if theirs is None or cold is None or warm is None:
        return f"{path.stem:20} did not run"
    shares = f"({cold / theirs:4.2f})  warm {warm:5.2f} ({warm / theirs:4.2f})"
    return f"{path.stem:20} PyTorch {theirs:5.2f}  cold {cold:5.2f} {shares}"


def _seconds(command: Sequence[str]) -> float | None:
    """The median of some runs' processor time, after one to warm up; None for what fails."""
    try:
        return statistics.median([run_process(command)[1] for _ in range(RUNS + 1)][1:])
    except subprocess.CalledProcessError:
        return None
