"""Nodes that are moved through AliasDb: what moves along, and what keeps a node where it is."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.ir import Graph, Node, aten

TEXT = """graph(%x : Tensor,
      %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::relu(%a)
  %c : Tensor = aten::mul(%y, %y)
  %w : Tensor = aten::add_(%c, %y, %one)
  %d : Tensor = aten::neg(%c)
  %v : Tensor = aten::neg(%y)
   = prim::Print(%v)
  %e : Tensor = aten::add(%b, %d, %one)
  return (%e)
"""


def graph() -> Graph:
    return tsc.parse_ir(TEXT)


def node(graph: Graph, name: str) -> Node:
    return next(n for n in graph.nodes() for o in n.outputs if o.debug_name == name)


def order(graph: Graph) -> str:
    return "".join(
        o.debug_name for n in graph.nodes() for o in n.outputs if n.kind != "prim::Constant"
    )


@pytest.mark.parametrize(
    ("mover", "place", "before", "wanted"),
    [
        ("a", "c", True, "acbwdve"),  # who uses it moves along, behind the place
        ("a", "c", False, "cabwdve"),
        ("c", "a", True, "cabwdve"),
        ("d", "w", True, None),
        ("w", "c", True, None),  # it writes to what is made there
        ("d", "b", True, "acwdbve"),  # and what it needs, before it
        ("d", "a", False, "cwadbve"),
        ("a", "e", True, None),  # nothing moves past what prints
        ("v", "c", True, "abvcwde"),
    ],
)
def test_a_move(mover: str, place: str, before: bool, wanted: str | None) -> None:
    moved = graph()
    aliases = moved.alias_db()
    chosen = node(moved, mover), node(moved, place)
    could = (
        aliases.could_move_before_topologically
        if before
        else aliases.could_move_after_topologically
    )
    move = (
        aliases.move_before_topologically_valid
        if before
        else aliases.move_after_topologically_valid
    )
    unmoved = order(moved)
    assert could(*chosen) is (wanted is not None)
    assert order(moved) == unmoved
    assert move(*chosen) is (wanted is not None)
    assert order(moved) == (wanted or unmoved)
    moved.lint()


def test_blocks_are_not_left() -> None:
    nested = tsc.parse_ir(
        """graph(%x : Tensor, %c : bool):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = prim::If(%c)
    block0():
      %d : Tensor = aten::relu(%x)
      -> (%d)
    block1():
      -> (%x)
  return (%b, %a)
"""
    )
    inner = next(n for n in nested.all_nodes() if n.kind == "aten::relu")
    assert not nested.alias_db().move_before_topologically_valid(inner, node(nested, "a"))


def test_reports() -> None:
    aliases = graph().alias_db()
    text = aliases.dump()
    assert "%w points to: %c\n" in text
    assert "===3. Writes===\n%w : Tensor = aten::add_(%c, %y, %one)\n  %c" in text
    assert aliases.to_graphviz_str().startswith("digraph alias_db {\n")
    assert '"\\%w" -> "\\%c"' in aliases.to_graphviz_str()


def test_a_graph_of_a_function_tells_its_aliases() -> None:
    unit = tsc.CompilationUnit(
        "def f(x: Tensor) -> Tensor:\n    y = x[0]\n    y.add_(1)\n    return x * 2\n"
    )
    made = unit.f.graph
    aliases = made.alias_db()
    selected = next(n.output for n in made.nodes() if n.kind == "aten::select")
    product = next(n.output for n in made.nodes() if n.kind == aten.mul)
    assert aliases.may_contain_alias(made.inputs[0], selected)
    assert not aliases.may_contain_alias(made.inputs[0], product)
    assert aliases.has_writers(made.inputs[0])
    assert not aliases.has_writers(product)
