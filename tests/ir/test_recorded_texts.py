"""Graphs that PyTorch printed (tests/oracle/ir_graphs.py): read, checked, copied, printed."""

from __future__ import annotations

from pathlib import Path

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.ir import Graph, parse_ir

TEXTS = sorted((Path(__file__).parent / "data").glob("*.ir"))


@pytest.fixture(params=TEXTS, ids=lambda path: path.stem)
def text(request: pytest.FixtureRequest) -> str:
    path: Path = request.param
    return path.read_text(encoding="utf-8")


def test_there_are_enough_of_them() -> None:
    assert len(TEXTS) > 60


def test_reading_and_printing_is_the_identity(text: str) -> None:
    graph = parse_ir(text)
    graph.lint()
    assert str(graph) == text


def test_a_copy_differs_in_numbers_only(text: str) -> None:
    graph = parse_ir(text)
    copy = graph.copy()
    copy.lint()
    name_all_values(graph)
    name_all_values(copy)
    assert str(copy) == str(graph)


def name_all_values(graph: Graph) -> None:
    nodes = [graph.param_node]
    for node in graph.all_nodes():
        nodes += [node, *(block.param_node for block in node.blocks)]
    for number, value in enumerate(value for node in nodes for value in node.outputs):
        value.set_debug_name(f"v{number}_")
