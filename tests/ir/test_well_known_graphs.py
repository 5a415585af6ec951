"""Small programs whose graphs are in every introduction to the IR: they print the same, up to the names of values."""

from __future__ import annotations

import re

import pytest

import tsc
from tests.well_known_programs import LSTM_CELL


def normalized(text: str) -> str:
    """Values numbered as they appear, without places."""
    names: dict[str, str] = {}
    plain = re.sub(r" # [^\n]*", "", text)
    return re.sub(
        r"%[\w.]+", lambda each: names.setdefault(each[0], f"%{len(names)}"), plain
    ).strip()


STRAIGHT = """
def f(a, b):
    c = a + b
    d = c * c
    e = torch.tanh(d * c)
    return d + (e + e)
"""
BRANCH = """
def f(a, b, c: bool):
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e
"""
LOOP = """
def f(x):
    z = x
    for i in range(x.size(0)):
        z = z * z
    return z
"""
GRAPHS = {
    "straight": (
        STRAIGHT,
        """graph(%0 : Tensor,
      %1 : Tensor):
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = aten::add(%0, %1, %2)
  %4 : Tensor = aten::mul(%3, %3)
  %5 : Tensor = aten::mul(%4, %3)
  %6 : Tensor = aten::tanh(%5)
  %7 : Tensor = aten::add(%6, %6, %2)
  %8 : Tensor = aten::add(%4, %7, %2)
  return (%8)""",
    ),
    "branch": (
        BRANCH,
        """graph(%a : Tensor,
      %b : Tensor,
      %c : bool):
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = aten::add(%a, %b, %2)
  %5 : Tensor = prim::If(%c)
    block0():
      %7 : Tensor = aten::add(%3, %3, %2)
      -> (%7)
    block1():
      %9 : Tensor = aten::add(%b, %3, %2)
      -> (%9)
  return (%5)""",
    ),
    "loop": (
        LOOP,
        """graph(%z.1 : Tensor):
  %3 : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=0]()
  %2 : int = aten::size(%z.1, %1)
  %z : Tensor = prim::Loop(%2, %3, %z.1)
    block0(%i : int, %5 : Tensor):
      %z.2 : Tensor = aten::mul(%5, %5)
      -> (%3, %z.2)
  return (%z)""",
    ),
    "cell": (
        LSTM_CELL,
        """graph(%x : Tensor,
      %hx : Tensor,
      %cx : Tensor,
      %w_ih : Tensor,
      %w_hh : Tensor,
      %b_ih : Tensor,
      %b_hh : Tensor):
  %7 : int = prim::Constant[value=4]()
  %8 : int = prim::Constant[value=1]()
  %9 : Tensor = aten::t(%w_ih)
  %10 : Tensor = aten::mm(%x, %9)
  %11 : Tensor = aten::t(%w_hh)
  %12 : Tensor = aten::mm(%hx, %11)
  %13 : Tensor = aten::add(%10, %12, %8)
  %14 : Tensor = aten::add(%13, %b_ih, %8)
  %gates : Tensor = aten::add(%14, %b_hh, %8)
  %16 : Tensor[] = aten::chunk(%gates, %7, %8)
  %ingate.1 : Tensor, %forgetgate.1 : Tensor, %cellgate.1 : Tensor, %outgate.1 : Tensor = prim::ListUnpack(%16)
  %ingate : Tensor = aten::sigmoid(%ingate.1)
  %forgetgate : Tensor = aten::sigmoid(%forgetgate.1)
  %cellgate : Tensor = aten::tanh(%cellgate.1)
  %outgate : Tensor = aten::sigmoid(%outgate.1)
  %25 : Tensor = aten::mul(%forgetgate, %cx)
  %26 : Tensor = aten::mul(%ingate, %cellgate)
  %cy : Tensor = aten::add(%25, %26, %8)
  %28 : Tensor = aten::tanh(%cy)
  %hy : Tensor = aten::mul(%outgate, %28)
  %30 : (Tensor, Tensor) = prim::TupleConstruct(%hy, %cy)
  return (%30)""",
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(name: str) -> None:
    source, known = GRAPHS[name]
    assert normalized(str(tsc.CompilationUnit(source).f.graph)) == normalized(known)


def test_a_module_and_its_code() -> None:
    unit = tsc.CompilationUnit(
        "import torch.nn as nn\nclass M(nn.Module):\n    def forward(self, x: Tensor, y: int, z: float) -> Tensor:\n"
        "        if y > 2:\n            x = x + z\n        else:\n            x = x + y\n        return x\n"
    )
    assert unit.M().code == (
        "def forward(self,\n    x: Tensor,\n    y: int,\n    z: float) -> Tensor:\n"
        "  if torch.gt(y, 2):\n    x0 = torch.add(x, z)\n  else:\n    x0 = torch.add(x, y)\n  return x0\n"
    )


# -- Aliases -----------------------------------------------------------------------------------

ALIASES = """
def foo(a: Tensor, b: Tensor):
    c = 2 * b
    a += 1
    if bool(a.max() > 4):
        r = a[0]
    else:
        r = b[0]
    return c, r
"""


def test_what_may_be_the_same_memory() -> None:
    graph = tsc.CompilationUnit(ALIASES).foo.graph
    aliases = graph.alias_db()
    a, b = graph.inputs
    c, r = graph.outputs[0].node.inputs
    assert aliases.may_alias(a, b), "nothing is known of the inputs"
    assert aliases.may_alias(r, a) and aliases.may_alias(r, b)
    assert (
        not aliases.may_alias(c, a) and not aliases.may_alias(c, b) and not aliases.may_alias(c, r)
    )
    assert aliases.has_writers(a) and aliases.has_writers(b) and aliases.has_writers(r)
    assert not aliases.has_writers(c)


def test_reads_do_not_cross_writes() -> None:
    """What reads fresh memory may go past a write to other memory; what may read the same may not."""
    graph = tsc.CompilationUnit(ALIASES).foo.graph
    aliases = graph.alias_db()
    product, write = graph.find_node("aten::mul"), graph.find_node("aten::add_")
    assert product is not None and write is not None
    assert not aliases.could_move_after_topologically(product, write), "b may be a"
    fresh = tsc.CompilationUnit(
        "def f(a: Tensor, b: Tensor):\n    own = b + 0\n    c = own * 2\n    a += 1\n    return c\n"
    ).f.graph
    aliases = fresh.alias_db()
    product, write = fresh.find_node("aten::mul"), fresh.find_node("aten::add_")
    assert product is not None and write is not None
    assert aliases.move_after_topologically_valid(product, write)
    assert product.is_after(write)


@pytest.mark.parametrize(
    ("text", "alias_sets"),
    [
        ("add(Tensor a, Tensor b) -> Tensor", [None, None, None]),
        ("view(Tensor(a) self, int[] size) -> Tensor(a)", ["a", None, "a"]),
        ("add_(Tensor(a!) self, Tensor other) -> Tensor(a!)", ["a!", None, "a!"]),
        ("list_select(Tensor[] list, int idx) -> Tensor(*)", [None, None, "*"]),
    ],
)
def test_alias_annotations(text: str, alias_sets: list[str | None]) -> None:
    schema = tsc.parse_schema(text)
    found = [each.alias_info for each in (*schema.arguments, *schema.returns)]
    assert [None if each is None else str(each).strip("()") for each in found] == alias_sets
    assert str(schema) == text
