"""The text of graphs: written as PyTorch writes it, read back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exir.programs import ADD, BRANCHES, MANY_ARGUMENTS
from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fx_parser import parse_fx_graph
from tsc.compiler.exir.fx_text import argument_text, graph_text
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.types.tensor_options import Device

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from([TorchConstant("float32"), TorchConstant("channels_last")]),
    st.sampled_from([Device("cpu"), Device("cuda", 1)]),
)
ARGUMENTS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=10,
)


@pytest.mark.parametrize("text", [ADD, BRANCHES, MANY_ARGUMENTS])
def test_text_reads_back(text: str) -> None:
    assert graph_text(parse_fx_graph(text)) == text


@given(
    st.lists(ARGUMENTS, max_size=4),
    st.dictionaries(st.from_regex(r"[a-z]+", fullmatch=True), ARGUMENTS),
)
def test_arguments_read_back(args: list[object], kwargs: dict[str, object]) -> None:
    graph = Graph()
    x = graph.placeholder("x")
    node = graph.call_function(Target("torch.ops.aten.f.default"), (x, *args), kwargs)
    graph.output((node,))
    again = parse_fx_graph(graph_text(graph))
    call = list(again.nodes)[1]
    assert argument_text(call.args) == argument_text(node.args)
    assert repr((call.args, dict(call.kwargs))) == repr((node.args, dict(node.kwargs)))


def test_older_spelling_is_read() -> None:
    text = """graph():
        %ph_0 : [#users=1] = placeholder[target=ph_0]
        %add_tensor : [#users=1] = call_function[target = torch.ops.aten.add.Tensor](args = (%ph_0, 1), kwargs = {})
        return [add_tensor]"""
    graph = parse_fx_graph(text)
    assert [node.name for node in graph.nodes] == ["ph_0", "add_tensor", "output"]
    assert graph.output_node.args == ([graph.find_nodes(graph.placeholders[0].op)[0].next],)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "%y : [num_users=0] = call_method[target=sin](args = (%x,), kwargs = {})",
            "no call_method",
        ),
        (
            "%y : [num_users=0] = call_function[target=operator.neg](args = (%z,), kwargs = {})",
            "no node %z",
        ),
        (
            "%y : [num_users=0] = call_function[target=operator.neg](args = (%x, kwargs = {})",
            "expected",
        ),
        (
            "%y : [num_users=0] = call_function[target=operator.neg](args = 3, kwargs = {})",
            "args are a tuple",
        ),
        ("%x : [num_users=0] = placeholder[target=x]", "two nodes of the name x"),
        ("y = 3", "has the form"),
    ],
)
def test_errors_tell_the_line(line: str, message: str) -> None:
    text = f"graph():\n    %x : [num_users=0] = placeholder[target=x]\n    {line}\n    return (x,)"
    with pytest.raises(GraphError, match=message) as caught:
        parse_fx_graph(text)
    assert str(caught.value).startswith("line 3: ")
    assert line in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "return x", "graph():\n    %x : [num_users=0] = placeholder[target=x]"]
)
def test_what_is_no_graph_is_refused(text: str) -> None:
    with pytest.raises(GraphError):
        parse_fx_graph(text)


def test_deep_arguments_are_refused() -> None:
    nested = "[" * 5000 + "]" * 5000
    text = f"graph():\n    %f : [num_users=0] = call_function[target=operator.f](args = ({nested},), kwargs = {{}})"
    with pytest.raises(GraphError, match="nested too deep"):
        parse_fx_graph(text)


def test_names_are_python_identifiers_given_once() -> None:
    graph = Graph()
    names = [
        graph.placeholder(each).name
        for each in ("x", "x", "x_1", "sum", "sum", "a.b", "3", "while")
    ]
    assert names == ["x", "x_1", "x_2", "sum_1", "sum_2", "a_b", "_3", "while_1"]


def test_users_follow_arguments() -> None:
    graph = parse_fx_graph(ADD)
    x, y, add, output = graph.nodes
    add.replace_input(y, x)
    assert not y.users
    assert list(x.users) == [add]
    first = graph.call_function(GETITEM, (add, 0))
    output.replace_input(add, x)
    assert add.input_nodes == [x]
    with pytest.raises(GraphError, match="read by getitem"):
        add.erase()
    first.erase()
    assert graph.eliminate_dead_code()
    assert [node.name for node in graph.nodes] == ["x", "y", "output"]
