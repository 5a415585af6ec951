"""`tsc opt`: pipelines of passes over IR text, source and archives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tsc as api
from tsc.cli import main
from tsc.compiler.passes import PASSES
from tsc.compiler.passes.registry import pass_names

ROOT = Path(__file__).parent.parent.parent
ARCHIVE = ROOT / "tests/oracle/archives/recorded/several_methods.pt"
GRAPH = """# a comment
graph(%x : int):
  %one : int = prim::Constant[value=1]()
  %two : int = aten::add(%one, %one)
  %y : int = aten::mul(%x, %two)
  return (%y)
"""
PROGRAM = """
def g(x: int) -> int:
    return x + 1

def f(x: int) -> int:
    return g(x) * 2
"""
FOLDED = """graph(%x : int):
  %4 : int = prim::Constant[value=2]()
  %y : int = aten::mul(%x, %4)
  return (%y)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "graph.ir").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    with chdir(tmp_path):
        yield tmp_path


def opt(*arguments: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["opt", *arguments], input=given, prog_name="tsc")
    assert "Traceback (most recent call last)" not in result.stderr
    return result


def test_ir_text_goes_through_a_pipeline() -> None:
    assert opt("graph.ir", "--passes", "propagate_constants").stdout == FOLDED
    assert opt("-", "--passes", "propagate_constants", given=GRAPH).stdout == FOLDED


def test_without_passes_a_graph_stays_as_it_is() -> None:
    assert opt("graph.ir").stdout == GRAPH.partition("\n")[2]


def test_pytorchs_names_of_passes_do() -> None:
    ours = opt("graph.ir", "--passes", "pool_constants,eliminate_dead_code").stdout
    assert opt("graph.ir", "--passes", "constant_pooling,_jit_pass_dce").stdout == ours


def test_functions_of_source_and_methods_of_archives() -> None:
    both = opt("program.py", "--passes", "inline,dce").stdout
    assert "# g\ngraph(" in both
    assert "# f\ngraph(" in both
    assert "CallFunction" not in both
    assert opt("program.py", "f", "--passes", "inline,dce").stdout in both
    assert "graph(%self" in opt(str(ARCHIVE), "--passes", "inline").stdout


def test_all_passes_are_listed() -> None:
    listed = [line.partition(":")[0].partition("(")[0] for line in opt("--list").stdout.split("\n")]
    assert listed[:-1] == list(pass_names())
    assert all(line.partition(": ")[2] for line in opt("--list").stdout.splitlines())


def test_what_passes_do_is_shown() -> None:
    after = opt("graph.ir", "--passes", "pool_constants, cse", "--print-after", "cse").stdout
    assert after.startswith("# after eliminate_common_subexpressions\ngraph(")
    assert "\n# result\ngraph(" in after
    changed = opt("graph.ir", "--passes", "cse, propagate_constants", "--print-changed").stdout
    assert "eliminate_common_subexpressions" not in changed
    assert "# changed by propagate_constants\n@@" in changed
    assert "-  %two : int = aten::add(%one, %one)\n" in changed
    assert FOLDED in changed


def test_times_are_said_beside_the_result() -> None:
    shown = opt("graph.ir", "--passes", "cse,dce", "--timing", "--verify-each")
    assert [line.split()[-1] for line in shown.stderr.splitlines()] == [
        "eliminate_common_subexpressions",
        "eliminate_dead_code",
    ]


def test_a_failure_is_written_down(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def fails(_graph: object) -> bool:
        raise ZeroDivisionError("here")

    monkeypatch.setitem(PASSES, "peephole", fails)
    pipeline = "inline(most_nodes=100), peephole, eliminate_dead_code"
    failed = opt("graph.ir", "--passes", pipeline, "--reproducer", "bug.ir")
    assert failed.exit_code == 1
    assert "in peephole of the graph" in failed.stderr
    text = (folder / "bug.ir").read_text(encoding="utf-8")
    assert text.startswith("# passes: peephole, eliminate_dead_code\n# fails with ZeroDivision")
    assert opt("bug.ir").exit_code == 1
    monkeypatch.undo()
    assert opt("bug.ir").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["graph.ir", "--passes", "pool_constant"], "did you mean pool_constants?"),
        (["graph.ir", "--passes", "inline(most=3)"], "its options are most_nodes"),
        (["graph.ir", "--passes", "dce(3)"], "must be written as name=value"),
        (["graph.ir", "--passes", "dce +"], "expected a pass at"),
        (["graph.ir", "--passes", "dce", "--print-after", "inline"], "no such pass"),
        (["graph.ir", "f"], "one graph"),
        ([], "Missing argument 'FILE'"),
        (["program.py", "h"], "no function 'h'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_uses_are_told(arguments: list[str], part: str) -> None:
    result = opt(*arguments)
    assert result.exit_code == 2
    assert part in result.stderr


def test_wrong_ir_is_told_with_its_place() -> None:
    result = opt("-", given="graph(%x : int):\n  %y : int = aten::add(%z, %x)\n  return (%y)\n")
    assert result.exit_code == 1
    assert "%z" in result.stderr


def test_run_pass_tells_whether_it_changed_the_graph() -> None:
    graph = api.parse_ir(GRAPH)
    assert api.run_pass("propagate_constants", graph) is True
    assert str(graph) == FOLDED
    assert api.run_pass("propagate_constants", graph) is False


def test_run_pass_takes_options_and_passes_of_users() -> None:
    graph = api.parse_ir(GRAPH)
    with pytest.raises(api.CompileError, match="nodes"):
        unit = api.CompilationUnit(PROGRAM)
        api.run_pass("inline", unit.f.graph.copy(), most_nodes=1)
    with pytest.raises(api.Error, match="no option 'times'"):
        api.run_pass("dce", graph, times=2)
    with pytest.raises(api.Error, match="no pass is called 'nothing'"):
        api.run_pass("nothing", graph)
    with pytest.raises(api.Error, match="needs a graph"):
        api.run_pass("dce", GRAPH)
