"""Programs that do not compile, fail while they run, or are called wrongly: `<topic>/*.txt`."""

from __future__ import annotations

import shlex
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from click.testing import CliRunner

import tsc
from tests.errors.cases import ErrorCase, case_parameters, check_message, read_cases
from tsc.cli import main
from tsc.compiler.source import Source
from tsc.runtime.programs.source_unit import SourceUnit

FOLDER = Path(__file__).parent
TOPICS = (
    "names", "types", "calls", "returns", "control_flow", "containers", "indexing", "strings",
    "unsupported", "runtime", "arguments",
)  # fmt: skip


def compiling(program: str) -> str:
    """The message of a program that does not compile."""
    with pytest.raises(tsc.CompileError) as caught:
        tsc.CompilationUnit(program, "program.py")
    return str(caught.value)


def calling(program: str, call: str) -> str:
    """The message of a call from Python, which may use the program's functions, `tsc` and `np`."""
    unit = SourceUnit.from_source(Source(program, "program.py"))
    names = {name: unit.function(name) for name in unit.compiled} | {"tsc": tsc, "np": np}
    with pytest.raises(tsc.ScriptError) as caught:
        eval(call, names)
    return f"{caught.value.kind}: {caught.value}" if not caught.value.stack else str(caught.value)


def commanding(program: str, command: str) -> str:
    """What a command prints on standard error, and its exit status."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path("program.py").write_text(program, encoding="utf-8")
        result = CliRunner().invoke(main, shlex.split(command)[1:], prog_name="tsc")
    assert result.stdout == ""
    return f"{result.stderr}[exit status {result.exit_code}]"


def message_of(case: ErrorCase) -> str:
    if not case.action:
        return compiling(case.program)
    if case.action.startswith("tsc "):
        return commanding(case.program, case.action)
    return calling(case.program, case.action)


@pytest.mark.parametrize(
    ("path", "name"),
    [parameter for topic in TOPICS for parameter in case_parameters(FOLDER / topic)],
)
def test_message(path: Path, name: str) -> None:
    check_message(path, name, message_of(read_cases(path)[name]))
