"""The benchmark of growth measures what it says, on a small program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.growth import MEASURE

ROOT = Path(__file__).parents[2]


def test_a_small_program_is_measured() -> None:
    command = [sys.executable, "-c", MEASURE, "100"]
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    seconds, memory = map(float, output.split())
    assert 0 < seconds < 60
    assert memory >= 0
