"""Small graphs that the tests of the IR take apart."""

from __future__ import annotations

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.ir import Graph, Node, parse_ir
from tsc.compiler.schema import OperatorTable

OPERATORS = OperatorTable()
for schema in (
    "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    "aten::add.int(int a, int b) -> int",
    "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor",
    "aten::gt.int(int a, int b) -> bool",
    "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)",
    "aten::keys.str(Dict(str, t) self) -> str[](*)",
    "aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True)"
    " -> (Tensor values, Tensor indices)",
    "aten::format(str self, ...) -> str",
):
    OPERATORS.declare(schema)

IF = """graph(%a : Tensor,
      %b : Tensor,
      %c : bool):
  %one : int = prim::Constant[value=1]()
  %d : Tensor = aten::add(%a, %b, %one)
  %e : Tensor = prim::If(%c)
    block0():
      %then : Tensor = aten::add(%d, %d, %one)
      -> (%then)
    block1():
      %else : Tensor = aten::add(%b, %d, %one)
      -> (%else)
  return (%e)
"""

LOOP = """graph(%x : Tensor,
      %n : int):
  %true : bool = prim::Constant[value=1]()
  %y : Tensor, %count : int = prim::Loop(%n, %true, %x, %n)
    block0(%i : int, %z : Tensor, %k : int):
      %next : Tensor = aten::mul(%z, %z)
      %sum : int = aten::add(%k, %i)
      -> (%true, %next, %sum)
  return (%y, %count)
"""


def if_graph() -> Graph:
    return parse_ir(IF, OPERATORS)


def loop_graph() -> Graph:
    return parse_ir(LOOP, OPERATORS)


def only_node(graph: Graph, kind: str) -> Node:
    (node,) = [node for node in graph.all_nodes() if node.kind == kind]
    return node


def nodes_of(graph: Graph, kind: str) -> list[Node]:
    return [node for node in graph.all_nodes() if node.kind == kind]
