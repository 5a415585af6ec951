"""The graphs of random programs full of jumps are PyTorch's, node by node."""

from __future__ import annotations

import pytest

import tsc

from ..random_programs import random_program
from .answers import normalize_graph

FURTHER_THAN_PYTORCH = ("is not defined in the", "INTERNAL ASSERT FAILED")
"""What PyTorch says of variables that one branch lacks because break or continue leaves it, and of
values that are computed in a with-statement after an early return and used behind it, where its
graphs do not hold together."""


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(200))
def test_same_graph_as_pytorch(seed: int) -> None:
    torch = pytest.importorskip("torch")
    source = random_program(seed)
    try:
        graph = torch.jit.CompilationUnit(source).f.graph
        torch._C._jit_pass_lint(graph)
        theirs = str(graph)
    except RuntimeError as error:
        assert any(remark in str(error) for remark in FURTHER_THAN_PYTORCH), source
        return
    ours = str(tsc.CompilationUnit(source).f.graph)
    assert normalize_graph(ours) == normalize_graph(theirs), source
