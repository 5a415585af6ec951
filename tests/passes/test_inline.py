"""Calls give way to bodies, to any depth; a result that would be too large is refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tests.work import calls_made, sized
from tsc.compiler.ir import Function, Graph, parse_ir, prim
from tsc.compiler.passes.inline import inline
from tsc.compiler.source import CompileError, codes


def function(name: str, body: str, *callees: Function) -> Function:
    known = {callee.name: callee for callee in callees}
    return Function(f"__torch__.{name}", graph=parse_ir(body, functions=known))


def kinds(graph: Graph) -> list[str]:
    return [node.kind for node in graph.all_nodes()]


LEAF = function("leaf", "graph(%x : int):\n  %y : int = aten::neg(%x)\n  return (%y)\n")


def caller(name: str, callee: Function, times: int = 1) -> Function:
    calls = "".join(
        f"  %{i + 1} : int = prim::CallFunction(%f, %{i}) # {name}.py:{i + 1}:0\n"
        for i in range(times)
    )
    body = (
        f'graph(%0 : int):\n  %f : Function = prim::Constant[name="{callee.name}"]()\n'
        f"{calls}  return (%{times})\n"
    )
    return function(name, body, callee)


def test_calls_within_inlined_bodies_are_inlined_too() -> None:
    graph = caller("outer", caller("inner", LEAF, 2)).graph.copy()
    assert inline(graph)
    graph.lint()
    assert [kind for kind in kinds(graph) if kind != prim.Constant] == ["aten::neg", "aten::neg"]
    first, second = (node for node in graph.nodes() if node.kind == "aten::neg")
    stack = second.call_stack
    assert stack is not None
    assert [(str(call.call), call.callee) for call in stack.calls()] == [
        ("outer.py:1:0", "__torch__.inner"),
        ("inner.py:2:0", "__torch__.leaf"),
    ]
    assert first.call_stack is not None
    assert [str(call.call) for call in first.call_stack.calls()] == ["outer.py:1:0", "inner.py:1:0"]
    assert not inline(graph)


def test_calls_in_blocks_are_found() -> None:
    graph = function(
        "f",
        "graph(%x : int, %c : bool):\n"
        '  %f : Function = prim::Constant[name="leaf"]()\n'
        "  %y : int = prim::If(%c)\n"
        "    block0():\n      %a : int = prim::CallFunction(%f, %x)\n      -> (%a)\n"
        "    block1():\n      -> (%x)\n  return (%y)\n",
        LEAF,
    ).graph
    assert inline(graph)
    graph.lint()
    assert kinds(graph) == ["prim::Constant", "prim::If", "aten::neg"]


def test_the_callee_stays_as_it_was() -> None:
    before = str(LEAF.graph)
    graph = caller("f", LEAF).graph
    inline(graph)
    assert str(LEAF.graph) == before


def test_unknown_functions_stay_calls() -> None:
    graph = caller("f", Function("unknown")).graph
    before = str(graph)
    assert not inline(graph)
    assert str(graph) == before


def test_a_chain_longer_than_the_stack_needs_no_recursion(stack_of_300: None) -> None:
    current = LEAF
    for number in range(400):
        current = caller(f"f{number}", current)
    graph = current.graph.copy()
    assert inline(graph)
    assert kinds(graph).count("aten::neg") == 1
    assert prim.CallFunction not in kinds(graph)


@pytest.fixture
def stack_of_300() -> Iterator[None]:
    """Room for 300 more calls of Python functions, no more."""
    frames, frame = 0, sys._getframe()
    while frame is not None:
        frames, frame = frames + 1, frame.f_back
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(frames + 300)
    yield
    sys.setrecursionlimit(before)


def test_calls_that_double_end_in_an_error() -> None:
    current = LEAF
    for number in range(10):
        current = caller(f"f{number}", current, times=2)
        graph = current.graph.copy()
        if 2 ** (number + 1) < 1000:
            assert inline(graph, most_nodes=4000)
            graph.lint()
    for number in range(10, 60):
        current = caller(f"f{number}", current, times=2)
    with pytest.raises(CompileError, match="leads to more than 4000 nodes") as raised:
        inline(current.graph.copy(), most_nodes=4000)
    assert raised.value.code == codes.NESTED_TOO_DEEPLY


def test_what_shrinks_when_it_is_simplified_is_measured_then() -> None:
    def empty(_callee: Function, body: Graph) -> None:
        while (node := body.return_node.previous) is not body.return_node:
            body.outputs[0].replace_all_uses_with(body.inputs[0])
            node.destroy()

    graph = caller("outer", caller("inner", LEAF, 30), 2).graph.copy()
    assert inline(graph, simplify=empty, most_nodes=40)
    with pytest.raises(CompileError):
        inline(caller("outer", caller("inner", LEAF, 30), 2).graph.copy(), most_nodes=40)


@pytest.mark.slow
def test_a_chain_costs_its_length() -> None:
    def chain(length: int) -> Graph:
        current = LEAF
        for number in range(length):
            current = caller(f"f{number}", current)
        return current.graph.copy()

    short, long = chain(sized(400)), chain(sized(1600))
    cost = calls_made(lambda: inline(short, simplify=look_at_all))
    assert calls_made(lambda: inline(long, simplify=look_at_all)) < 5 * cost


def look_at_all(_callee: Function, body: Graph) -> None:
    for node in body.all_nodes():
        repr(node.kind)


def test_bodies_are_simplified_once_each_before_they_are_inlined() -> None:
    inner = caller("inner", LEAF, 2)
    simplified: list[str] = []

    def simplify(callee: Function, body: Graph) -> None:
        assert prim.CallFunction not in kinds(body)
        simplified.append(callee.name)
        body.outputs[0].node.set_attribute("seen", 1)

    graph = caller("outer", inner, 3).graph.copy()
    assert inline(graph, simplify=simplify)
    assert simplified == ["leaf", "inner"]
    assert sum(node.has_attribute("seen") for node in graph.nodes()) == 6


def test_a_function_that_calls_itself_stays_called_where_it_does() -> None:
    endless = Function("__torch__.f")
    body = (
        'graph(%0 : int):\n  %f : Function = prim::Constant[name="f"]()\n'
        "  %1 : int = prim::CallFunction(%f, %0)\n  %2 : int = aten::neg(%1)\n  return (%2)\n"
    )
    endless.graph = parse_ir(body, functions={"f": endless})
    graph = endless.graph.copy()
    assert inline(graph)
    graph.lint()
    assert [kind for kind in kinds(graph) if kind != prim.Constant] == [
        "prim::CallFunction",
        "aten::neg",
        "aten::neg",
    ]
