"""What training takes does not grow: looked at in a process of its own, which holds nothing of other tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("plan", ["python", "native"])
def test_memory_after_a_thousand_steps_is_that_after_the_first(plan: str) -> None:
    command = [sys.executable, "-m", "tests.training.memory_of_steps", plan]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
