"""Cold start: from an empty process to the printed IR of a sample, against PyTorch doing the same."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.timing import process_seconds

SAMPLE = Path(__file__).parent.parent / "samples" / "pointwise.py"
PYTORCH = """
import importlib.util, torch
specification = importlib.util.spec_from_file_location("sample", {path!r})
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
print(torch.jit.script(module.f).graph)
"""


def main(_: list[str]) -> None:
    tsc = [sys.executable, "-m", "tsc"]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "reference.py"
        script.write_text(PYTORCH.format(path=str(SAMPLE)))
        ours, _ = process_seconds([*tsc, "compile", str(SAMPLE), "f"])
        theirs, _ = process_seconds([sys.executable, str(script)])
    _, help_processor = process_seconds([*tsc, "--help"])
    print(f"tsc compile sample        {ours * 1e3:7.0f} ms")
    print(f"PyTorch import and script {theirs * 1e3:7.0f} ms")
    print(f"ratio                     {ours / theirs:7.3f}   (wanted: at most 0.25)")
    print(f"tsc --help                {help_processor * 1e3:7.0f} ms CPU (wanted: below 150)")
