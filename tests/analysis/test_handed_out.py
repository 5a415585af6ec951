"""Which views may outlive what computes with them: through branches and loops, and out of a function."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.analysis.handed_out import may_be_handed_out

KEPT = {
    "carried": "y = x[0]\nfor i in range(n):\n    y = x[i] + y\nreturn y * 2",
    "carried for two turns": (
        "a = x[0] * 1\nb = x[0] * 1\n"
        "for i in range(n):\n    c = x[i]\n    a = b + a\n    b = c\nreturn a + b"
    ),
    "of a branch": "y = x[0] if n > 1 else x[1]\nreturn y + 1",
}
HANDED_OUT = {
    "returned": "return x[0]",
    "carried, and returned": "y = x[0]\nfor i in range(n):\n    y = x[i]\nreturn y",
    "carried for two turns, and returned": (
        "a = x[0]\nb = x[0]\nfor i in range(n):\n    a = b\n    b = x[i]\nreturn a"
    ),
    "of a branch, and returned": "y = x + 1\nif n > 1:\n    y = x[1]\nreturn y",
    "in a list of a loop": "ys = [x]\nfor i in range(n):\n    ys.append(x[i])\nreturn ys",
}


@pytest.mark.parametrize("body", [*KEPT, *HANDED_OUT])
def test_views_are_followed_through_blocks(body: str) -> None:
    lines = (KEPT | HANDED_OUT)[body].replace("\n", "\n    ")
    graph = tsc.CompilationUnit(f"def f(x: Tensor, n: int):\n    {lines}\n").f.graph
    views = [each for each in graph.all_nodes() if each.kind == "aten::select"]
    assert views
    assert any(map(may_be_handed_out, views)) == (body in HANDED_OUT)
