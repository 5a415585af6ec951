"""Graphs built by hand: calls bound to schemas, nodes that find their operators, attributes by kind, searches."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.compiler.ir import Graph, GraphError, InvalidGraph, Node, Value
from tsc.compiler.types import FLOAT, INT, STRING, TENSOR, Device, ListType, TupleType
from tsc.runtime.operators import load

from .graphs import if_graph, loop_graph


@pytest.fixture
def graph() -> Graph:
    made = tsc.new_graph()
    made.add_input("x")
    return made


def test_python_values_become_constants_and_defaults_are_filled_in(graph: Graph) -> None:
    total = graph.insert("aten::add", [graph.inputs[0], 3])
    graph.register_output(graph.insert("aten::sum", [total, [0, 1]], {"keepdim": True}))
    graph.lint()
    assert str(graph) == (
        "graph(%x : Tensor):\n"
        "  %1 : int = prim::Constant[value=3]()\n"
        "  %2 : int = prim::Constant[value=1]()\n"
        "  %3 : Tensor = aten::add(%x, %1, %2)\n"
        "  %4 : int[] = prim::Constant[value=[0, 1]]()\n"
        "  %5 : bool = prim::Constant[value=1]()\n"
        "  %6 : NoneType = prim::Constant()\n"
        "  %7 : Tensor = aten::sum(%3, %4, %5, %6)\n"
        "  return (%7)\n"
    )


@pytest.mark.parametrize(
    ("kind", "args", "kinds", "type"),
    [
        ("aten::add", ["x", True], None, TENSOR),
        ("aten::cat", [["x", "x"]], ["prim::ListConstruct", "prim::Constant", "aten::cat"], TENSOR),
        ("aten::len", [["x"]], ["prim::ListConstruct", "aten::len"], INT),
        ("aten::len", [[1, 2]], ["prim::Constant", "aten::len"], INT),
        ("aten::mul", [2, 3.0], ["prim::Constant", "prim::Constant", "aten::mul"], FLOAT),
        ("aten::cat", [[]], ["prim::ListConstruct", "prim::Constant", "aten::cat"], TENSOR),
        ("aten::relu", [tsc.tensor([1.0])], ["prim::Constant", "aten::relu"], TENSOR),
        ("prim::device", ["x"], ["prim::device"], None),
        ("aten::__contains__", [{"a": 1}, "a"], None, None),
        ("aten::format", ["{} {}", 1, "x"], None, STRING),
    ],
)
def test_values_are_converted_as_programs_convert_them(
    graph: Graph, kind: str, args: list[Any], kinds: list[str] | None, type: Any
) -> None:
    made = graph.insert(kind, [_with_input(graph, each) for each in args])
    graph.lint()
    assert kinds is None or [node.kind for node in graph.nodes()] == kinds
    assert type is None or made.type == type


def _with_input(graph: Graph, given: Any) -> Any:
    if isinstance(given, list):
        return [_with_input(graph, each) for each in given]
    return graph.inputs[0] if isinstance(given, str) and given == "x" else given


def test_several_results_are_a_tuple(graph: Graph) -> None:
    found = graph.insert("aten::topk", [graph.inputs[0], 2]).type
    assert isinstance(found, TupleType) and found.field_names == ("values", "indices")


@pytest.mark.parametrize(
    ("kind", "args", "said"),
    [
        ("aten::add", ["x", {}], "have no type in common"),
        ("aten::relu", [1], "Expected a value of type 'Tensor' for argument 'self'"),
        ("aten::relu", [[]], "Expected a value of type 'Tensor' for argument 'self'"),
        ("aten::relu", [], "Argument self not provided"),
        ("aten::relu", ["x", "x", "x"], "Expected at most"),
        ("aten::rleu", ["x"], "aten::relu"),
        ("mine::nothing", ["x"], "Unknown builtin op: mine::nothing"),
        ("aten::cat", [["x", 1]], "the members of a list must have one type"),
        ("aten::add", ["x", object()], "no constant can hold a 'object'"),
    ],
)
def test_what_does_not_fit_leaves_the_graph_as_it_was(
    graph: Graph, kind: str, args: list[Any], said: str
) -> None:
    with pytest.raises(GraphError) as raised:
        graph.insert(kind, [_with_input(graph, each) for each in args])
    assert said in str(raised.value)
    assert "original call" not in str(raised.value)
    assert list(graph.all_nodes()) == []
    graph.lint()


def test_calls_go_where_the_insertion_point_is(graph: Graph) -> None:
    last = graph.insert("aten::relu", [graph.inputs[0]])
    with graph.insert_at(last.node):
        first = graph.insert("aten::neg", [graph.inputs[0]])
    assert first.node.is_before(last.node)


def test_graphs_of_programs_take_calls_too() -> None:
    unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x + 1\n")
    for graph in (unit.f.graph.copy(), tsc.trace(lambda x: x + 1, tsc.tensor(1.0)).graph.copy()):
        graph.replace_output(0, graph.insert("aten::relu", [graph.outputs[0]]))
        graph.lint()
        assert graph.find_node("aten::relu") is not None
    with pytest.raises(GraphError, match="made without operators"):
        Graph().insert("aten::relu", [])


def test_a_created_node_finds_its_operator(graph: Graph) -> None:
    [x], two = graph.inputs, graph.insert_constant(2)
    node = graph.append_node(graph.create("aten::topk", [x, two, two, two, two], 2))
    assert node.schema is None
    node.destroy()
    truth = graph.insert_constant(True)
    node = graph.append_node(graph.create("aten::topk", [x, two, two, truth, truth], 2))
    assert str(node.schema).startswith("aten::topk(Tensor self, SymInt k")
    assert graph.append_node(graph.create("aten::add", [two, two])).output.type == INT
    operator = load().find("aten::relu")
    assert operator is not None
    assert graph.append_node(graph.create(operator, [x])).operator is operator
    assert Graph().create("aten::relu").operator is None
    graph.lint()


def test_lint_refuses_what_fits_no_schema(graph: Graph) -> None:
    [x] = graph.inputs
    node = graph.append_node(graph.create("aten::mm", [x]))
    with pytest.raises(InvalidGraph) as raised:
        graph.lint()
    assert raised.value.message == (
        "no schema fits aten::mm(Tensor); there are:\n"
        "  aten::mm(Tensor self, Tensor mat2) -> Tensor\n"
        "  aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"
    )
    node.add_input(x)
    graph.lint()
    assert node.operator is load().find("aten::mm")
    graph.append_node(graph.create("mine::nothing", [x]))
    with pytest.raises(
        InvalidGraph, match=r"no schema fits mine::nothing\(Tensor\); there are: none"
    ):
        graph.lint()


def test_nodes_are_found_by_kind_in_the_order_of_the_text() -> None:
    graph = if_graph()
    adds = [node for node in graph.all_nodes() if node.kind == "aten::add"]
    assert graph.find_all_nodes("aten::add") == adds
    assert graph.find_all_nodes("aten::add", recurse=False) == adds[:1]
    assert graph.find_node("aten::add") is adds[0]
    branch = graph.find_node("prim::If")
    assert branch is not None
    assert branch.find_all_nodes("aten::add") == adds[1:]
    assert branch.find_node("aten::add") is adds[1]
    assert branch.blocks[1].find_node("aten::add") is adds[2]
    assert graph.find_node("prim::Loop") is None
    assert loop_graph().find_node("aten::mul", recurse=False) is None
    assert adds[0].find_node("aten::add") is None


def test_all_know_their_graph() -> None:
    graph = if_graph()
    node = graph.find_node("prim::If")
    assert isinstance(node, Node)
    assert node.owning_graph is node.output.owning_graph is node.blocks[0].owning_graph is graph


def test_dump_prints(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    graph.insert("aten::relu", graph.inputs).node.dump()
    graph.dump()
    assert capsys.readouterr().out == f"%1 : Tensor = aten::relu(%x)\n{graph}\n"


def test_all_inputs_that_are_a_value_are_replaced(graph: Graph) -> None:
    [x] = graph.inputs
    product = graph.insert("aten::mul", [x, x]).node
    y = graph.add_input("y")
    product.replace_input_with(x, y)
    assert list(product.inputs) == [y, y] and not x.has_uses


KINDS: list[tuple[str, Any]] = [
    ("i", 3),
    ("f", 2.5),
    ("c", 1j),
    ("s", "a"),
    ("t", tsc.tensor([1.0])),
    ("g", Graph()),
    ("ty", INT),
    ("ival", (1, "a")),
    ("is", [1, 2]),
    ("fs", [1.0]),
    ("cs", [1j, 2j]),
    ("ss", ["a", "b"]),
    ("ts", [tsc.tensor([1.0])]),
    ("gs", [Graph()]),
    ("tys", [INT, ListType(INT)]),
]


@pytest.mark.parametrize(("kind", "value"), KINDS, ids=[kind for kind, _ in KINDS])
def test_attributes_are_set_and_read_by_kind(graph: Graph, kind: str, value: Any) -> None:
    node = graph.create("mine::op")
    assert getattr(node, f"{kind}_")("a", value) is node
    assert node.kind_of("a") == kind
    assert getattr(node, kind)("a") is value
    assert node.ival("a") is value
    assert node.attribute_names() == ["a"]
    other = "f" if kind != "f" else "i"
    with pytest.raises(GraphError, match=f"is of kind {kind}, not {other}"):
        getattr(node, other)("a")
    if kind != "ival":
        with pytest.raises(GraphError, match=f"no attribute of kind {kind}"):
            getattr(node, f"{kind}_")("b", object())
    assert node.remove_attribute("a").attribute_names() == []
    for ask in (node.kind_of, node.remove_attribute, node.i):
        with pytest.raises(GraphError, match="has no attribute 'a'"):
            ask("a")


def test_kinds_are_what_pytorch_has_of_constants(graph: Graph) -> None:
    def kind(value: object) -> str:
        return graph.insert_constant(value).node.kind_of("value")

    assert [kind(each) for each in (True, 1, 1.5, "a", Device("cpu"))] == ["i", "i", "f", "s", "s"]
    assert [kind(each) for each in ([1, 2], (1, 2.0))] == ["ival", "ival"]
    assert graph.insert_constant(Device("cpu")).node.s("value") == "cpu"
    assert graph.create("mine::op").f_("a", 1).f("a") == 1.0
    assert graph.create("mine::op").ss_("a", ()).attribute("a") == []


def test_a_pass_of_the_user_builds_with_it() -> None:
    def doubled(graph: Graph) -> None:
        value: Value = graph.outputs[0]
        with graph.insert_at(graph.return_node):
            graph.replace_output(0, graph.insert("aten::mul", [value, 2]))

    from tsc.runtime.execution import registered_passes

    before = list(registered_passes._passes)
    tsc.register_pass(doubled)
    try:
        unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x + 1\n")
        assert unit.f(tsc.tensor(3)).item() == 8
    finally:
        registered_passes._passes[:] = before
