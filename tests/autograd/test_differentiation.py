"""Graphs with their gradients as graphs: what they give is what the tape gives, of first and second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.compiler.source import UsageError

PROGRAMS: dict[str, tuple[str, list[tuple[int, ...]]]] = {
    "an LSTM cell": (
        """
def f(x, hx, cx, w_ih, w_hh, b):
    gates = torch.mm(x, w_ih) + torch.mm(hx, w_hh) + b
    i, g = torch.sigmoid(gates), torch.tanh(gates)
    cy = i * cx + i * g
    return i * torch.tanh(cy), cy
""",
        [(3, 4), (3, 5), (3, 5), (4, 5), (5, 5), (5,)],
    ),
    "a loop": (
        """
def f(x, y):
    z = x * y + x
    for _ in range(3):
        z = torch.tanh(z * y) * x
    return z, z.sum()
""",
        [(2, 3), (3,)],
    ),
    "reductions": (
        """
def f(x):
    d = x - x.mean(1, True)
    return (d * d).sum(0), torch.softmax(x, 1)
""",
        [(3, 4)],
    ),
    "branches": (
        """
def f(x, y):
    if bool(x.sum() > 100):
        x = x * y + y
    else:
        x = x - y * y
    return torch.exp(x), x
""",
        [(3, 4), (4,)],
    ),
    "writes between": (
        """
def f(x, y):
    z = x * y
    w = z + y
    z.add_(1)
    v = w * z
    return v * v, z
""",
        [(3, 4), (3, 4)],
    ),
    "chunks": (
        """
def f(x, y):
    a, b, c = torch.sigmoid(x * y).chunk(3, 1)
    return torch.exp(a) * b + b, c * c
""",
        [(3, 6), (3, 6)],
    ),
    "chunks of which some lead nowhere": (
        """
def f(x, y):
    a, b, c = torch.sigmoid(x * y).chunk(3, 1)
    d, e = (a * a).chunk(2, 0)
    return torch.exp(c) * y[:, 4:], d * d + a[:2]
""",
        [(4, 5), (4, 5)],
    ),
    "views in groups": (
        """
def f(x, y):
    a = torch.mm(x.t(), y).reshape(2, -1).unsqueeze(0).expand(3, 2, 8)
    b = a.permute(1, 0, 2)[1].select(1, 2)
    return torch.tanh(a) * a, b * b.view(3, 1).squeeze(1)
""",
        [(3, 4), (3, 4)],
    ),
    "comparisons and choices": (
        """
def f(x, y):
    z = torch.where(x > 0.25, x * y, y) * (x <= 0.5)
    return torch.max(z, y) * torch.min(x, y), z * (y != 0.)
""",
        [(3, 4), (4,)],
    ),
    "joined tensors": (
        """
def f(x, y, z):
    a = torch.cat([x, y * y, x], 1).exp()
    b = torch.stack([x, x * z], -1)
    return a * a, (b * b).tanh()
""",
        [(3, 2), (3, 4), (1, 2)],
    ),
    "joined tensors that lead nowhere": (
        """
def f(x, y, z):
    a = torch.cat([x, y * y], 1).exp()
    b = torch.stack([x, x * z], -1)
    return (b * b).tanh(), a * a
""",
        [(3, 2), (3, 4), (1, 2)],
    ),
    "layers": (
        """
def f(x, w, b):
    y = torch.layer_norm(x * 2, [4], w, b, 1e-5)
    z = torch.dropout(y * w, 0.5, False)
    s = torch.batch_norm(z * y, w, b, None, None, True, 0.1, 1e-5, False)
    return s * s, torch.layer_norm(z, [4])
""",
        [(3, 4), (4,), (4,)],
    ),
    "pooling": (
        """
def f(x, y):
    a = torch.max_pool2d(torch.tanh(x * y), [2, 2])
    return a * a, torch.exp(a)
""",
        [(1, 2, 4, 4), (4, 4)],
    ),
    "embeddings and losses": (
        """
def f(x, y):
    index = torch.tensor([1, 0, 2, 1])
    a = torch.embedding(x, index) * y
    b = torch.log_softmax(a, 1)
    return a * a, torch.nll_loss(b, index) * 2.
""",
        [(3, 4), (4, 4)],
    ),
    "views between": (
        """
def f(x, y):
    z = (x * y).t() + 1
    return (z[0] * z[1]).exp(), z.reshape(-1) * 2
""",
        [(3, 4), (3, 4)],
    ),
}


def leaves(shapes: list[tuple[int, ...]]) -> list[tsc.Tensor]:
    made = [np.cos(np.arange(int(np.prod(each))) + k) for k, each in enumerate(shapes)]
    tensors = [tsc.from_numpy(each.reshape(shape)) for each, shape in zip(made, shapes)]
    for each in tensors:
        each.requires_grad = True
    return tensors


def gradients(function: Callable[..., Any], inputs: list[tsc.Tensor]) -> list[np.ndarray]:
    """Of the first and second order, and of one result alone."""
    loss = sum((each * each).sum() for each in function(*inputs))
    first = tsc.autograd.grad(loss, inputs, create_graph=True)
    slopes = sum((each * each).sum() for each in first)
    second = tsc.autograd.grad(slopes, inputs)
    alone = tsc.autograd.grad(function(*inputs)[1].sum(), inputs, allow_unused=True)
    found = [*first, *second, *alone]
    return [np.zeros(0) if each is None else each.detach().numpy() for each in found]


@pytest.mark.parametrize("name", PROGRAMS)
def test_groups_have_the_gradients_of_the_tape(name: str) -> None:
    source, shapes = PROGRAMS[name]
    plain = tsc.CompilationUnit(source).f
    graph = plain.graph.copy()
    tsc.run_pass("canonicalize_graph_fuser_ops", graph)
    assert tsc.run_pass("create_autodiff_subgraphs", graph)
    graph.lint()
    grouped = tsc.script(graph)
    for mine, right in zip(
        gradients(grouped, leaves(shapes)), gradients(plain, leaves(shapes)), strict=True
    ):
        assert not right.any() if mine.size == 0 else np.allclose(mine, right)
    assert tsc.run_pass("inline_autodiff_subgraphs", graph)
    assert "DifferentiableGraph" not in str(graph)


WEIGHTED = """
def f(x, w):
    index = x.detach().argmax(1)
    return torch.nll_loss(torch.log_softmax(x, 1), index, w * 2.) * 3.
"""


def test_a_group_computes_what_only_gradients_of_gradients_go_through() -> None:
    plain = tsc.CompilationUnit(WEIGHTED).f
    graph = plain.graph.copy()
    assert tsc.run_pass("create_autodiff_subgraphs", graph)
    (x,), w = leaves([(3, 4)]), tsc.tensor([0.5, 1.0, 2.0, 0.1], dtype=tsc.float64)
    mine, right = (
        tsc.autograd.grad(each(x, w), [x])[0].numpy() for each in (tsc.script(graph), plain)
    )
    assert np.allclose(mine, right)


def test_results_of_groups_are_plain_where_nothing_requires_a_gradient() -> None:
    source, shapes = PROGRAMS["a loop"]
    graph = tsc.CompilationUnit(source).f.graph.copy()
    tsc.run_pass("create_autodiff_subgraphs", graph)
    grouped = tsc.script(graph)
    found = grouped(*(each.detach() for each in leaves(shapes)))
    assert not any(each.requires_grad for each in found)
    with tsc.no_grad():
        assert not grouped(*leaves(shapes))[0].requires_grad


GRAPH = """
graph(%x : Float(2, 3, requires_grad=1),
      %y : Float(2, 3, requires_grad=0)):
  %1 : int = prim::Constant[value=1]()
  %2 : float = prim::Constant[value=2.]()
  %a : Float(2, 3) = aten::mul(%x, %y)
  %b : Float(2, 3) = aten::add(%a, %x, %1)
  %c : Float(2, 3) = aten::sigmoid(%b)
  %d : Float(2, 3) = aten::mul(%c, %2)
  return (%d, %a)
"""


def test_the_parts_of_a_gradient() -> None:
    found = tsc.differentiate(tsc.parse_ir(GRAPH))
    found.f.lint()
    found.df.lint()
    assert found.f_real_outputs == 2
    assert (found.df_input_vjps, found.df_output_vjps) == ([0, 1, 2], [0])
    assert found.df_input_captured_inputs == [1]
    assert found.df_input_captured_outputs == [2, 3, 4, 5]
    forward, backward = str(found.f), str(found.df)
    assert forward.count("aten::_size_if_not_equal") == 3
    assert backward.count("prim::GradOf") == 4
    assert backward.count("prim::AutogradAdd") == 3
    assert backward.count("aten::_grad_sum_to_size") == 3


def test_an_input_that_requires_none_gets_none() -> None:
    graph = tsc.parse_ir(GRAPH.replace("requires_grad=1", "requires_grad=0"))
    assert tsc.differentiate(graph).df_output_vjps == []


def test_what_has_no_gradient_is_refused() -> None:
    graph = tsc.CompilationUnit("def f(x):\n    return torch.sort(x * 2)[0] * 2\n").f.graph
    with pytest.raises(UsageError, match=r"differentiation of aten::sort is not supported"):
        tsc.differentiate(graph)


BATCHED = """graph(%a : Tensor, %b : Tensor):
  %1 : Tensor = prim::MMTreeReduce(%a, %b, %b, %b, %a, %a)
  %2 : Tensor, %3 : Tensor = prim::MMBatchSide[side=0](%a, %1, %b)
  %4 : Tensor, %5 : Tensor = prim::MMBatchSide[side=1](%a, %2, %3)
  %6 : Tensor, %7 : Tensor = prim::ConstantChunk[chunks=2, dim=0](%4)
  %8 : Tensor = aten::mul(%5, %4)
  %9 : Tensor = aten::add_(%6, %7, %one)
  return (%8, %7, %6)
""".replace("  %1 :", "  %one : int = prim::Constant[value=1]()\n  %1 :", 1)


def test_what_passes_make_of_products_and_chunks_has_gradients() -> None:
    run = tsc.script(
        tsc.parse_ir(BATCHED.replace("  %9 : Tensor = aten::add_(%6, %7, %one)\n", ""))
    )
    inputs = leaves([(4, 4), (4, 4)])
    assert all(each.requires_grad for each in run(*inputs))
    assert tsc.autograd.gradcheck(lambda a, b: list(run(a, b)), inputs)
    assert tsc.autograd.gradgradcheck(lambda a, b: list(run(a, b)), inputs)


def test_chunks_are_not_written_to_where_that_is_recorded() -> None:
    run = tsc.script(tsc.parse_ir(BATCHED))
    with pytest.raises(tsc.ScriptError, match="output of a function that returns multiple views"):
        run(*leaves([(4, 4), (4, 4)]))
