"""A failure of tsc says that it is a bug, and in which stage, pass or operator it happened."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tsc
from tests.runtime.plans import each_plan, script
from tsc.cli import main
from tsc.compiler.passes import PASSES
from tsc.compiler.source import stages_of
from tsc.runtime.operators import load

PROGRAM = "def f(x: Tensor, n: int) -> Tensor:\n    return torch.relu(x) * n\n"
MODULE = """
import torch
class M(torch.nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n
    def forward(self, x):
        return x + self.n
"""


class Bug(Exception):
    """What no part of tsc expects."""


def fail(*_arguments: object, **_options: object) -> Any:
    raise Bug("out of order")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(PROGRAM, encoding="utf-8")
    Path("main.py").write_text("def main():\n    return torch.ones(1)\n", encoding="utf-8")
    Path("module.py").write_text(MODULE, encoding="utf-8")
    return "program.py"


STAGES: dict[str, tuple[str, list[str], str]] = {
    "lexing": (
        "tsc.compiler.frontend.indenter.Indenter.next_line",
        ["compile", "program.py"],
        "in lexing of program.py, in parsing of program.py",
    ),
    "tokens": (
        "tsc.compiler.frontend.indenter.Indenter.next_line",
        ["compile", "program.py", "--stage", "tokens"],
        "in lexing of program.py",
    ),
    "parsing": (
        "tsc.compiler.frontend.lalr.run",
        ["compile", "program.py"],
        "in parsing of program.py",
    ),
    "emission": (
        "tsc.compiler.compile.emit_definition",
        ["compile", "program.py"],
        "in emit of function 'f'",
    ),
    "conversion": (
        "tsc.compiler.compile.convert_to_ssa",
        ["print-code", "program.py"],
        "in convert_to_ssa of function 'f'",
    ),
    "bytecode": (
        "tsc.runtime.execution.bytecode.code_emitter.emit_code",
        ["compile", "program.py", "--stage", "bytecode"],
        "in bytecode emission of function 'f'",
    ),
    "plan": (
        "tsc.runtime.execution.python.plan.write_function",
        ["run", "main.py"],
        "in python plan of function 'main'",
    ),
    "printing": (
        "tsc.compiler.printing.graph_printer._GraphPrinter.graph_lines",
        ["compile", "program.py"],
        "in printing of a graph",
    ),
    "printing Python": (
        "tsc.compiler.printing.python_printer._FunctionPrinter.body",
        ["print-code", "program.py"],
        "in printing of function 'f' as Python source",
    ),
    "construction": (
        "tsc.runtime.construction.construct.Construction.construct",
        ["run", "module.py", "M", "--init", "2", "--args", "torch.ones(1)"],
        "in construction of module 'M'",
    ),
    "scripting": (
        "tsc.runtime.scripting.script.ConcreteTypes.compile",
        ["run", "module.py", "M", "--init", "2", "--args", "torch.ones(1)"],
        "in scripting of module '__torch__.M'",
    ),
    "no stage": (
        "tsc.runtime.commands.inspect.inspected",
        ["inspect", "program.py"],
        "in tsc inspect",
    ),
}


@pytest.mark.parametrize(("broken", "arguments", "place"), list(STAGES.values()), ids=list(STAGES))
def test_the_command_line_names_the_stage(
    program: str, monkeypatch: pytest.MonkeyPatch, broken: str, arguments: list[str], place: str
) -> None:
    tsc.CompilationUnit(PROGRAM)
    for needed in ("compile", "inspect"):
        CliRunner().invoke(main, [needed, program])
    monkeypatch.setattr(broken, fail)
    result = CliRunner().invoke(main, arguments, prog_name="tsc")
    assert result.exit_code == 1
    assert result.stdout == ""
    first = f"tsc: this is a bug of tsc, not of your program, {place}: Bug: out of order"
    assert result.stderr.splitlines()[0] == first
    assert "tsc --debug" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("name", "also"),
    [
        ("pool_constants", ""),
        ("peephole", ", in (python|native) plan of function 'main'"),
        ("eliminate_dead_code", ", in (python|native) plan of function 'main'"),
    ],
)
def test_the_command_line_names_the_pass(
    program: str, monkeypatch: pytest.MonkeyPatch, name: str, also: str
) -> None:
    CliRunner().invoke(main, ["run", "main.py"])
    monkeypatch.setitem(PASSES, name, fail)
    result = CliRunner().invoke(main, ["run", "main.py"], prog_name="tsc")
    assert result.exit_code == 1
    assert re.search(f", in {name} of function 'main'{also}: Bug: out of order", result.stderr)


def test_debug_shows_the_traceback(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsc.compiler.compile.convert_to_ssa", fail)
    result = CliRunner().invoke(main, ["--debug", "compile", program], prog_name="tsc")
    assert isinstance(result.exception, Bug)
    assert stages_of(result.exception) == ["in convert_to_ssa of function 'f'"]


def test_python_gets_an_error_that_says_it_is_a_bug_and_where(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tsc.compiler.compile.convert_to_ssa", fail)
    with pytest.raises(tsc.CompileError, match="this is a bug of tsc, not of your") as caught:
        tsc.CompilationUnit(PROGRAM)
    assert caught.value.__notes__ == ["in convert_to_ssa of function 'f'"]
    assert isinstance(caught.value.__cause__, Bug)


@pytest.fixture
def broken_operator() -> Any:
    """An operator of tsc's own whose kernel fails."""
    operator = load().declare("bugs_test::broken(int x) -> int", fail)
    yield operator
    del load()._operators[operator.name]


CALLING = "def f(x: int) -> int:\n    y = x + 1\n    return torch.ops.bugs_test.broken(y)\n"


@each_plan
def test_a_kernel_that_fails_is_named_with_its_place(
    run: Callable[..., Any], broken_operator: Any
) -> None:
    with pytest.raises(Bug) as caught:
        run(script(CALLING), [1])
    assert stages_of(caught.value) == ["in the operator bugs_test::broken at <string>:3:11"]


def test_the_command_line_names_the_operator(program: str, broken_operator: Any) -> None:
    Path("calling.py").write_text(CALLING, encoding="utf-8")
    result = CliRunner().invoke(main, ["run", "calling.py", "--args", "1"], prog_name="tsc")
    assert result.exit_code == 1
    place = "in the operator bugs_test::broken at calling.py:3:11: Bug: out of order"
    assert result.stderr.splitlines()[0].endswith(place)


def test_an_operator_that_fails_when_it_is_called_from_python_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = tsc.tensor([1.0])
    break_kernels("aten::sinh", monkeypatch)
    with pytest.raises(Bug) as caught:
        x.sinh()
    assert stages_of(caught.value) == ["in the operator aten::sinh"]


def test_constants_that_cannot_be_folded_name_operator_and_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_kernels("aten::gcd", monkeypatch)
    with pytest.raises(tsc.CompileError, match="Bug: out of order") as caught:
        tsc.CompilationUnit("import math\ndef f():\n    return math.gcd(4, 6)\n")
    assert stages_of(caught.value) == [
        "in the operator aten::gcd at <string>:3:11",
        "in propagate_constants of function 'f'",
    ]


def break_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all overloads of an operator fail: all are loaded first, as some are made of others."""
    operators = list(load().operators_for(name))
    assert all(operator.kernel is not None for operator in operators)
    for operator in operators:
        monkeypatch.setattr(operator, "_kernel", fail)


def test_an_archive_that_cannot_be_loaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f.pt"
    tsc.save(tsc.CompilationUnit(PROGRAM).f, path)
    monkeypatch.setattr("tsc.runtime.archives.loading.Restorer.value", fail)
    with pytest.raises(tsc.ArchiveError, match="it cannot be loaded: Bug: out of order") as caught:
        tsc.load(path)
    assert str(caught.value).startswith(str(path))
    assert isinstance(caught.value.__cause__, Bug)
