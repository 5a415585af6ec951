"""Passes of users: they have names, their graphs are verified, and what goes wrong in one is told by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tsc
from tsc.compiler.ir import Graph
from tsc.compiler.ir.errors import GraphError
from tsc.runtime.execution import registered_passes
from tsc.runtime.execution.graph_executor import executor_of, optimize_again


@pytest.fixture(autouse=True)
def only_those_of_the_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registered_passes, "_passes", [])
    return


def function() -> Any:
    return tsc.CompilationUnit("def f(n: int) -> int:\n    return n + 1\n").f


def subtract_instead(graph: Graph) -> None:
    for node in graph.all_nodes():
        if node.kind == "aten::add":
            one, other = node.inputs
            with graph.insert_at(node):
                made = graph.insert_node(graph.create("aten::sub", [one, other], range=node.range))
            made.operator = tsc.runtime.operators.load().find("aten::sub", "int")
            node.output.replace_all_uses_with(made.output.set_type(node.output.type))


def test_a_pass_changes_what_runs() -> None:
    assert tsc.register_pass(subtract_instead) is subtract_instead
    assert function()(3) == 2


def test_a_pass_is_called_as_its_function_or_as_it_was_told() -> None:
    class Callable:
        def __call__(self, graph: Graph) -> None:
            """Does nothing."""

    tsc.register_pass(subtract_instead)
    tsc.register_pass(lambda graph: None, "nothing")
    tsc.register_pass(Callable())
    names = [each.name for each in registered_passes.registered_passes()]
    assert names == ["subtract_instead", "nothing", "Callable"]


def test_what_a_pass_raises_is_an_error_that_names_it() -> None:
    def careless(graph: Graph) -> None:
        raise KeyError("gone")

    tsc.register_pass(careless)
    with pytest.raises(tsc.Error, match="pass 'careless' raised KeyError: 'gone'") as raised:
        function()(1)
    assert isinstance(raised.value.__cause__, KeyError)


def test_a_broken_graph_is_told_of_the_pass_that_broke_it() -> None:
    def breaks(graph: Graph) -> None:
        next(node for node in graph.nodes() if node.kind == "aten::add").output.set_type(
            tsc.compiler.types.STRING
        )

    tsc.register_pass(breaks, "a pass of mine")
    with pytest.raises(tsc.Error, match="pass 'a pass of mine' left a graph") as raised:
        function()(1)
    assert isinstance(raised.value.__cause__, GraphError)


def test_what_failed_may_be_tried_again() -> None:
    answers: list[Any] = [ValueError("not yet"), None]

    def late(graph: Graph) -> None:
        answer = answers.pop(0)
        if answer is not None:
            raise answer

    tsc.register_pass(late)
    f = function()
    with pytest.raises(tsc.Error):
        f(1)
    assert f(1) == 2


def test_passes_are_observed_by_name_after_those_of_tsc() -> None:
    tsc.register_pass(subtract_instead)
    heard: list[str] = []
    f = function().function
    graph = optimize_again(f, lambda name, _function, _graph: heard.append(name))
    *_, last, ours, taken_apart = heard
    assert (last, ours) == ("eliminate_dead_code", "subtract_instead")
    assert taken_apart == "inline_functional_graphs"  # whoever made them
    assert str(graph) == str(executor_of(f).optimized_graph)
