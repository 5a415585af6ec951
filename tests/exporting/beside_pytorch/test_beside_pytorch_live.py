"""Modules exported here are those of ``torch.export``: operators, signature, constraints, sizes and paths of modules.

The command runs by itself: PyTorch's compiler leaves its marks in a process.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[3]
LEAST = {
    "captured": 0.86,
    "core": 0.86,
    "aten": 0.86,
    "signature": 0.92,
    "constraints": 0.92,
    "metadata": 0.86,
    "paths": 0.88,
}
"""Shares that are equal; archives hold less than modules do, and some sizes may change here that PyTorch fixes."""


def test_exports_are_those_of_pytorch() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.exporting.beside_pytorch", "/3"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=1500,
        check=True,
    )
    found = re.findall(r"^(\w+): (\d+) of (\d+) equal", done.stdout, re.MULTILINE)
    shares = {column: int(equal) / int(total) for column, equal, total in found}
    assert shares.keys() == LEAST.keys()
    assert all(int(total) >= 80 for *_, total in found)
    assert {name for name, each in shares.items() if each < LEAST[name]} == set()
