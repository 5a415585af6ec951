"""The verifier: each of its rules is broken by a program, and names the node."""

# ruff: noqa: E501  tables
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.exported_program import CallSpec, ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.pytrees import TreeSpec
from tsc.compiler.exir.signature import (
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)
from tsc.compiler.exir.targets import Target

Change = Callable[[Graph, Node], Any]


def known(dtype: str = "float32") -> FakeTensor:
    return FakeTensor((3,), TorchConstant(dtype), (1,))


def call(graph: Graph, name: str, *args: Any, **kwargs: Any) -> Node:
    node = graph.call_function(Target(f"torch.ops.{name}"), args, kwargs)
    node.meta["val"] = known()
    return node


def program(
    change: Change, inputs: Any = None, outputs: Any = None, *, ends: bool = True
) -> ExportedProgram:
    """A graph of one input, what a change makes of it, and a result."""
    graph = Graph()
    x = graph.placeholder("x")
    x.target, x.meta["val"] = "x", known()
    found = change(graph, x)
    result = found if isinstance(found, Node) else x
    if ends:
        graph.output((result,))
    given = inputs or [InputSpec(InputKind.USER_INPUT, "x")]
    gives = outputs or [OutputSpec(OutputKind.USER_OUTPUT, result.name)]
    spec = CallSpec(TreeSpec("tuple"), TreeSpec())
    return ExportedProgram(GraphModule(graph), ExportGraphSignature(given, gives), spec)


def same_name(graph: Graph, x: Node) -> Node:
    found = call(graph, "aten.relu.default", x)
    found.name = "x"
    return found


def read_before(graph: Graph, x: Node) -> Node:
    first = call(graph, "aten.relu.default", x)
    second = call(graph, "aten.relu.default", x)
    first.args = (second,)
    return first


def late_input(graph: Graph, x: Node) -> None:
    call(graph, "aten.relu.default", x)
    graph.placeholder("y").target = "y"


def text_target(graph: Graph, x: Node) -> Node:
    found = call(graph, "aten.relu.default", x)
    found.target = "relu"
    return found


def two_defaults(graph: Graph, x: Node) -> None:
    x.args = (1, 2)


def no_graph(graph: Graph, x: Node) -> None:
    graph.get_attr("weight")


STRUCTURE: dict[str, tuple[Change, str, str]] = {
    "a name twice": (same_name, "x", "another node has this name"),
    "read before it is computed": (read_before, "relu", "relu_1 is read before it is computed"),
    "an input behind a step": (late_input, "graph", "placeholders are the first nodes of a graph"),
    "a target that is a text": (text_target, "relu", "relu is no operator"),
    "two defaults": (two_defaults, "x", "an input has one default at most"),
    "an attribute that is no graph": (no_graph, "weight", "there is no graph weight"),
}


@pytest.mark.parametrize("name", STRUCTURE)
def test_structure(name: str) -> None:
    change, node, rule = STRUCTURE[name]
    with pytest.raises(tsc.VerificationError) as caught:
        tsc.verify_exported(program(change))
    assert (caught.value.violations[0].node, rule) == (node, rule)
    assert rule in caught.value.violations[0].rule


def test_a_graph_without_end() -> None:
    with pytest.raises(tsc.VerificationError, match="graph: a graph has one output"):
        tsc.verify_exported(program(lambda graph, x: None, ends=False))


X = InputSpec(InputKind.USER_INPUT, "x")
RESULT = OutputSpec(OutputKind.USER_OUTPUT, "x")
SIGNATURE: dict[str, tuple[Any, Any, str]] = {
    "another input": ([InputSpec(InputKind.USER_INPUT, "y")], None, "its inputs are not those of the graph"),
    "a tensor that is not there": ([InputSpec(InputKind.BUFFER, "x", "count")], None, "holds no buffer count"),
    "too many results": (None, [RESULT, RESULT], "it gives 1 results, the signature 2"),
    "another result": (None, [OutputSpec(OutputKind.USER_OUTPUT, "y")], "the signature tells of y in its place"),
    "a buffer that is no input": (None, [OutputSpec(OutputKind.BUFFER_MUTATION, "x", "count")], "count is written, and is no input"),
    "an input that is not there": (None, [OutputSpec(OutputKind.USER_INPUT_MUTATION, "x", "y")], "y is written, and is no input"),
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNATURE)
def test_signature(name: str) -> None:
    inputs, outputs, rule = SIGNATURE[name]
    with pytest.raises(tsc.VerificationError, match=rule):
        tsc.verify_exported(program(lambda graph, x: None, inputs, outputs))


def test_writes_come_first() -> None:
    broken = program(lambda graph, x: None)
    broken.graph.output_node.args = ((broken.graph.placeholders[0],) * 2,)
    written = OutputSpec(OutputKind.USER_INPUT_MUTATION, "x", "x")
    broken.graph_signature = ExportGraphSignature([X], [RESULT, written])
    with pytest.raises(
        tsc.VerificationError, match="what is written comes before what is returned"
    ):
        tsc.verify_exported(broken)


def mixed(graph: Graph, x: Node) -> Node:
    other = call(graph, "aten._to_copy.default", x, dtype=TorchConstant("float64"))
    other.meta["val"] = known("float64")
    return call(graph, "aten.add.Tensor", x, other)


OPERATORS: dict[str, tuple[str, Change, str, str]] = {
    "what is no operator": ("training", lambda g, x: call(g, "aten.nothing.default", x), "nothing", "is no operator"),
    "a function of Python": ("training", lambda g, x: g.call_function(Target("os.getcwd"), ()), "getcwd", "os.getcwd is no operator"),
    "a write": ("aten", lambda g, x: call(g, "aten.add_.Tensor", x, x), "add_", "add_.Tensor writes to its arguments"),
    "outside of core": ("core", lambda g, x: call(g, "aten.linear.default", x, x), "linear", "aten::linear is not of core ATen"),
    "a view": ("edge", lambda g, x: call(g, "aten.view.default", x, [3]), "view", "looks into its argument: aten::view_copy"),
    "a number as a tensor": ("edge", lambda g, x: call(g, "aten.add.Tensor", x, 2), "add", "is given the number 2"),
    "a memory format": (
        "edge",
        lambda g, x: call(g, "aten.clone.default", x, memory_format=TorchConstant("contiguous_format")),
        "clone",
        "is told a memory format",
    ),
    "dtypes that meet": ("edge", mixed, "add", "float32 and torch.float64: one dtype is wanted"),
    "no lowered module": (
        "backend",
        lambda g, x: g.call_function(Target("torch.ops.higher_order.executorch_call_delegate"), (1, x)),
        "executorch_call_delegate",
        "a lowered module is called, and none is given",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name: str) -> None:
    dialect, change, node, rule = OPERATORS[name]
    broken = program(change)
    with pytest.raises(tsc.VerificationError) as caught:
        tsc.verify_exported(broken, dialect)
    (found,) = caught.value.violations
    assert found.node == node
    assert rule in found.rule
