"""What shells are offered when a command line is completed, by click's protocol and in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tsc.compiler.pipelines import step_names

ROOT = Path(__file__).parent.parent.parent
_ENTRY = "import sys; from tsc.cli import main; sys.argv[0] = 'tsc'; main()"
DIGITS = "samples/archives/digits.pt"
_CODES = ("TS20", "ts9", "TS30", "TA30")
"""Beginnings of codes, of which new ones may come."""
PROGRAM = '''
import torch
from torch import nn

def double(x: torch.Tensor):
    """
def no_function(): pass
    """
    return x * 2

def halve(x: torch.Tensor):
    return x / 2

class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x
'''


def ran(environment: dict[str, str], program: str = _ENTRY, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, timeout=60, cwd=cwd,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert not done.stderr
    return done.stdout


def words(line: str) -> dict[str, str]:
    """What bash is told for the variables that click's script sets."""
    return {
        "_TSC_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }


def offered(line: str) -> list[str]:
    """What bash is offered for the last word of a line; files are ``file,`` and the word."""
    lines = ran(words(line)).splitlines()
    return [each.removeprefix("plain,") for each in lines if each]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tsc pr", ["print-code"]),
        ("tsc compile --stage load", ["load-store"]),
        ("tsc compile --print-after peep", ["peephole"]),
        ("tsc check --select TS2,TS20", ["TS2,TS201", "TS2,TS202"]),
        ("tsc check --ignore ts9", ["TS9"]),
        ("tsc check --explain TS30", ["TS301"]),
        ("tsc audit --explain TA30", ["TA301"]),
        ("tsc ops softm", ["softmax"]),
        ("tsc ops aten::softm", ["aten::softmax"]),
        ("tsc ops --similar softm", ["softmax"]),
        ("tsc run samples/dig", ["file,samples/dig"]),
        ("tsc check a.py samples/dig", ["file,samples/dig"]),
        ("tsc compile x.py -o o", ["file,o"]),
        ("tsc audit --policy p", ["file,p"]),
        ("tsc inspect x --html p", ["file,p"]),
        (f"tsc run {DIGITS} features.0", ["features.0.forward", "features.0._conv_forward"]),
        (f"tsc inspect {DIGITS} --method rea", ["read"]),
        ("tsc run /no/such/file ", []),
        ("tsc run samples ", []),
        ("tsc run - ", []),
        ("tsc run README.md ", []),
    ],
)
def test_what_is_offered(line: str, expected: list[str]) -> None:
    found = offered(line)
    assert found[: len(expected)] == expected
    assert len(found) == len(expected) or line.endswith(_CODES)


def test_all_passes_are_offered() -> None:
    assert offered("tsc compile x.py --print-after ") == list(step_names())


def test_functions_of_a_text_are_offered(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    names = ["double", "halve", "Model", "Model.forward"]
    for command in ("run", "compile", "print-code"):
        assert offered(f"tsc {command} {program} ") == names
    assert offered(f"tsc --strict run {program} --seed 1 Model") == ["Model", "Model.forward"]


@pytest.mark.parametrize(
    "line", ["tsc ", "tsc compile --print-after ", "tsc ops sof", "tsc check --select ", "tsc run "]
)
def test_completion_is_fast(line: str) -> None:
    listed = (
        "import atexit, sys; atexit.register(lambda: print('loaded:', *sys.modules, sep='\\n'));"
        + _ENTRY
    )
    ran(words("tsc ops "))  # remembers the index of operators
    loaded = ran(words(line), listed).partition("loaded:\n")[2].split()
    assert {"numpy", "lark", "rich", "scipy"}.isdisjoint(loaded)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell: str) -> None:
    script = ran({"_TSC_COMPLETE": f"{shell}_source"})
    assert f"_TSC_COMPLETE={shell}_complete" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_real_bash_completes(tmp_path: Path) -> None:
    command = tmp_path / "tsc"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{_ENTRY}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    script = """
eval "$(_TSC_COMPLETE=bash_source tsc)"
COMP_WORDS=(tsc compile samples/lstm.py lstm) COMP_CWORD=3
_tsc_completion tsc lstm samples/lstm.py
echo "${COMPREPLY[@]}"
complete -p tsc
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True, text=True, check=True, timeout=60, cwd=ROOT,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    completed, registered = done.stdout.splitlines()
    assert completed == "lstm_cell"
    assert "-F _tsc_completion" in registered


def test_the_help_names_passes_and_completion() -> None:
    from click.testing import CliRunner

    from tsc.cli import main

    shown = " ".join(CliRunner().invoke(main, ["compile", "--help"]).output.split())
    assert all(name in shown for name in step_names())
    assert "_TSC_COMPLETE=zsh_source" in CliRunner().invoke(main, ["--help"]).output
