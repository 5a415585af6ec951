"""The recorded graphs and printed functions are what PyTorch makes of the programs today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.oracle
def test_recorded_code_is_current() -> None:
    pytest.importorskip("torch")
    checked = subprocess.run(
        [sys.executable, "-m", "tests.oracle.printed_code", "--check"],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr[-2000:]
