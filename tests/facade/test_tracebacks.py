"""The traceback of an error that nobody catches ends at the user's call; with TSC_DEBUG it is whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CALLS = (
    'tsc.CompilationUnit("def f(x): return y")',
    "unit.f([1])",
    "unit.f()",
    "tsc.ones(3)[10]",
    "tsc.ones(3) + tsc.ones(4)",
    "tsc.ones(3).sum(dim=7)",
    'tsc.load("missing.pt")',
    "tsc.save(3, 'three.pt')",
)


def traceback_of(call: str, folder: Path, **variables: str) -> str:
    script = folder / "script.py"
    program = "def f(x: List[int]): return x[5]"
    script.write_text(f"import tsc\nunit = tsc.CompilationUnit({program!r})\n{call}\n")
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False
    )
    return done.stderr


@pytest.mark.parametrize("call", CALLS)
def test_it_ends_at_the_call_of_the_user(call: str, tmp_path: Path) -> None:
    lines = traceback_of(call, tmp_path).splitlines()
    places = [line for line in lines if line.startswith('  File "') and ".py" in line]
    assert places == [f'  File "{tmp_path}/script.py", line 3, in <module>']
    assert any(line.startswith("tsc.") for line in lines)


def test_it_is_whole_for_who_debugs(tmp_path: Path) -> None:
    assert traceback_of(CALLS[0], tmp_path, TSC_DEBUG="1").count('  File "') > 2
