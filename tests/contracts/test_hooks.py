"""What hangs on the hooks of the runtime is there by whatever door one comes in."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import tsc

ROOT = Path(__file__).parent.parent.parent
DOORS = {
    "the class of tensors alone": "import numpy\nfrom tsc.runtime.values.tensor import wrap\nx = wrap(numpy.ones(2))",
    "the facade": "import tsc\nx = tsc.tensor([1.0, 1.0])",
    "a pickle": "import pickle, sys\nx = pickle.loads(sys.stdin.buffer.read())",
}


@pytest.mark.parametrize("door", DOORS)
def test_tensors_have_their_operators(door: str) -> None:
    given = pickle.dumps(tsc.tensor([1.0, 1.0])) if door == "a pickle" else b""
    program = f"{DOORS[door]}\nx[0] += 1\nprint((x + x).tolist(), x.sum().item())"
    assert _printed(program, given) == "[4.0, 2.0] 3.0"


def test_modules_are_saved_and_pickled() -> None:
    source = "import torch.nn as nn\nclass M(nn.Module):\n  def forward(self, x: Tensor) -> Tensor:\n    return x + 1\n"
    program = (
        f"import io, pickle, tsc\nm = tsc.CompilationUnit({source!r}).M()\nfile = io.BytesIO()\nm.save(file)\n"
        "print(pickle.loads(pickle.dumps(m))(tsc.tensor(1)).item(), len(file.getvalue()) > 0)"
    )
    assert _printed(program, b"") == "2 True"


def _printed(program: str, given: bytes) -> str:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, input=given, capture_output=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()
