"""Trees, live: their texts are PyTorch's, and the places that nodes name are as well."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import torch

import tsc
from tests.frontend.test_trees import NAMES

pytestmark = pytest.mark.oracle

DATA = Path(__file__).parents[1] / "frontend" / "data"
RANGES = """
def f(x: int, y: Tensor):
    a = [(x + 1) * 2, -1]
    if (x) > (1):
        z = y.add(1)[0:x]
    elif x > 2:
        z = (y)
    else:
        z = -y
    w = [i * 2 for i in a]
    q = x if x < 3 and not x == 2 else a[0]
    while x < 3:
        x += (1)
    for i, j in enumerate(a):
        print("a", (1, 2))
    assert x > 1, "m"
    y[0:1, 2] = 3
    b, (c, e) = x, (1, y.size(0))
    t = torch.zeros([1, 2], dtype=torch.float)
    t += 1
    u = (t.sum() +
         t.max()) ** 2
    k = {i: str(i)
         for i in a}
    v = "a" "b" if not (x in a) else g("c")
    r = y[..., None, 1:, ::2]
    del b
    if x not in a or x is None:
        return z, w, t, q, c, e, u, k, v, r
    raise ValueError("x")

def g(x: str) -> str:
    return x + "a"
"""


@pytest.mark.parametrize("name", NAMES)
def test_recorded_trees_are_current(name: str) -> None:
    from torch.jit.frontend import get_jit_def

    from tests.frontend import tree_functions

    path = DATA / f"{name}.tree"
    text = f"{get_jit_def(getattr(tree_functions, name), name)}"
    if os.environ.get("TSC_BLESS"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", ["f", "g"])
def test_nodes_name_the_places_that_pytorch_names(name: str) -> None:
    theirs = places(getattr(torch.jit.CompilationUnit(RANGES), name).graph)
    ours = places(getattr(tsc.CompilationUnit(RANGES), name).graph)
    assert ours == theirs


def places(graph: object) -> list[str]:
    """The kinds of nodes with their places, sorted because constants may stand in any order."""
    found = re.findall(r"= ((?:aten|prim)::\w+).*# (<string>:\d+:\d+)", str(graph))
    return sorted(" ".join(pair) for pair in found)
