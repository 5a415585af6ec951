"""The IR text: what it shows of a node, and how constants are written."""

from __future__ import annotations

import pytest

from tsc.compiler.ir import Graph, prim
from tsc.compiler.printing import print_graph, print_node
from tsc.compiler.printing.constant_text import constant_value_text, quoted
from tsc.compiler.source import Source
from tsc.compiler.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    TENSOR,
    Device,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)


@pytest.mark.parametrize(
    ("value", "type", "text"),
    [
        (0.1, FLOAT, "0.10000000000000001"),
        (1.0, FLOAT, "1."),
        (-0.0, FLOAT, "-0."),
        (1e-5, FLOAT, "1.0000000000000001e-05"),
        (1e10, FLOAT, "10000000000"),
        (1e300, FLOAT, "1.0000000000000001e+300"),
        (float("-inf"), FLOAT, "-inf"),
        (float("nan"), FLOAT, "nan"),
        (3 + 2j, COMPLEX, "3.+2.j"),
        (True, BOOL, "1"),
        (7, OptionalType(INT), "7"),
        (Device("cuda", 1), DEVICE, '"cuda:1"'),
        ([], ListType(STRING), "annotate(List[str], [])"),
        ([True, False], ListType(BOOL), "[True, False]"),
        ([1, None], ListType(OptionalType(INT)), "annotate(List[Optional[int]], [1, None])"),
        ([1, 2.5], ListType(NUMBER), "annotate(List[number], [1, 2.5])"),
        ([1], ListType(ANY), "annotate(List[Any], [1])"),
        ([1, "a"], ListType(UnionType((INT, STRING))), 'annotate(List[Union[int, str]], [1, "a"])'),
        ([[1], []], ListType(ListType(INT)), "[[1], annotate(List[int], [])]"),
        ([Device("cpu")], ListType(DEVICE), '[torch.device("cpu")]'),
        ({}, DictType(STRING, INT), "annotate(Dict[str, int],{})"),
        ({1: 2.0, 3: 0.5}, DictType(INT, FLOAT), "{1: 2., 3: 0.5}"),
        (
            {"a": None},
            DictType(STRING, OptionalType(INT)),
            'annotate(Dict[str, Optional[int]],{"a": None})',
        ),
        ((1,), TupleType((INT,)), "(1,)"),
        ((), TupleType(()), "()"),
        ((1, (None, "b")), TupleType((INT, TupleType((STRING, STRING)))), '(1, (None, "b"))'),
    ],
)
def test_constants(value: object, type: Type, text: str) -> None:
    assert constant_value_text(value, type) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text", '"plain text"'),
        ("a'b\"c\\", r'"a\'b\"c\\"'),
        ("\a\b\f\n\r\t\v", r'"\a\b\f\n\r\t\v"'),
        ("\x00\x01\x1f\x7f", r'"\000\001\037\177"'),
        ("ü", r'"\0)+\/0,"'),
        ("", '""'),
    ],
)
def test_strings_are_escaped_as_pytorch_does(text: str, expected: str) -> None:
    assert quoted(text) == expected


def test_a_node_shows_outputs_attributes_inputs_scope_and_place() -> None:
    graph = Graph()
    source = Source("x = f(y)\n", "program.py", first_line=7)
    node = graph.create("custom::f", [graph.add_input("y")], 2, source.range(4, 8))
    node.set_attribute("flag", True).set_attribute("sizes", (1, 2)).set_attribute("type", INT)
    node.outputs[1].set_debug_name("out")
    node.scope = "__module.a"
    assert print_node(node) == (
        "%1 : Tensor, %out : Tensor = custom::f[flag=1, sizes=[1, 2], type=int](%y),"
        " scope: __module.a # program.py:7:4"
    )
    text = print_graph(graph, source_comments=False)
    assert text == "graph(%y : Tensor):\n  return ()\n"


def test_blocks_are_indented_under_their_node() -> None:
    graph = Graph()
    count, go_on = graph.insert_constant(3), graph.insert_constant(True)
    loop = graph.insert_node(graph.create(prim.Loop, [count, go_on], 0))
    body = loop.add_block()
    body.add_input("i", INT)
    branch = body.append_node(graph.create(prim.If, [go_on], 0))
    branch.add_block().append_node(graph.create("custom::f", [], 0))
    branch.add_block()
    body.register_output(go_on)
    graph.lint()
    assert str(graph) == (
        "graph():\n"
        "  %0 : int = prim::Constant[value=3]()\n"
        "  %1 : bool = prim::Constant[value=1]()\n"
        "   = prim::Loop(%0, %1)\n"
        "    block0(%i : int):\n"
        "       = prim::If(%1)\n"
        "        block0():\n"
        "           = custom::f()\n"
        "          -> ()\n"
        "        block1():\n"
        "          -> ()\n"
        "      -> (%1)\n"
        "  return ()\n"
    )


def test_subgraphs_follow_the_graph_and_hide_among_attributes() -> None:
    inner = Graph()
    inner.register_output(inner.add_input("a"))
    graph = Graph()
    x = graph.add_input("x")
    for kind in (prim.fork, prim.DifferentiableGraph, prim.TensorExprGroup):
        node = graph.insert_node(graph.create(kind, [x]))
        node.set_attribute("Subgraph", inner).set_attribute("note", "n")
    lines = str(graph).splitlines()
    assert lines[1:4] == [
        '  %1 : Tensor = prim::fork_0[note="n"](%x)',
        "  %2 : Tensor = prim::DifferentiableGraph_1(%x)",
        '  %3 : Tensor = prim::TensorExprGroup_2[note="n"](%x)',
    ]
    assert lines[5::2] == [
        "with prim::fork_0 = graph(%a : Tensor):",
        "with prim::DifferentiableGraph_1 = graph(%a : Tensor):",
        "with prim::TensorExprGroup_2 = graph(%a : Tensor):",
    ]
    assert "with" not in print_node(next(iter(graph.nodes())))


def test_tensors_write_themselves() -> None:
    class Scalar:
        def constant_text(self) -> str:
            return "{3}"

        def constant_type(self) -> Type:
            return TENSOR

    graph = Graph()
    graph.insert_constant(Scalar())
    assert str(graph).splitlines()[1] == "  %0 : Tensor = prim::Constant[value={3}]()"
    graph.lint()


def test_a_marked_node_is_underlined() -> None:
    graph = Graph()
    node = graph.insert_constant(1).node
    assert print_graph(graph, mark=node).splitlines()[1:3] == [
        "  %0 : int = prim::Constant[value=1]()",
        "  " + "~" * len("%0 : int = prim::Constant[value=1]()") + " <--- HERE",
    ]
    assert print_graph(graph, mark=graph.param_node).splitlines()[1] == "~~~~~~ <--- HERE"
