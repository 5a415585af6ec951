"""SymbolicVariable: what Python does with it becomes nodes, those of a program that does the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tsc
from tests.well_known_programs import LSTM_CELL
from tsc import SymbolicVariable
from tsc.compiler.ir import Graph, GraphError


def cell(x: Any, hx: Any, cx: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> tuple[Any, Any]:
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1).unpack(4)
    ingate, forgetgate = ingate.sigmoid(), forgetgate.sigmoid()
    cellgate, outgate = cellgate.tanh(), outgate.sigmoid()
    cy = (forgetgate * cx) + (ingate * cellgate)
    return outgate * cy.tanh(), cy


def canonical(graph: Graph) -> str:
    """Nodes of a graph, its constants once and its values numbered."""
    for name in ("pool_constants", "canonicalize"):
        tsc.run_pass(name, graph)
    numbers: dict[Any, int] = {}
    lines: list[str] = []
    for node in (graph.param_node, *graph.nodes(), graph.return_node):
        if node.kind != "prim::Constant":
            inputs = [numbers.get(each, each.node.attributes.get("value")) for each in node.inputs]
            lines.append(f"{node.kind} {inputs} {[str(each.type) for each in node.outputs]}")
            numbers.update((each, len(numbers)) for each in node.outputs)
    return "\n".join(lines)


def test_a_cell_is_built_as_it_is_scripted() -> None:
    graph = tsc.new_graph()
    names = ("x", "hx", "cx", "w_ih", "w_hh", "b_ih", "b_hh")
    hy, cy = cell(*(SymbolicVariable.as_new_input(graph, name) for name in names))
    hy.add_as_output()
    cy.add_as_output()
    built = tsc.script(graph)
    scripted = tsc.CompilationUnit(LSTM_CELL).f
    assert canonical(built.graph.copy()) == canonical(scripted.graph.copy())
    tsc.manual_seed(0)
    shapes = ((2, 3), (2, 5), (2, 5), (20, 3), (20, 5), (20,), (20,))
    given = [tsc.randn(shape) for shape in shapes]
    for ours, theirs in zip(built(*given), scripted(*given), strict=True):
        assert ours.tolist() == theirs.tolist()


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "x + 1": lambda x: x + 1,
    "1 + x": lambda x: 1 + x,
    "2 - x": lambda x: 2 - x,
    "x - 0.5": lambda x: x - 0.5,
    "x * x": lambda x: x * x,
    "3 * x": lambda x: 3 * x,
    "x / 2": lambda x: x / 2,
    "2 / x": lambda x: 2 / x,
    "x // 2": lambda x: x // 2,
    "x % 2": lambda x: x % 2,
    "2 % x": lambda x: 2 % x,
    "x ** 2": lambda x: x**2,
    "2 ** x": lambda x: 2**x,
    "x @ x.t()": lambda x: x @ x.t(),
    "-x": lambda x: -x,
    "abs(-x)": lambda x: abs(-x),
    "~(x > 2)": lambda x: ~(x > 2),
    "(x > 1) & (x < 3)": lambda x: (x > 1) & (x < 3),
    "(x >= 1) | (x <= 3)": lambda x: (x >= 1) | (x <= 3),
    "(x == 1) ^ (x != 3)": lambda x: (x == 1) ^ (x != 3),
    "x[1]": lambda x: x[1],
    "x[0:1]": lambda x: x[0:1],
    "x[:]": lambda x: x[:],
    "x.size(0) + 1": lambda x: x.size(0) + 1,
    "x.size()[1]": lambda x: x.size()[1],
    "x.sum([0], keepdim=True)": lambda x: x.sum([0], keepdim=True),
    "x.topk(1)[0]": lambda x: x.topk(1)[0],
    "x.max(0).values": lambda x: x.max(0).values,
    "x.to(torch.int64)": lambda x: x.to(tsc.int64),
    "torch.cat([x, x + 1], 1)": lambda x: x.call("aten::cat", [x, x + 1], 1),
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_operators_compute_what_they_do_in_programs(text: str) -> None:
    graph = tsc.new_graph()
    EXPRESSIONS[text](SymbolicVariable.as_new_input(graph, "x")).add_as_output()
    unit = tsc.CompilationUnit(f"def f(x):\n    return {text}\n")
    given = tsc.tensor([[1.0, 2.0], [3.0, 4.0]])
    built, known = tsc.script(graph), unit.f
    assert str(built.schema.returns) == str(known.schema.returns)
    assert repr(built(given)) == repr(known(given))


def test_what_a_variable_is_not() -> None:
    graph = tsc.new_graph()
    x = SymbolicVariable.as_new_input(graph, "x")
    with pytest.raises(AttributeError, match="there is no operator aten::nothing"):
        _ = x.nothing
    with pytest.raises(GraphError, match="has no value while the graph is built"):
        bool(x > 1)
    with pytest.raises(GraphError, match="how many elements"):
        list(x.chunk(2))
    with pytest.raises(GraphError, match="Expected a value of type 'Tensor'"):
        x.mm(1)
    assert repr(x) == "%x : Tensor"
    assert len({x, SymbolicVariable(graph.inputs[0])}) == 2
    a, b = x.topk(1)
    assert a.value.node is b.value.node
