"""Lists of nodes: insertion, order, removal, insertion points, destruction."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.work import calls_made
from tsc.compiler.ir import Block, Graph, GraphError, Node, prim
from tsc.compiler.types import BOOL, INT

from .graphs import if_graph, loop_graph, nodes_of, only_node


def kinds(block: Block | Graph) -> list[str]:
    return [node.kind for node in block.nodes()]


def make(graph: Graph, kind: str) -> Node:
    return graph.create(kind, (), 0)


def test_insertion_puts_nodes_where_told() -> None:
    graph = Graph()
    b = graph.append_node(make(graph, "b"))
    graph.prepend_node(make(graph, "a"))
    make(graph, "d").insert_after(b)
    make(graph, "c").insert_after(b)
    make(graph, "first").insert_after(graph.param_node)
    make(graph, "last").insert_before(graph.return_node)
    assert kinds(graph) == ["first", "a", "b", "c", "d", "last"]
    assert [node.kind for node in graph.nodes_reversed()] == ["last", "d", "c", "b", "a", "first"]
    graph.lint()


def test_the_ends_of_a_block_stay_its_ends() -> None:
    graph = Graph()
    with pytest.raises(GraphError, match="before a block's inputs"):
        make(graph, "a").insert_before(graph.param_node)
    with pytest.raises(GraphError, match="after a block's outputs"):
        make(graph, "a").insert_after(graph.return_node)


def test_a_node_stands_in_one_place_only() -> None:
    graph = Graph()
    node = graph.append_node(make(graph, "a"))
    with pytest.raises(GraphError, match="already in a block"):
        graph.append_node(node)
    node.remove_from_list()
    assert not node.is_attached
    with pytest.raises(GraphError, match="in no block"):
        node.remove_from_list()
    with pytest.raises(GraphError, match="in no block"):
        _ = node.owning_block


def test_moving_changes_block_and_order() -> None:
    graph = if_graph()
    branch = only_node(graph, prim.If)
    then, otherwise = nodes_of(graph, "aten::add")[1:]
    otherwise.move_before(branch)
    assert otherwise.owning_block is graph.block
    assert otherwise.is_before(branch)
    assert otherwise.is_before(then)
    graph.lint()


def test_order_looks_through_blocks() -> None:
    graph = if_graph()
    branch = only_node(graph, prim.If)
    add, then, otherwise = nodes_of(graph, "aten::add")
    assert add.is_before(then)
    assert not then.is_before(add)
    assert then.is_after(add)
    assert then.is_before(graph.return_node)
    assert graph.param_node.is_before(then)
    assert not then.is_before(then)
    assert not then.is_after(then)
    for inside in (then, otherwise):
        with pytest.raises(GraphError, match="contains"):
            branch.is_before(inside)


@given(
    st.lists(
        st.tuples(st.sampled_from(["insert", "move", "remove"]), st.integers(0), st.integers(0))
    )
)
@settings(deadline=None, max_examples=60)
def test_order_agrees_with_a_list(steps: list[tuple[str, int, int]]) -> None:
    graph = Graph()
    model: list[Node] = []
    for action, i, j in steps:
        if action == "insert" or len(model) < 2:
            place = model[i % len(model)] if model else graph.return_node
            node = make(graph, f"k{len(model)}").insert_before(place)
            model.insert(model.index(place) if model else 0, node)
        elif action == "move":
            node, place = model[i % len(model)], model[j % len(model)]
            node.move_after(place)
            if node is not place:
                model.remove(node)
                model.insert(model.index(place) + 1, node)
        else:
            model.pop(i % len(model)).destroy()
    assert list(graph.nodes()) == model
    for earlier, later in pairwise(model):
        assert earlier.is_before(later)
        assert not later.is_before(earlier)
    graph.lint()


@pytest.mark.parametrize("at_end", [True, False])
def test_many_insertions_at_one_place_keep_the_order(at_end: bool) -> None:
    graph = Graph()
    first, last = graph.append_node(make(graph, "a")), graph.append_node(make(graph, "z"))
    inserted = []
    for number in range(3000):
        node = make(graph, f"k{number}")
        inserted.append(node.insert_before(last) if at_end else node.insert_after(first))
    graph.lint()
    assert inserted[0].is_before(inserted[-1]) is at_end


def test_insertion_in_the_middle_does_not_get_slower() -> None:
    def insert(count: int) -> None:
        graph = Graph()
        first = graph.append_node(make(graph, "a"))
        graph.append_node(make(graph, "z"))
        for _ in range(count):
            make(graph, "k").insert_after(first)

    assert calls_made(lambda: insert(16000)) < 8 * 1.5 * calls_made(lambda: insert(2000))


class TestInsertionPoint:
    def test_nodes_go_before_it(self) -> None:
        graph = Graph()
        b = graph.insert_node(make(graph, "b"))
        with graph.insert_at(b):
            graph.insert_node(make(graph, "a1"))
            graph.insert_node(make(graph, "a2"))
        graph.insert_node(make(graph, "c"))
        assert kinds(graph) == ["a1", "a2", "b", "c"]

    def test_a_block_stands_for_its_end_and_errors_restore_it(self) -> None:
        graph = if_graph()
        block = only_node(graph, prim.If).blocks[0]
        with pytest.raises(ValueError, match="stop"), graph.insert_at(block):
            graph.insert_constant(2)
            raise ValueError("stop")
        assert kinds(block) == ["aten::add", "prim::Constant"]
        assert graph.insertion_point is graph.return_node

    def test_it_must_be_in_the_graph(self) -> None:
        graph, other = Graph(), Graph()
        with pytest.raises(GraphError, match="in a block of this graph"):
            graph.set_insertion_point(other.block)
        with pytest.raises(GraphError, match="in a block of this graph"):
            graph.set_insertion_point(make(graph, "a"))


class TestWalking:
    def test_the_current_node_may_go(self) -> None:
        graph = Graph()
        for kind in "abcd":
            graph.append_node(make(graph, kind))
        seen = []
        for node in graph.nodes():
            seen.append(node.kind)
            node.destroy()
        assert seen == list("abcd")
        assert kinds(graph) == []

    def test_the_next_node_may_go(self) -> None:
        graph = Graph()
        for kind in "abc":
            graph.append_node(make(graph, kind))
        seen = []
        for node in graph.nodes():
            seen.append(node.kind)
            if node.kind == "a":
                node.next.destroy()
        assert seen == ["a", "c"]

    def test_a_node_that_moves_to_the_front_is_seen_once(self) -> None:
        graph = Graph()
        for kind in "abc":
            graph.append_node(make(graph, kind))
        seen = []
        for node in graph.nodes():
            seen.append(node.kind)
            node.move_after(graph.param_node)
        assert seen == list("abc")
        assert kinds(graph) == list("cba")

    def test_losing_the_way_is_an_error(self) -> None:
        graph = Graph()
        for kind in "abc":
            graph.append_node(make(graph, kind))
        with pytest.raises(GraphError, match="during a walk"):
            for node in graph.nodes():
                node.next.destroy()
                node.destroy()

    def test_nested_nodes_come_in_the_order_of_the_text(self) -> None:
        graph = if_graph()
        names = [node.outputs[0].debug_name for node in graph.all_nodes()]
        assert names == ["one", "d", "e", "then", "else"]


class TestDestroying:
    def test_nodes_in_use_stay(self) -> None:
        graph = if_graph()
        with pytest.raises(GraphError, match="cannot destroy aten::add: %d is used"):
            nodes_of(graph, "aten::add")[0].destroy()
        graph.lint()

    def test_a_node_takes_its_blocks_along(self) -> None:
        graph = loop_graph()
        loop = only_node(graph, prim.Loop)
        for offset, initial in enumerate(loop.inputs[2:]):
            graph.replace_output(offset, initial)
        loop.destroy()
        assert kinds(graph) == ["prim::Constant"]
        assert [value.use_count for value in graph.inputs] == [1, 1]
        assert graph.names.owner("next") is None
        graph.lint()

    def test_a_block_with_values_in_use_elsewhere_stays(self) -> None:
        graph = if_graph()
        then = nodes_of(graph, "aten::add")[1]
        graph.register_output(then.output)
        with pytest.raises(GraphError, match="%then is used outside"):
            then.owning_block.destroy_contents()
        assert then.is_attached
        assert then.output.use_count == 2

    def test_blocks_nested_300_deep_can_be_destroyed(self) -> None:
        graph = Graph()
        condition = graph.add_input("c", BOOL)
        block = graph.block
        for _ in range(300):
            node = block.append_node(graph.create(prim.If, [condition], 0))
            block = node.add_block()
            node.add_block()
        graph.lint()
        assert str(graph.copy()) == str(graph)
        graph.block.destroy_contents()
        assert not condition.has_uses

    def test_erasing_a_block_leaves_the_others(self) -> None:
        graph = if_graph()
        node = only_node(graph, prim.If)
        node.erase_block(0)
        assert kinds(node.blocks[0]) == ["aten::add"]
        assert len(node.blocks) == 1


class TestAttributes:
    def test_they_keep_their_order_and_can_be_replaced(self) -> None:
        node = make(Graph(), "custom::a")
        node.set_attribute("b", 1).set_attribute("a", (1, 2)).set_attribute("b", "text")
        assert dict(node.attributes) == {"b": "text", "a": (1, 2)}
        assert list(node.attributes) == ["b", "a"]
        assert not node.has_attribute("c")
        with pytest.raises(GraphError, match="has no attribute 'c'"):
            node.attribute("c")

    def test_they_are_asked_for_by_kind(self) -> None:
        node = make(Graph(), "custom::a").set_attribute("n", 1).set_attribute("s", "x")
        assert (node.integer_attribute("n"), node.string_attribute("s")) == (1, "x")
        with pytest.raises(GraphError, match="not a string"):
            node.string_attribute("n")
        with pytest.raises(GraphError, match="not an int"):
            node.integer_attribute("s")


class TestNamedInputs:
    def test_they_are_found_through_the_schema(self) -> None:
        graph = if_graph()
        add = nodes_of(graph, "aten::add")[0]
        assert add.schema is not None
        assert add.named_input("other") is graph.inputs[1]
        assert add.is_constant("alpha")
        assert not add.is_constant("self")
        assert add.get("alpha") == 1
        assert add.has_named_input("alpha")
        with pytest.raises(GraphError, match="has no input named 'dim'"):
            add.named_input("dim")

    def test_single_inputs_and_outputs_must_be_single(self) -> None:
        graph = Graph()
        node = graph.create("custom::two", [graph.add_input("x", INT)] * 2, 2)
        with pytest.raises(GraphError, match="2 inputs, not one"):
            _ = node.input
        with pytest.raises(GraphError, match="2 outputs, not one"):
            _ = node.output
