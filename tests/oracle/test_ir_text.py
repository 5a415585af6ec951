"""The IR text, live: what PyTorch prints is read, and printed again, letter for letter."""

from __future__ import annotations

import pytest
import torch

import tsc.compiler.printing
from tsc.compiler.ir import parse_ir
from tsc.compiler.schema import OperatorTable

from .ir_graphs import DATA, graphs, without_machine

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {name: str(graph) for name, graph in graphs()}


@pytest.fixture(scope="module")
def operators() -> OperatorTable:
    table = OperatorTable()
    for schema in torch._C._jit_get_all_schemas():
        if table.find(schema.name, schema.overload_name) is None:
            table.declare(str(schema))
    table.declare("custom::kinds() -> (Tensor, Tensor)")
    return table


def test_texts_are_read_and_printed_again(texts: dict[str, str]) -> None:
    assert len(texts) > 60
    for name, text in texts.items():
        assert tsc.compiler.printing.print_graph(parse_ir(text)) == text, name


def test_recorded_texts_are_current(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        assert (DATA / f"{name}.ir").read_text(encoding="utf-8") == without_machine(text), name


def test_nodes_find_the_operators_they_fit(texts: dict[str, str], operators: OperatorTable) -> None:
    without: set[str] = set()
    for text in texts.values():
        graph = parse_ir(text, operators)
        graph.lint()
        without.update(
            node.kind
            for node in graph.all_nodes()
            if node.operator is None and node.kind.startswith("aten::")
        )
    assert not without


def test_pytorch_reads_what_we_print() -> None:
    """The part of the language that PyTorch's own parser knows."""
    text = """graph(%x : Float(2, strides=[1], requires_grad=0, device=cpu),
      %c : bool):
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = aten::add(%x, %x, %2)
  %4 : Tensor = prim::If(%c)
    block0():
      %5 : Tensor = aten::mul(%3, %x)
      -> (%5)
    block1():
      -> (%3)
  return (%4)
"""
    assert str(torch._C.parse_ir(tsc.compiler.printing.print_graph(parse_ir(text)))) == text
