"""Programs that are long or deep: the way to SSA costs their length, and not a stack frame a line."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.ir import Graph, Node, parse_ir, prim
from tsc.compiler.ssa.exit_transform import transform_exits


def nested_ifs(depth: int) -> str:
    heads = "".join("    " * level + f"    if a > {level}:\n" for level in range(depth))
    return f"def f(a: int):\n{heads}{'    ' * depth}    return a\n    return -a\n"


def returns_in_a_row(count: int) -> str:
    checks = "".join(f"    if a == {n}:\n        return {n} + 1\n" for n in range(count))
    return f"def f(a: int):\n{checks}    return a\n"


def test_three_hundred_nested_ifs() -> None:
    f = tsc.CompilationUnit(nested_ifs(300)).f
    assert (f(7), f(299), f(300)) == (-7, -299, 300)


def test_three_hundred_returns_in_a_row() -> None:
    f = tsc.CompilationUnit(returns_in_a_row(300)).f
    assert (f(0), f(299), f(2000)) == (1, 300, 2000)


def early_returns(count: int) -> Graph:
    """A block of ``count`` Ifs that may return, one after the other."""
    ifs = """
       = prim::If(%c)
        block0():
           = prim::ReturnStmt(%a)
          -> ()
        block1():
          -> ()
    """
    return parse_ir(f"""
    graph(%c : bool, %a : int):
      {ifs * count}
       = prim::ReturnStmt(%a)
      %placeholder : int = prim::Uninitialized()
      return (%placeholder)
    """)


def moves(count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often nodes change places while ``count`` early returns are transformed."""
    graph = early_returns(count)
    moved: list[Node] = []
    move_before = Node.move_before

    def counted(node: Node, place: Node) -> None:
        moved.append(node)
        move_before(node, place)

    with monkeypatch.context() as patched:
        patched.setattr(Node, "move_before", counted)
        transform_exits(graph)
    assert not any(node.kind == prim.ReturnStmt for node in graph.all_nodes())
    return len(moved)


def test_guards_do_not_move_the_rest_of_the_block_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert moves(100, monkeypatch) <= 2.1 * moves(50, monkeypatch)
