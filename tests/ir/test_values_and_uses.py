"""Use lists stay right, whatever is done to inputs; names belong to one value at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsc.compiler.ir import Graph, GraphError, Node, Value
from tsc.compiler.types import INT, TENSOR

from .graphs import if_graph, nodes_of


def uses(value: Value) -> list[tuple[Node, int]]:
    return [(use.node, use.offset) for use in value.uses]


def test_adding_replacing_and_removing_inputs_keeps_both_ends() -> None:
    graph = Graph()
    x, y = graph.add_input("x"), graph.add_input("y")
    node = graph.insert_node(graph.create("aten::cat", [x, y, x]))
    assert uses(x) == [(node, 0), (node, 2)]

    node.insert_input(1, y)
    assert list(node.inputs) == [x, y, y, x]
    assert uses(x) == [(node, 0), (node, 3)]
    assert uses(y) == [(node, 2), (node, 1)]

    assert node.replace_input(0, y) is x
    node.remove_input(1)
    assert list(node.inputs) == [y, y, x]
    assert uses(x) == [(node, 2)]

    node.remove_all_inputs()
    assert uses(x) == []
    graph.lint()


def test_replacing_all_uses_reaches_nested_blocks_and_returns() -> None:
    graph = if_graph()
    d = nodes_of(graph, "aten::add")[0].output
    a = graph.inputs[0]
    d.replace_all_uses_with(a)
    assert not d.has_uses
    assert [value.debug_name for value in nodes_of(graph, "aten::add")[1].inputs] == [
        "a",
        "a",
        "one",
    ]
    graph.lint()


def test_values_of_another_graph_are_refused() -> None:
    graph, other = Graph(), Graph()
    node = graph.create("aten::neg", [graph.add_input("x")])
    stranger = other.add_input("y")
    with pytest.raises(GraphError, match="%y belongs to another graph"):
        node.add_input(stranger)
    with pytest.raises(GraphError, match="another graph"):
        node.replace_input(0, stranger)


def test_permuting_inputs_and_outputs_moves_uses_along() -> None:
    graph = Graph()
    x, y, z = (graph.add_input(name) for name in "xyz")
    node = graph.insert_node(graph.create("custom::three", [x, y, z], 3))
    first, _, third = node.outputs
    graph.register_output(first)
    graph.register_output(third)
    node.permute_inputs([2, 0, 1])
    node.permute_outputs([2, 0, 1])
    assert list(node.inputs) == [z, x, y]
    assert uses(x) == [(node, 1)]
    assert (third.offset, first.offset) == (0, 1)
    graph.lint()
    with pytest.raises(GraphError, match="no order of 3 inputs"):
        node.permute_inputs([0, 0, 1])


def test_outputs_in_use_cannot_be_erased() -> None:
    graph = Graph()
    node = graph.insert_node(graph.create("custom::two", [], 2))
    unused, used = node.outputs
    graph.register_output(used)
    with pytest.raises(GraphError, match="cannot erase %1"):
        node.erase_output(1)
    node.erase_output(0)
    assert list(node.outputs) == [used]
    assert used.offset == 0
    assert unused not in node.outputs
    graph.lint()


class TestNames:
    def test_an_older_owner_is_renamed(self) -> None:
        graph = Graph()
        first = graph.add_input("x")
        second = graph.add_input("x")
        third = graph.add_input("x")
        assert [value.debug_name for value in (first, second, third)] == ["x.1", "x.3", "x"]

    def test_a_suffix_is_counted_on(self) -> None:
        graph = Graph()
        first = graph.add_input("x.7")
        second = graph.add_input("x.7")
        assert (first.debug_name, second.debug_name) == ("x.8", "x.7")

    def test_numbers_are_no_names_but_the_names_of_the_nameless(self) -> None:
        graph = Graph()
        value = graph.add_input()
        assert (value.debug_name, value.has_debug_name) == ("0", False)
        with pytest.raises(GraphError, match="must not be a number"):
            value.set_debug_name("12")
        assert value.set_debug_name("1.5").debug_name == "1.5"

    def test_giving_a_name_up_frees_it(self) -> None:
        graph = Graph()
        first = graph.add_input("x")
        first.set_debug_name("")
        second = graph.add_input("x")
        assert (first.debug_name, second.debug_name) == ("0", "x")

    def test_destroying_a_node_frees_its_names(self) -> None:
        graph = Graph()
        node = graph.insert_node(graph.create("custom::make"))
        node.output.set_debug_name("x")
        node.destroy()
        assert graph.add_input("x").debug_name == "x"

    def test_metadata_is_type_and_name(self) -> None:
        graph, other = Graph(), Graph()
        source = graph.add_input("x", INT)
        copy = other.add_input("y").copy_metadata(source)
        assert (copy.debug_name, copy.type) == ("x", INT)
        nameless = other.add_input("z").copy_metadata(graph.add_input(type=TENSOR))
        assert (nameless.debug_name, nameless.type) == ("z", TENSOR)

    @given(st.lists(st.sampled_from(["x", "y", "x.1", "x.2", "y.1", "z."]), max_size=40))
    def test_names_are_unique_and_the_last_claim_wins(self, names: list[str]) -> None:
        graph = Graph()
        for name in names:
            assert graph.add_input(name).debug_name == name
        given_names = [value.debug_name for value in graph.inputs]
        assert len(set(given_names)) == len(given_names)
        graph.lint()
