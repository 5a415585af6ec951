"""Printed Python against PyTorch's, from the same graphs, and by hand where PyTorch has no say."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.work import sized
from tsc.compiler.ir import Function, Graph, GraphError, parse_ir
from tsc.compiler.printing.python_constants import ConstantsTable
from tsc.compiler.printing.python_names import NameTable
from tsc.compiler.printing.python_printer import print_python, print_python_graph
from tsc.compiler.schema import OperatorTable, parse_schema

TESTS = Path(__file__).parents[1]


@cache
def operators() -> OperatorTable:
    """Every operator of PyTorch, so that its defaults are known."""
    table = OperatorTable()
    with gzip.open(TESTS / "schema" / "data" / "pytorch_schemas.txt.gz", "rt") as lines:
        for line in lines:
            table.declare(line.rstrip())
    return table


@cache
def recorded() -> dict[str, dict[str, Any]]:
    with gzip.open(TESTS / "printing" / "data" / "pytorch_code.json.gz", "rt") as file:
        return {each["key"]: each for each in json.load(file)}


def printed(graph: str, schema: str, functions: dict[str, str] | None = None) -> str:
    known = {name: Function(full_name) for name, full_name in (functions or {}).items()}
    parsed = parse_schema(schema)
    return print_python_graph(parse_ir(graph, operators(), known), parsed.name, parsed)


OWN_TEXTS = {
    "programs/floats/f": {", 10000000000,": ", 10000000000.,", "123456789012": "123456789012."},
    "programs/union_pairs/f": {
        "    x, y = [1], 3\n": "    x : Union[List[int], int] = [1]\n    y : Union[int, str] = 3\n"
    },
}
"""Where PyTorch's text would not compile to the same graph: what ours has instead."""


def test_pytorchs_record_is_not_small() -> None:
    assert len(recorded()) > 450


@pytest.mark.parametrize("key", recorded())
def test_prints_what_pytorch_prints(key: str) -> None:
    record = recorded()[key]
    if "NamedTuple(" in record["graph"]:
        pytest.skip("the text of a graph does not have the name of a named tuple")
    text = printed(record["graph"], record["schema"], record["functions"])
    expected = record["code"]
    for theirs, ours in OWN_TEXTS.get(key, {}).items():
        assert theirs in expected
        expected = expected.replace(theirs, ours)
    assert text == expected


def test_prints_a_function_by_its_own_name_and_schema() -> None:
    graph = parse_ir("graph(%x : int):\n  return (%x)")
    function = Function(
        "__torch__.module.same", graph=graph, schema=parse_schema("same(int x=3) -> int")
    )
    assert print_python(function) == "def same(x: int=3) -> int:\n  return x\n"


def test_tensors_go_to_the_table_of_constants() -> None:
    graph = parse_ir(
        "graph():\n"
        "  %a : Tensor = prim::Constant[value={1}]()\n"
        "  %b : Tensor = prim::Constant[value=<Tensor>]()\n"
        "  %c : (Tensor, Tensor) = prim::TupleConstruct(%a, %b)\n"
        "  return (%c)"
    )
    constants = ConstantsTable()
    text = print_python_graph(graph, "f", parse_schema("f() -> (Tensor, Tensor)"), constants)
    assert "return (CONSTANTS.c0, CONSTANTS.c1)" in text
    assert len(constants.values) == 2


def test_strings_beyond_ascii_stay_readable() -> None:
    graph = parse_ir('graph():\n  %s : str = prim::Constant[value="é"]()\n  return (%s)')
    graph.outputs[0].node.set_attribute("value", 'né "日本"\n')
    text = print_python_graph(graph, "f", parse_schema("f() -> str"))
    assert text == 'def f() -> str:\n  return "né \\"日本\\"\\n"\n'


def test_a_loop_with_count_and_condition_is_refused() -> None:
    graph = (
        "graph(%n : int, %c : bool):\n"
        "   = prim::Loop(%n, %c)\n"
        "    block0(%i : int):\n"
        "      -> (%c)\n"
        "  return (%n)"
    )
    with pytest.raises(GraphError, match="both a trip count and a condition"):
        printed(graph, "f(int n, bool c) -> int")


def test_blocks_may_be_nested_deeply() -> None:
    depth = 2000
    opening = "".join(
        f"{'  ' * level} = prim::If(%c)\n{'  ' * level}  block0():\n" for level in range(depth)
    )
    closing = "".join(
        f"{'  ' * level}    -> ()\n{'  ' * level}  block1():\n{'  ' * level}    -> ()\n"
        for level in reversed(range(depth))
    )
    text = printed(f"graph(%c : bool):\n{opening}{closing}  return (%c)", "f(bool c) -> bool")
    assert text.count("if c:") == depth


def chain(length: int) -> Graph:
    lines = [f"  %{i + 1} : int = aten::add(%{i}, %{i})" for i in range(1)]
    lines += [f"  %{i + 1} : int = aten::add(%{i}, %0)" for i in range(1, length)]
    return parse_ir(
        "graph(%0 : int):\n" + "\n".join(lines) + f"\n  return (%{length})", operators()
    )


@pytest.mark.slow
def test_long_chains_are_split_evenly() -> None:
    text = print_python_graph(chain(sized(20_000)), "f", parse_schema("f(int x) -> int"))
    longest = max(map(len, text.splitlines()))
    assert longest < 80
    assert text.count("torch.add") == sized(20_000)


@pytest.mark.parametrize(
    ("candidates", "names"),
    [
        (["x", "x", "x"], ["x", "x0", "x1"]),
        (["x0", "x", "x"], ["x0", "x", "x1"]),
        (["_", "_"], ["_0", "_1"]),
        (["class", "inf", "ops"], ["class0", "inf0", "ops0"]),
    ],
)
def test_names_are_unique(candidates: list[str], names: list[str]) -> None:
    table = NameTable()
    assert [table.take(candidate) for candidate in candidates] == names


@pytest.mark.parametrize(
    ("debug_name", "name"),
    [("x.12", "x"), ("x.a", "x_a"), ("a.b.3", "a_b"), ("12.x", "_12_x"), ("self.w", "self_w")],
)
def test_names_are_made_from_debug_names(debug_name: str, name: str) -> None:
    graph = Graph()
    value = graph.add_input()
    value.set_debug_name(debug_name)
    assert NameTable().take_for(value) == name
