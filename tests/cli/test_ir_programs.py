"""IR texts as programs: every command that takes programs takes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tsc.cli import main

GRAPH = """# a comment
graph(%x : int,
      %n : int):
  %one : int = prim::Constant[value=1]()
  %y : int = aten::add(%x, %one)
  %z : int = aten::mul(%y, %n)
  return (%z)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    (tmp_path / "g.ir").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "unread.ir").write_text(GRAPH.replace("(%y, %n)", "(%y, %m)"), encoding="utf-8")
    (tmp_path / "broken.ir").write_text(GRAPH.replace("(%y, %n)", "(%y)"), encoding="utf-8")
    with chdir(tmp_path):
        yield


def tsc(*arguments: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, input=given, prog_name="tsc")
    assert "Traceback (most recent call last)" not in result.stderr
    return result


@pytest.mark.parametrize(
    "arguments",
    [("3, 4",), ("3, n=4",), ("3, 4", "--plan", "bytecode"), ("3, 4", "--plan", "python")],
)
def test_graphs_run(arguments: tuple[str, ...]) -> None:
    assert tsc("run", "g.ir", "--args", *arguments).stdout == "16\n"
    assert tsc("run", "-", "--args", *arguments, given=GRAPH).stdout == "16\n"


def test_the_function_is_called_graph() -> None:
    assert tsc("run", "g.ir", "graph", "--args", "3, 4").stdout == "16\n"
    assert "there is no function 'f'" in tsc("run", "g.ir", "f", "--args", "3, 4").stderr
    assert "missing value for argument 'x'" in tsc("run", "g.ir").stderr


def test_graphs_are_compiled_from_the_graph_on() -> None:
    assert tsc("compile", "g.ir").stdout == GRAPH.partition("\n")[2]
    schema = tsc("compile", "g.ir", "--stage", "schema").stdout
    assert schema == "graph(int x, int n) -> int\n"
    assert "OP 0" in tsc("compile", "g.ir", "--stage", "bytecode").stdout
    assert "optimized: after peephole" in tsc("compile", "g.ir", "--print-after-all").stdout
    assert "after peephole" in tsc("compile", "g.ir", "--print-after", "peephole").stdout


@pytest.mark.parametrize(
    "option",
    ["--stage tokens", "--stage tree", "--stage load-store", "--stage ssa", "--print-after emit"],
)
def test_what_is_before_the_graph_is_refused(option: str) -> None:
    result = tsc("compile", "g.ir", *option.split())
    assert result.exit_code == 2
    assert f"{option} is for source files" in result.stderr


def test_graphs_are_printed_as_source() -> None:
    printed = tsc("print-code", "g.ir").stdout
    assert tsc("run", "-", "--args", "3, 4", given=printed).stdout == "16\n"


def test_graphs_are_checked() -> None:
    assert tsc("check", "g.ir").exit_code == 0
    for file, said in (
        ("unread.ir", "unread.ir:6:26"),
        ("broken.ir", "no schema fits aten::mul(int)"),
    ):
        for command in ("check", "run", "compile", "print-code"):
            result = tsc(command, file)
            assert result.exit_code == 1
            assert said in result.output, command


def test_skipped_statements_are_none_of_its() -> None:
    assert tsc("-v", "compile", "g.ir").stderr == ""
