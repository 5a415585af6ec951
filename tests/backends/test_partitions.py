"""Which nodes of a program go together, on random graphs."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tsc.compiler.exir.delegation.partitions import Stage, stages
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import operator_target

TAKEN, LEFT, ACTING = (operator_target(f"aten::{name}") for name in ("relu", "sort", "relu_"))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """An input, calls of it and of earlier calls, and an output that reads all of them."""
    graph = Graph()
    nodes = [graph.placeholder("x")]
    for _ in range(draw(st.integers(1, 20))):
        target = draw(st.sampled_from([TAKEN, TAKEN, LEFT, ACTING]))
        sources = draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=3))
        nodes.append(graph.call_function(target, tuple(sources)))
    graph.output(tuple(nodes))
    return graph


def staged(graph: Graph) -> list[Stage]:
    return list(
        stages(graph, lambda node: node.target == TAKEN, lambda node: node.target == ACTING)
    )


@given(graphs())
def test_stages_are_in_an_order_in_which_they_can_run(graph: Graph) -> None:
    seen: set[Node] = set()
    for stage in staged(graph):
        for node in stage.nodes:
            assert seen.union(stage.nodes).issuperset(node.input_nodes)
            assert seen.issuperset(set(node.input_nodes).difference(stage.nodes))
        seen.update(stage.nodes)
    assert seen == {node for node in graph.nodes if node.op is not Op.OUTPUT}


@given(graphs())
def test_groups_are_of_what_is_taken_and_the_rest_stands_alone(graph: Graph) -> None:
    for stage in staged(graph):
        if stage.is_handed_over:
            assert all(node.target == TAKEN for node in stage.nodes)
        else:
            assert len(stage.nodes) == 1 and stage.nodes[0].target != TAKEN


@given(graphs())
def test_what_acts_stays_between_what_was_before_and_behind_it(graph: Graph) -> None:
    order = [node for stage in staged(graph) for node in stage.nodes]
    places = {node: place for place, node in enumerate(order)}
    calls = [node for node in graph.nodes if node.op is Op.CALL_FUNCTION]
    for number, node in enumerate(calls):
        if node.target == ACTING:
            assert all(places[each] < places[node] for each in calls[:number])
            assert all(places[each] > places[node] for each in calls[number + 1 :])


@given(graphs())
def test_no_two_groups_follow_each_other(graph: Graph) -> None:
    kinds = [stage.is_handed_over for stage in staged(graph)]
    assert not any(first and second for first, second in itertools.pairwise(kinds))


def test_branches_that_meet_are_one_group() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    left = graph.call_function(TAKEN, (x,))
    other = graph.call_function(LEFT, (x,))
    right = graph.call_function(TAKEN, (other,))
    graph.output((graph.call_function(TAKEN, (left, right)),))
    (group,) = [stage for stage in staged(graph) if stage.is_handed_over]
    assert len(group.nodes) == 3
