"""How functions run when they are first called."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.ir import prim
from tsc.runtime.execution.cold_functions import FirstCalls, first_calls
from tsc.runtime.execution.fusion import fused
from tsc.runtime.execution.graph_executor import executor_of

LINE = "    x = x * 2 + 1\n"
LOOP = "    for i in range(3):\n        x = torch.tanh(x) + x\n"


def source(lines: int, *, loop: bool) -> str:
    return f"def f(x):\n{LINE * lines}{LOOP * loop}    return x\n"


@pytest.mark.parametrize(
    ("lines", "loop", "expected"),
    [
        (1, False, FirstCalls("python", 1)),
        (120, False, FirstCalls("bytecode", 8)),
        (1, True, None),
        (20, True, FirstCalls("native", 1, in_loops=True)),
    ],
)
def test_what_runs_once_is_made_without_groups(
    lines: int, loop: bool, expected: FirstCalls | None
) -> None:
    graph = tsc.CompilationUnit(source(lines, loop=loop)).f.graph_for(tsc.ones(2))
    assert first_calls(graph, "native") == expected
    assert first_calls(graph, "python") in (None, expected)


def test_the_first_call_of_a_long_function_has_groups_in_its_loops_alone() -> None:
    pytest.importorskip("llvmlite")
    function = tsc.CompilationUnit(source(20, loop=True)).f.function
    graph = executor_of(function).optimized_graph
    first = fused(function, graph, in_loops=True)
    assert {
        node.owning_block is first.block for node in first.find_all_nodes(prim.FusionGroup)
    } == {False}
    assert any(node.kind == prim.FusionGroup for node in fused(function, graph).nodes())


def test_all_calls_give_the_same() -> None:
    function = tsc.CompilationUnit(source(20, loop=True)).f
    results = [function(tsc.ones(2)).tolist() for _ in range(4)]
    assert results == results[:1] * 4
