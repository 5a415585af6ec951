"""The verifier finds every way in which a graph can be broken, and shows where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tsc.compiler.ir import Graph, InvalidGraph, LoopView, parse_ir, prim, verify
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.value import Use
from tsc.compiler.schema import parse_schema
from tsc.compiler.types import BOOL, FLOAT, INT, STRING, TENSOR, ListType, TupleType

from .graphs import OPERATORS, if_graph, loop_graph, nodes_of, only_node


def out_of_order(graph: Graph) -> None:
    add = nodes_of(graph, "aten::add")[0]
    add.move_after(only_node(graph, prim.If))


def out_of_scope(graph: Graph) -> None:
    then, otherwise = nodes_of(graph, "aten::add")[1:]
    otherwise.replace_input(0, then.output)


def own_output(graph: Graph) -> None:
    add = nodes_of(graph, "aten::add")[0]
    add.replace_input(0, add.output)


def unattached(graph: Graph) -> None:
    stray = graph.create("aten::neg", [graph.inputs[0]])
    graph.replace_output(0, stray.output)


def escaped_block(graph: Graph) -> None:
    graph.register_output(nodes_of(graph, "aten::add")[1].output)


def stale_use(graph: Graph) -> None:
    graph.inputs[0].record_use(Use(nodes_of(graph, "aten::add")[0], 7))


def lost_use(graph: Graph) -> None:
    value = graph.inputs[0]
    value.forget_use(value.uses[0])


def use_outside_of_the_graph(graph: Graph) -> None:
    graph.create("aten::neg", [graph.inputs[0]])


def wrong_use_offset(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].input_use(1).offset = 0


def wrong_output_offset(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].output.offset = 3


def no_type(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].output.type = None  # type: ignore[assignment]


def same_number(graph: Graph) -> None:
    first, second = graph.inputs[:2]
    second.unique = first.unique


def stolen_name(graph: Graph) -> None:
    graph.inputs[1].rename("a")


def wrong_block(graph: Graph) -> None:
    then = nodes_of(graph, "aten::add")[1]
    then.block = graph.block


def broken_links(graph: Graph) -> None:
    add, branch = nodes_of(graph, "aten::add")[0], only_node(graph, prim.If)
    branch.previous = add.previous


def wrong_position(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].position = 1 << 60


def foreign_node(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].graph = Graph()


def foreign_block(graph: Graph) -> None:
    only_node(graph, prim.If).blocks[0].graph = Graph()


def orphaned_block(graph: Graph) -> None:
    only_node(graph, prim.If).blocks[0].owning_node = nodes_of(graph, "aten::add")[0]


def inner_return(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].kind = prim.Return


def return_with_output(graph: Graph) -> None:
    graph.return_node.add_output()


def param_with_input(graph: Graph) -> None:
    graph.param_node.add_input(graph.inputs[0])


def if_condition(graph: Graph) -> None:
    only_node(graph, prim.If).replace_input(0, graph.inputs[0])


def if_blocks(graph: Graph) -> None:
    only_node(graph, prim.If).erase_block(1)


def if_block_input(graph: Graph) -> None:
    only_node(graph, prim.If).blocks[1].add_input("x")


def if_block_outputs(graph: Graph) -> None:
    only_node(graph, prim.If).blocks[1].erase_output(0)


def if_output_type(graph: Graph) -> None:
    only_node(graph, prim.If).output.set_type(INT)


def schema_inputs(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].remove_input(2)


def schema_type(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].replace_input(1, graph.inputs[2])


def schema_outputs(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].add_output()


def schema_output_type(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].output.set_type(BOOL)


def schema_name(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].kind = "aten::sub"


def constant_kind(graph: Graph) -> None:
    only_node(graph, prim.Constant).set_attribute("value", "one")


def constant_input(graph: Graph) -> None:
    only_node(graph, prim.Constant).add_input(graph.inputs[0])


def attribute_kind(graph: Graph) -> None:
    nodes_of(graph, "aten::add")[0].set_attribute("callback", print)


BROKEN_IFS: list[tuple[Callable[[Graph], None], str]] = [
    (out_of_order, r"%d, input of aten::add, is used before its definition or out of its scope"),
    (out_of_scope, r"%then, input of aten::add, is used before its definition or out of its"),
    (own_output, r"%d, input of aten::add, is its own output"),
    (unattached, r"input of prim::Return, is defined by a node that is in no block"),
    (escaped_block, r"%then, input of prim::Return, is used before .* out of its scope"),
    (stale_use, r"the use list of %a has an entry for what is no use of it"),
    (lost_use, r"the use list of %a has 0 entries for 1 uses"),
    (use_outside_of_the_graph, r"the use list of %a has 2 entries for 1 uses"),
    (wrong_use_offset, r"input 1 of aten::add does not know its place"),
    (wrong_output_offset, r"output 0 of aten::add does not know its place"),
    (no_type, r"%d has no type"),
    (same_number, r"two values have the number"),
    (stolen_name, r"%a does not own its name"),
    (wrong_block, r"aten::add is in the list of a block that is not its own"),
    (broken_links, r"the links between aten::add and prim::If disagree"),
    (wrong_position, r"the positions of aten::add and prim::If are not in order"),
    (foreign_node, r"aten::add belongs to another graph"),
    (foreign_block, r"a block of prim::If belongs to another graph"),
    (orphaned_block, r"a block of prim::If has another node for its owner"),
    (inner_return, r"prim::Return must be the end of its block"),
    (return_with_output, r"the return node of a block must not have outputs"),
    (param_with_input, r"the param node of a block must not have inputs"),
    (if_condition, r"input 0 of prim::If must be of type bool, but %a is of type Tensor"),
    (if_blocks, r"prim::If must have 2 blocks, not 1"),
    (if_block_input, r"the false block of prim::If must not have inputs"),
    (if_block_outputs, r"the false block of prim::If must have 1 outputs, not 0"),
    (if_output_type, r"%then is of type Tensor, which is no int as %e is"),
    (schema_inputs, r"aten::add does not fit its schema .*: it has 2 inputs, not 3"),
    (schema_type, r"'other' must be Tensor, but %c is bool"),
    (schema_outputs, r"aten::add does not fit its schema .*: it has 2 outputs, not 1"),
    (schema_output_type, r"it returns Tensor, but %d is bool"),
    (schema_name, r"aten::sub has the operator of aten::add"),
    (constant_kind, r"a constant of type int cannot hold 'one'"),
    (constant_input, r"prim::Constant must have 0 inputs, not 1"),
    (attribute_kind, r"attribute 'callback' of aten::add is of no kind an attribute can have"),
]


@pytest.mark.parametrize(
    ("damage", "message"), BROKEN_IFS, ids=lambda x: getattr(x, "__name__", "")
)
def test_broken_invariants_are_found(damage: Callable[[Graph], None], message: str) -> None:
    graph = if_graph()
    graph.lint()
    damage(graph)
    with pytest.raises(InvalidGraph, match=message):
        graph.lint()


def trip_count(loop: LoopView) -> None:
    loop.replace_max_trip_count(loop.input_condition)


def loop_condition(loop: LoopView) -> None:
    loop.replace_input_condition(loop.max_trip_count)


def next_condition(loop: LoopView) -> None:
    loop.body_block.replace_output(0, loop.max_trip_count)


def no_counter(loop: LoopView) -> None:
    loop.current_trip_count.set_type(FLOAT)


def carried_input(loop: LoopView) -> None:
    loop.node.remove_input(3)


def carried_output(loop: LoopView) -> None:
    loop.node.add_output()


def carried_type(loop: LoopView) -> None:
    loop.node.outputs[1].set_type(TENSOR)


def body_output(loop: LoopView) -> None:
    loop.body_block.erase_output(2)


def body_output_type(loop: LoopView) -> None:
    loop.body_block.replace_output(1, loop.max_trip_count)


def swapped_carried(loop: LoopView) -> None:
    loop.node.permute_inputs([0, 1, 3, 2])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (trip_count, "input 0 of prim::Loop must be of type int"),
        (loop_condition, "input 1 of prim::Loop must be of type bool"),
        (next_condition, "must end in a condition of type bool"),
        (no_counter, "must have a trip counter of type int"),
        (carried_input, "prim::Loop must have 2 carried inputs, not 1"),
        (carried_output, "prim::Loop must have 3 carried outputs, not 2"),
        (carried_type, "%sum is of type int, which is no Tensor as %count is"),
        (body_output, "the body of prim::Loop must have 2 outputs, not 1"),
        (body_output_type, "%n is of type int, which is no Tensor as %z is"),
        (swapped_carried, "%n is of type int, which is no Tensor as %z is"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_loops_carry_as_many_and_the_same_types(
    damage: Callable[[LoopView], None], message: str
) -> None:
    graph = loop_graph()
    graph.lint()
    damage(LoopView(only_node(graph, prim.Loop)))
    with pytest.raises(InvalidGraph, match=message):
        graph.lint()


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("%y : int = prim::TupleConstruct(%x)", "cannot make a int"),
        ("%y : (int, int) = prim::TupleConstruct(%x)", "must have 2 inputs, not 1"),
        ("%y : (str) = prim::TupleConstruct(%x)", "must be of type str, but %x is of type int"),
        ("%y : int, %z : int = prim::TupleUnpack(%t)", "must have 1 outputs, not 2"),
        ("%y : int = prim::TupleUnpack(%x)", "cannot unpack a int"),
        ("%y : str[] = prim::ListConstruct(%x)", "must be of type str, but %x is of type int"),
        ("%y : int = prim::ListConstruct(%x)", "cannot make a int"),
        ("%y : int = prim::ListUnpack(%x)", "cannot unpack a int"),
        ("%y : Dict(int, int) = prim::DictConstruct(%x)", "needs a value for every key"),
        ("%y : Dict(int, str) = prim::DictConstruct(%x, %x)", "must be of type str"),
        ("%y : int = prim::DictConstruct()", "cannot make a int"),
        ("= prim::Store(%x)", "needs a string as its attribute 'name'"),
        ('= prim::Store[name="x"]()', "must have 1 inputs, not 0"),
        ('%y : int = prim::Load[name="x"](%x)', "must have 0 inputs, not 1"),
        ("%y : int = prim::Load[name=1]()", "needs a string as its attribute 'name'"),
        ("%y : Function = prim::Constant()", "needs a string as its attribute 'name'"),
        ("%y : bool = prim::Constant()", "a constant of type bool cannot hold None"),
        ("%y : str = prim::Constant[value=1]()", "a constant of type str cannot hold 1"),
        ("%y : int[] = prim::Constant[value=[1, 2.5]]()", r"cannot hold \[1, 2.5\]"),
        ("%y : (int, str) = prim::Constant[value=(1, 2)]()", r"cannot hold \(1, 2\)"),
        ("%y : Tensor = prim::fork(%x)", "needs a graph as its attribute 'Subgraph'"),
        ("= prim::With()", "must have 2 blocks, not 0"),
        ("= prim::Closure()", "must have 1 blocks, not 0"),
        ("= prim::Loop(%x)", "needs a trip count and a condition"),
    ],
)
def test_nodes_are_made_as_their_kind_says(node: str, message: str) -> None:
    text = f"graph(%x : int,\n      %t : (int)):\n  {node}\n  return (%x)\n"
    with pytest.raises(InvalidGraph, match=message):
        parse_ir(text).lint()


def test_a_subgraph_takes_the_inputs_of_its_node() -> None:
    graph = parse_ir(
        "graph(%x : int):\n  %y : Future(int) = prim::fork_0(%x)\n  return (%y)\n"
        "with prim::fork_0 = graph(%a : int, %b : int):\n  return (%a)\n"
    )
    with pytest.raises(InvalidGraph, match="prim::fork must have 2 inputs, not 1"):
        graph.lint()


class TestSchemas:
    def test_type_variables_bind_once(self) -> None:
        graph = parse_ir(
            "graph(%xs : int[],\n      %x : str):\n"
            "  %0 : int[] = aten::append(%xs, %x)\n  return (%0)\n"
        )
        node = only_node(graph, "aten::append")
        node.operator = OPERATORS.find("aten::append", "t")
        with pytest.raises(
            InvalidGraph, match="previously matched to type int is matched to type str"
        ):
            graph.lint()

    def test_varargs_take_any_number(self) -> None:
        text = "graph(%s : str, %x : int):\n  %0 : str = aten::format(%s, %x, %x)\n  return (%0)\n"
        graph = parse_ir(text, OPERATORS)
        assert only_node(graph, "aten::format").operator is not None
        graph.lint()

    def test_a_function_keeps_to_its_own(self) -> None:
        graph = loop_graph()
        verify(graph, parse_schema("f(Tensor x, int n) -> (Tensor, int)"))
        for schema, message in (
            ("f(Tensor x) -> (Tensor, int)", "the graph has 2 inputs, its schema 1"),
            ("f(Tensor x, str n) -> (Tensor, int)", "%n is int, not str as its schema says"),
            ("f(Tensor x, int n) -> Tensor", "the graph returns 2 values, not 1"),
            ("f(Tensor x, int n) -> (Tensor, str)", "the graph returns int, not str"),
        ):
            with pytest.raises(InvalidGraph, match=message):
                verify(graph, parse_schema(schema))


class TestMessages:
    def test_the_node_is_marked_in_the_text(self) -> None:
        graph = if_graph()
        out_of_scope(graph)
        with pytest.raises(InvalidGraph) as raised:
            graph.lint()
        lines = str(raised.value).splitlines()
        culprit = "      %else : Tensor = aten::add(%then, %d, %one)"
        underline = "      " + "~" * (len(culprit) - 6) + " <--- HERE"
        assert lines[lines.index(culprit) + 1] == underline
        assert raised.value.node.kind == "aten::add"

    def test_the_ends_of_blocks_are_marked(self) -> None:
        graph = if_graph()
        escaped_block(graph)
        with pytest.raises(InvalidGraph, match=r"  return \(%e, %then\)\n  ~~~~~~ <--- HERE"):
            graph.lint()
        graph = loop_graph()
        loop = LoopView(only_node(graph, prim.Loop))
        stray = graph.create("custom::stray")
        loop.body_block.replace_output(1, stray.output)
        with pytest.raises(InvalidGraph, match=r"-> \(%true, %\d+, %sum\)\n +~~ <--- HERE"):
            graph.lint()

    def test_only_the_neighbourhood_is_shown(self) -> None:
        graph = Graph()
        middle: Node | None = None
        for number in range(200):
            node = graph.insert_constant(number).node
            middle = node if number == 100 else middle
        assert middle is not None
        middle.set_attribute("value", "x")
        with pytest.raises(InvalidGraph) as raised:
            graph.lint()
        lines = str(raised.value).splitlines()
        assert len(lines) < 40
        assert lines[1] == lines[-1] == "..."


def test_sound_graphs_of_every_kind_pass() -> None:
    graph = Graph()
    x = graph.add_input("x", INT)
    pair = graph.insert_node(graph.create(prim.TupleConstruct, [x, x]))
    pair.output.set_type(TupleType((INT, INT)))
    graph.insert_node(graph.create(prim.TupleUnpack, [pair.output], 2))
    items = graph.insert_node(graph.create(prim.ListConstruct, [x, x]))
    items.output.set_type(ListType(INT))
    store = graph.insert_node(graph.create(prim.Store, [x], 0))
    store.set_attribute("name", "x")
    for constant in (None, True, 1, 1.5, 2j, "s", [1, 2], (1, "a"), {"a": 1}):
        graph.insert_constant(constant)
    graph.insert_constant([], ListType(STRING))
    graph.lint()
