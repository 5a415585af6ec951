"""What batches products gives what the products give; so do chunks of a known number."""

from __future__ import annotations

import numpy as np
import pytest

import tsc

SUM = "torch.mm(x, a) + torch.mm(x, b) + (torch.mm(a, x) + torch.mm(b, x))"
LEFT = ", ".join(f"torch.mm(x, {name})" for name in "abababab")
RIGHT = ", ".join(f"torch.mm({name}, x)" for name in "abababab")


def results(graph: object, values: list[tsc.Tensor]) -> list[np.ndarray]:
    found = tsc.script(graph)(*values)
    each = found if isinstance(found, list | tuple) else [found]
    return [tensor.numpy() for tensor in each]


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("batch_mm", SUM, "prim::MMTreeReduce"),
        ("batch_mm", f"({LEFT})", "prim::MMBatchSide"),
        ("batch_mm", f"({RIGHT})", "prim::MMBatchSide"),
    ],
)
def test_results_are_the_same(name: str, body: str, kind: str) -> None:
    function = tsc.CompilationUnit(f"def f(x, a, b):\n    return {body}\n").f
    values = [tsc.tensor(np.random.default_rng(n).random((3, 3)).tolist()) for n in range(3)]
    graph = function.graph.copy()
    assert tsc.run_pass(name, graph)
    assert kind in {node.kind for node in graph.all_nodes()}
    for ours, plain in zip(
        results(graph, values), results(function.graph.copy(), values), strict=True
    ):
        np.testing.assert_allclose(ours, plain, rtol=1e-5)


def test_chunks_of_a_known_number() -> None:
    text = "def f(x):\n    a, b = torch.chunk(x, 2, 1)\n    return a + 1, b * 2\n"
    function = tsc.CompilationUnit(text).f
    graph = function.graph.copy()
    assert tsc.run_pass("canonicalize_graph_fuser_ops", graph)
    assert "prim::ConstantChunk" in {node.kind for node in graph.all_nodes()}
    x = tsc.tensor([[1.0, 2, 3, 4]])
    first, second = tsc.script(graph)(x)
    assert first.tolist() == [[2, 3]]
    assert second.tolist() == [[6, 8]]
    with pytest.raises(tsc.ScriptError, match="Expected chunk to return 2 outputs, but got 1"):
        tsc.script(graph)(tsc.tensor([[1.0]]))
