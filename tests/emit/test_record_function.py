"""``torch.autograd.profiler.record_function``: PyTorch's graph, and a program that runs, prints and is saved."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import tsc

PROGRAM = """
import torch
def f(x):
    with {}("a"{}){}:
        y = x + 1
    return y
"""
GRAPH = """graph(%x.1 : Tensor):
  %3 : NoneType = prim::Constant()
  %1 : str = prim::Constant[value="a"]()
  %7 : int = prim::Constant[value=1]()
  %2 : __torch__.torch.autograd.profiler.record_function = prim::CreateObject()
  %4 : NoneType = prim::CallMethod[name="__init__"](%2, %1, %3)
  %NAME : __torch__.torch.autograd.profiler.record_function = prim::Enter(%2)
  %y.1 : Tensor = aten::add(%x.1, %7, %7)
  %10 : Tensor = prim::Exit(%2)
  return (%y.1)
"""
PATHS = ("torch.autograd.profiler.record_function", "torch.profiler.record_function")


def without_places(graph: str) -> str:
    return "\n".join(line.partition(" # ")[0] for line in graph.split("\n"))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("target", "name"), [("", "5"), (" as r", "r")])
def test_the_graph_is_that_of_pytorch(path: str, target: str, name: str) -> None:
    unit = tsc.CompilationUnit(PROGRAM.format(path, "", target))
    assert without_places(str(unit.f.graph)) == GRAPH.replace("NAME", name)
    assert unit.f(tsc.ones(2)).tolist() == [2.0, 2.0]


def test_it_takes_what_it_is_called_with_and_no_more() -> None:
    assert tsc.CompilationUnit(PROGRAM.format(PATHS[0], ', "b"', "")).f(tsc.ones(1)).tolist() == [2]
    with pytest.raises(tsc.CompileError):
        tsc.CompilationUnit(PROGRAM.format(PATHS[0], ", 1", ""))


def test_what_is_printed_compiles_again(tmp_path: Path) -> None:
    unit = tsc.CompilationUnit(PROGRAM.format(PATHS[0], "", " as r"))
    again = tsc.CompilationUnit(unit.f.code)
    assert again.f(tsc.ones(1)).tolist() == [2.0]


def test_modules_with_it_are_saved_and_loaded() -> None:
    text = (
        "import torch\nclass M(torch.nn.Module):\n  def forward(self, x):\n"
        "    with torch.profiler.record_function('b'):\n      return x * 2\n"
    )
    file = io.BytesIO()
    tsc.CompilationUnit(text).M().save(file)
    assert tsc.load(file.getvalue())(tsc.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("expression", "phrase"),
    [
        ("type(x)", "use isinstance"),
        ("torch.save(x, 'file')", "reads and writes no files"),
        ("torch.load('file')", "reads and writes no files"),
        ("torch.autograd.profiler.profile()", "tsc run --time"),
        ("torch.sparse.mm(x, x)", "dense tensors"),
        ("torch.sparse.addmm(x, x, x)", "dense tensors"),
        ("torch.sparse.sum(x)", "dense tensors"),
    ],
)
def test_what_is_refused_says_what_to_do(expression: str, phrase: str) -> None:
    with pytest.raises(tsc.CompileError, match=phrase):
        tsc.CompilationUnit(f"import torch\ndef f(x):\n    return {expression}\n")
