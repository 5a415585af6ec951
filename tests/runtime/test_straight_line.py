"""Graphs that are run node by node give what their plans give."""

from __future__ import annotations

import pytest

import tsc
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.straight_line import StraightLine

GRAPHS = {
    "one result": "%b : Tensor = aten::relu(%x)\n  return (%b)",
    "several results": "%b : Tensor = aten::relu(%x)\n  return (%b, %x)",
    "constants": "%c : int = prim::Constant[value=2]()\n  %b : Tensor = aten::mul(%x, %c)\n  return (%b)",
    "several outputs of a node": "%c : int = prim::Constant[value=0]()\n  %f : bool = prim::Constant[value=0]()\n"
    "  %v : Tensor, %i : Tensor = aten::sort(%x, %c, %f)\n  return (%v, %i)",
    "lists": "%l : Tensor[] = prim::ListConstruct(%x, %x)\n  %c : int = prim::Constant[value=0]()\n"
    "  %b : Tensor = aten::cat(%l, %c)\n  return (%b)",
}


@pytest.mark.parametrize("name", GRAPHS)
def test_results_are_those_of_the_plan(name: str) -> None:
    graph = tsc.parse_ir(f"graph(%x : Tensor):\n  {GRAPHS[name]}\n")
    x = tsc.tensor([1.0, -2.0])
    found, expected = StraightLine(graph, fast_kernel).run([x]), tsc.script(graph)(x)
    several = isinstance(expected, tuple)
    pairs = zip(found, expected) if several else [(found, expected)]
    assert all(mine.tolist() == right.tolist() for mine, right in pairs)


def test_an_error_of_the_first_call_tells_its_place() -> None:
    unit = tsc.CompilationUnit("""
def adds(x, y):
    a = x * 2
    b = a + y
    return b * 3
""")
    for _ in range(2):
        with pytest.raises(tsc.ScriptError, match=r"(?s)line 4.*b = a \+ y"):
            unit.adds(tsc.ones(2), tsc.ones(3))
