"""A group with a product that is too large for it is given up before the rest of it runs, and keeps nothing."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tsc
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.recorded_group import RecordedGroup

SOURCE = """
def f(x: Tensor, w: Tensor) -> Tensor:
    y = torch.relu(x)
    return torch.tanh({product})
"""


@pytest.mark.parametrize("product", ["torch._C._nn.linear(y, w)", "torch.mm(y, w)", "y @ w"])
@pytest.mark.parametrize(("size", "is_large"), [(64, False), (128, True)])
def test_large_products_are_refused_by_their_kind(product: str, size: int, is_large: bool) -> None:
    graph = tsc.CompilationUnit(SOURCE.format(product=product)).f.graph
    inputs = [tsc.from_numpy(np.ones((size, size), np.float32)) for _ in range(2)]
    if not is_large:
        assert len(list(RecordedGroup(graph, inputs).graph.nodes())) > 2
        return
    with pytest.raises(NotLowered) as refused:
        RecordedGroup(graph, inputs)
    assert refused.value.kind in {"aten::linear", "aten::mm", "aten::matmul"}


def test_what_was_recorded_is_let_go_of() -> None:
    graph = tsc.CompilationUnit(SOURCE.format(product="torch.mm(y, w)")).f.graph
    inputs = [tsc.from_numpy(np.ones((8, 8), np.float32)) for _ in range(2)]
    group = RecordedGroup(graph, inputs)
    kept = [weakref.ref(group.array(value)) for value in group.graph.outputs]
    group.forget()
    gc.collect()
    assert all(each() is None for each in kept)
