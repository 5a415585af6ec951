"""Views name the parts of control-flow nodes, and change them in all places at once."""

from __future__ import annotations

import pytest

from tsc.compiler.ir import GraphError, IfView, LoopKind, LoopView, parse_ir, prim

from .graphs import LOOP, if_graph, loop_graph, only_node


def names(values: object) -> list[str]:
    return [value.debug_name for value in values]  # type: ignore[attr-defined]


def test_an_if() -> None:
    graph = if_graph()
    view = IfView(only_node(graph, prim.If))
    assert view.condition is graph.inputs[2]
    assert names(view.then_outputs) == ["then"]
    assert names(view.else_outputs) == ["else"]
    assert names(view.outputs) == ["e"]
    graph.replace_output(0, graph.inputs[0])
    view.erase_output(0)
    assert not view.outputs
    graph.lint()
    with pytest.raises(GraphError, match="expected a prim::If, not a aten::add"):
        IfView(view.then_block.return_node.previous)


def test_a_loop() -> None:
    view = LoopView(only_node(loop_graph(), prim.Loop))
    assert names([view.max_trip_count, view.input_condition]) == ["n", "true"]
    assert names(view.carried_inputs) == ["x", "n"]
    assert names(view.carried_outputs) == ["y", "count"]
    assert names([view.current_trip_count]) == ["i"]
    assert names(view.body_carried_inputs) == ["z", "k"]
    assert names([view.next_condition]) == ["true"]
    assert names(view.body_carried_outputs) == ["next", "sum"]


def test_carried_variables_move_come_and_go_together() -> None:
    graph = loop_graph()
    view = LoopView(only_node(graph, prim.Loop))
    view.permute_carried([1, 0])
    assert names(view.carried_inputs) == ["n", "x"]
    assert names(view.body_carried_inputs) == ["k", "z"]
    assert names(view.body_carried_outputs) == ["sum", "next"]
    assert names(view.carried_outputs) == ["count", "y"]
    graph.lint()

    inner = view.add_carried(graph.inputs[0], "again")
    view.body_block.register_output(inner)
    graph.lint()

    graph.replace_output(0, graph.inputs[0])
    view.body_block.replace_output(2, graph.inputs[0])
    next_node = only_node(graph, "aten::mul")
    for offset in (0, 1):
        next_node.replace_input(offset, graph.inputs[0])
    view.erase_carried(1)
    assert names(view.carried_inputs) == ["n", "x"]
    assert names(view.body_carried_inputs) == ["k", "again"]
    graph.lint()


STOPPING = LOOP.replace("-> (%true,", "-> (%stop,").replace(
    "%next :", "%stop : bool = aten::Bool(%i)\n      %next :"
)
ENDLESS = STOPPING.replace("Loop(%n,", "Loop(%max,").replace(
    "  %true :", "  %max : int = prim::Constant[value=9223372036854775807]()\n  %true :"
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [(LOOP, LoopKind.FOR), (STOPPING, LoopKind.MODIFIED), (ENDLESS, LoopKind.WHILE)],
)
def test_loops_are_told_apart_by_their_constants(text: str, kind: LoopKind) -> None:
    graph = parse_ir(text)
    graph.lint()
    assert LoopView(only_node(graph, prim.Loop)).kind is kind
