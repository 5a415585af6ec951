"""`tsc compile --explain-native` and `--stage llvm`, `assembly`: what is native, why the rest is not, and the code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tsc.cli import main
from tsc.runtime.commands import stages

ROOT = Path(__file__).parents[2]
PROGRAM = """
def whole(n: int) -> int:
    sum = 0
    for i in range(n):
        sum += i * i
    return sum

def words(text: str, n: int) -> Dict[float, str]:
    found: Dict[float, str] = {}
    for i in range(n):
        found[i * 0.5] = text
        for j in range(n):
            n += j
    return found

def counts(n: int) -> Dict[int, int]:
    found: Dict[int, int] = {}
    for i in range(n):
        found[i % 3] = i
    return found

def sum(x: Tensor) -> Tensor:
    total = torch.zeros(())
    for i in range(x.size(0)):
        total += x[i]
    return total

def smooth(x: Tensor) -> Tensor:
    return torch.relu(x * x + x) * 2.0

def plain(n: int) -> int:
    return n + 1
"""
EXPLAINED = """\
# whole (native)
model.py:4:4  native      function

# words (native)
model.py:10:4  not native  function: only dictionaries by ints and strings have a native form
model.py:10:4  not native  loop: only dictionaries by ints and strings have a native form
model.py:12:8  native      loop

# counts (native)
model.py:18:4  native      function

# sum (native)
model.py:24:4  native      function

# smooth (native)
model.py:29:11  fused       aten::mul × 2, aten::add, aten::relu

# plain (native)
no loop, and no pointwise operators that follow each other
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(PROGRAM)
    return path


def tsc(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "build"))
    command = [sys.executable, "-m", "tsc", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=environment, timeout=120
    )


def test_what_is_native_and_why_the_rest_is_not(file: Path) -> None:
    pytest.importorskip("llvmlite")
    done = tsc(file.parent, "compile", "model.py", "--explain-native")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == EXPLAINED


@pytest.mark.parametrize(
    ("stage", "shown", "comment"),
    [("llvm", "define ptr @region(", ";"), ("assembly", "region:", "#")],
)
def test_the_code_of_loops(file: Path, stage: str, shown: str, comment: str) -> None:
    pytest.importorskip("llvmlite")
    done = tsc(file.parent, "compile", "model.py", "--stage", stage)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(shown) == 4
    assert f"{comment} model.py:12:4" not in done.stdout
    assert f"{comment} model.py:4:4\n" in done.stdout
    assert f"{comment} no loop is native: --explain-native says why\n" in done.stdout


@pytest.mark.parametrize(("stage", "comment"), [("llvm", ";"), ("assembly", "#")])
def test_the_code_of_operators_is_that_for_arguments(file: Path, stage: str, comment: str) -> None:
    pytest.importorskip("llvmlite")
    done = tsc(file.parent, "compile", "model.py", "smooth", "--stage", stage)
    wanted = f"{comment} code of operators depends on shapes: give arguments by --args\n"
    assert (done.returncode, done.stderr, done.stdout) == (0, "", wanted)
    chosen = ["--stage", stage, "--args", "torch.ones(4, 5)"]
    done = tsc(file.parent, "compile", "model.py", "smooth", *chosen)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{comment} operators\n")
    assert "kernel" in done.stdout


def test_all_stages_need_no_llvm(file: Path) -> None:
    done = CliRunner().invoke(main, ["compile", str(file), "whole", "--stage", "all"])
    assert done.exit_code == 0
    assert "(llvm)" not in done.output


@pytest.mark.parametrize(
    "option", [["--stage", "llvm"], ["--stage", "assembly"], ["--explain-native"]]
)
def test_without_llvmlite_it_is_said_what_to_install(
    file: Path, option: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "is_available", lambda: False)
    done = CliRunner().invoke(main, ["compile", str(file), *option])
    assert done.exit_code == 2
    assert f"{' '.join(option)} needs llvmlite" in done.output
    assert "pip install llvmlite" in done.output
