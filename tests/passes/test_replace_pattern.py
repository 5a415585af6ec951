"""Patterns that return several values, and what refuses a match."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.ir.errors import GraphError

PATTERN = """graph(%x):
  %y : Tensor = aten::neg(%x)
  %z : Tensor = aten::relu(%y)
  return (%y, %z)"""
REPLACEMENT = """graph(%x):
  %z : Tensor = aten::relu(%x)
  %y : Tensor = aten::abs(%x)
  return (%y, %z)"""


def rewritten(body: str) -> str:
    graph = tsc.parse_ir(f"graph(%a : Tensor):\n{body}")
    tsc.run_pass("replace_pattern", graph, pattern=PATTERN, replacement=REPLACEMENT)
    graph.lint()
    return str(graph)


def test_both_values_are_replaced() -> None:
    text = rewritten("""
  %b : Tensor = aten::neg(%a)
  %c : Tensor = aten::relu(%b)
  %d : Tensor = aten::mul(%b, %c)
  return (%d, %b)""")
    assert "neg" not in text
    assert "aten::abs(%a)" in text


def test_a_value_that_is_needed_before_the_end_of_the_match_stays() -> None:
    text = rewritten("""
  %b : Tensor = aten::neg(%a)
  %e : Tensor = aten::sin(%b)
  %c : Tensor = aten::relu(%b)
  return (%e, %c)""")
    assert "aten::neg(%a)" in text
    assert "abs" not in text


def test_values_must_be_made_by_the_pattern() -> None:
    graph = tsc.parse_ir("graph(%a : Tensor):\n  return (%a)")
    same = "graph(%x):\n  return (%x)"
    with pytest.raises(GraphError, match="must return values that nodes of it make"):
        tsc.run_pass("replace_pattern", graph, pattern=same, replacement=same)
