"""The lists of passes, and what runs them."""

from __future__ import annotations

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler import pipelines
from tsc.compiler.ir import Function, Graph, GraphError, parse_ir
from tsc.compiler.passes import PASSES
from tsc.compiler.pipelines import Given, Pass, passes, run_passes, step_names
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import CompileError

TEXT = "graph(%x : int):\n  %y : int = aten::neg(%x)\n  return (%y)\n"
LISTS = ("AFTER_EMISSION", "INLINED", "INLINED_BODY", "BEFORE_RUNNING")


def function() -> Function:
    return Function("__torch__.f", graph=parse_ir(TEXT))


@pytest.mark.parametrize("name", LISTS)
def test_every_name_is_that_of_a_pass_that_runs_with_what_is_given(name: str) -> None:
    names = getattr(pipelines, name)
    assert set(names) <= set(PASSES)
    assert set(names) <= set(step_names())
    f, heard = function(), []
    given = Given(OperatorTable(), lambda _node, _inputs: None)
    run_passes(
        passes(names, given), f, f.graph.copy(), lambda step, _function, _graph: heard.append(step)
    )
    assert heard == list(names)


def test_what_fails_says_in_which_pass_of_which_function() -> None:
    def fails(_graph: Graph) -> None:
        raise ZeroDivisionError("here")

    f = function()
    with pytest.raises(ZeroDivisionError) as raised:
        run_passes([Pass("fold", fails)], f, f.graph)
    assert raised.value.__notes__ == ["in fold of function '__torch__.f'"]


def test_a_graph_that_is_too_deep_is_an_error_of_the_program() -> None:
    def endless(_graph: Graph) -> None:
        raise RecursionError

    f = function()
    with pytest.raises(CompileError, match="nested too deeply"):
        run_passes([Pass("fold", endless)], f, f.graph)


def test_the_verifier_follows_each_pass_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipelines.VERIFICATION, "wanted", True)
    f = function()
    with pytest.raises(GraphError):
        run_passes([Pass("breaks", uses_itself)], f, f.graph)


def uses_itself(graph: Graph) -> None:
    """Uses a value that is not there yet."""
    node = next(iter(graph.nodes()))
    node.replace_input(0, node.output)
