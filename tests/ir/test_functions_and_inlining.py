"""Functions are defined once, when needed; inlining puts their bodies in the place of calls."""

from __future__ import annotations

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.ir import (
    Function,
    Graph,
    GraphError,
    InlinedCall,
    RecursiveDefinition,
    called_function,
    inline_function_call,
    insert_graph,
    parse_ir,
    prim,
)
from tsc.compiler.schema import parse_schema

from .graphs import nodes_of, only_node

CALLEE = """graph(%x.1 : int):
  %c : bool = prim::Constant[value=1]()
  = prim::Print(%x.1) # callee.py:2:4
  %y : int = prim::If(%c)
    block0():
      %w : int = aten::neg(%x.1) # callee.py:3:4
      -> (%w)
    block1():
      -> (%x.1)
  return (%y)
"""

CALLER = """graph(%x : int):
  %f : Function = prim::Constant[name="callee"]()
  %y : int = prim::CallFunction(%f, %x) # caller.py:1:4
  %z : int = prim::CallFunction(%f, %y) # caller.py:2:4
  return (%z)
"""


class TestDefinition:
    def test_it_happens_once_and_when_needed(self) -> None:
        made: list[Function] = []

        def define(function: Function) -> None:
            made.append(function)
            function.graph = parse_ir(CALLEE)
            function.schema = parse_schema("callee(int x) -> int")

        function = Function("__torch__.a.callee", define)
        assert function.name == "callee"
        assert not made
        assert function.graph is function.graph
        assert function.schema.name == "callee"
        assert made == [function]

    def test_recursion_is_an_error_that_leaves_the_function_as_it_was(self) -> None:
        function = Function("f", lambda function: function.ensure_defined())
        for _ in range(2):
            with pytest.raises(RecursiveDefinition, match="function 'f' is called recursively"):
                _ = function.graph

    def test_a_failed_definition_fails_again(self) -> None:
        def define(function: Function) -> None:
            raise ValueError(function.name)

        function = Function("f", define)
        for _ in range(2):
            with pytest.raises(ValueError, match="f"):
                _ = function.graph

    def test_without_one_there_is_no_graph(self) -> None:
        with pytest.raises(GraphError, match="function 'f' has no definition"):
            _ = Function("f").graph
        with pytest.raises(GraphError, match="function 'f' has no schema"):
            _ = Function("f").schema


def test_inlining_keeps_names_places_and_effects() -> None:
    callee = Function("__torch__.callee", graph=parse_ir(CALLEE))
    graph = parse_ir(CALLER)
    for call in nodes_of(graph, prim.CallFunction):
        inline_function_call(call, callee)
    graph.lint()
    assert [node.kind for node in graph.nodes()] == [
        "prim::Constant",
        *("prim::Constant", "prim::Print", "prim::If") * 2,
    ]
    first, second = nodes_of(graph, prim.If)
    assert second.output.debug_name == "z"
    assert graph.outputs[0] is second.output
    assert second.blocks[1].outputs[0] is first.output
    prints = nodes_of(graph, prim.Print)
    assert [str(node.range) for node in prints] == ["callee.py:2:4"] * 2
    calls = [node.call_stack for node in nodes_of(graph, "aten::neg")]
    assert [str(call and call.call) for call in calls] == ["caller.py:1:4", "caller.py:2:4"]


def test_call_stacks_grow_outwards() -> None:
    innermost = Function(
        "a", graph=parse_ir("graph(%x : int):\n  %y : int = aten::neg(%x)\n  return (%y)")
    )
    text = CALLER.replace("caller.py", "{0}.py")
    for name in ("b", "c"):
        graph = parse_ir(text.replace("{0}", name))
        for call in nodes_of(graph, prim.CallFunction):
            inline_function_call(call, innermost)
        innermost = Function(name, graph=graph)
    stacks = [node.call_stack for node in nodes_of(innermost.graph, "aten::neg")]
    assert list(map(places, stacks)) == [
        ["c.py:1:4", "b.py:1:4"],
        ["c.py:1:4", "b.py:2:4"],
        ["c.py:2:4", "b.py:1:4"],
        ["c.py:2:4", "b.py:2:4"],
    ]


def places(stack: InlinedCall | None) -> list[str]:
    return [] if stack is None else [str(call.call) for call in stack.calls()]


def test_a_call_that_was_inlined_itself_keeps_its_stack() -> None:
    leaf = Function(
        "a", graph=parse_ir("graph(%x : int):\n  %y : int = aten::neg(%x)\n  return (%y)")
    )
    middle = Function(
        "b", graph=parse_ir(CALLER.replace("caller", "b"), functions={"callee": leaf})
    )
    graph = parse_ir(CALLER.replace("caller", "c"), functions={"callee": middle})
    while calls := nodes_of(graph, prim.CallFunction):
        callee = called_function(calls[0].inputs[0])
        assert callee is not None
        inline_function_call(calls[0], callee)
    stacks = [node.call_stack for node in nodes_of(graph, "aten::neg")]
    assert list(map(places, stacks)) == [
        ["c.py:1:4", "b.py:1:4"],
        ["c.py:1:4", "b.py:2:4"],
        ["c.py:2:4", "b.py:1:4"],
        ["c.py:2:4", "b.py:2:4"],
    ]


def test_an_identity_leaves_nothing_behind() -> None:
    identity = Function("callee", graph=parse_ir("graph(%a : int):\n  return (%a)\n"))
    graph = parse_ir(CALLER)
    for call in nodes_of(graph, prim.CallFunction):
        inline_function_call(call, identity)
    graph.lint()
    assert graph.outputs[0] is graph.inputs[0]
    assert [node.kind for node in graph.nodes()] == ["prim::Constant"]


def test_inserting_a_graph_tells_what_became_of_its_values() -> None:
    callee, graph = parse_ir(CALLEE), Graph()
    x = graph.add_input("x", callee.inputs[0].type)
    copies: dict = {}
    (output,) = insert_graph(graph, callee, [x], copies)
    assert copies[callee.inputs[0]] is x
    assert copies[only_node(callee, prim.If).output] is output
    graph.lint()
    with pytest.raises(GraphError, match="1 inputs are needed, 2 were given"):
        insert_graph(graph, callee, [x, x])


def test_inlining_costs_time_in_proportion_to_what_is_inlined() -> None:
    body = "".join(f"  %{i + 1} : int = aten::neg(%{i})\n" for i in range(2000))
    callee = Function("callee", graph=parse_ir(f"graph(%0 : int):\n{body}  return (%2000)\n"))
    graph = parse_ir(CALLER)
    for call in nodes_of(graph, prim.CallFunction):
        inline_function_call(call, callee)
    assert len(nodes_of(graph, "aten::neg")) == 4000
    assert len({id(node.call_stack) for node in nodes_of(graph, "aten::neg")}) == 2
