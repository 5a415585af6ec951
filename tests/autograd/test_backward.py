"""Gradients of what was recorded: summed up, handed out, of gradients, through views and writes in place."""

from __future__ import annotations

import pytest

import tsc


def leaf(*numbers: float) -> tsc.Tensor:
    return tsc.tensor(list(numbers), dtype=tsc.float64, requires_grad=True)


def test_gradients_are_summed_up_in_leaves() -> None:
    x = leaf(1, 2)
    (x * x).sum().backward()
    (x * 3).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [5, 7]
    x.grad = None
    assert x.grad is None


def test_broadcasting_is_summed_up_and_dtypes_are_taken_back() -> None:
    x, y = leaf(1, 2), tsc.ones(3, 2, dtype=tsc.float32)
    y.requires_grad = True
    (x * y).sum().backward()
    assert x.grad.tolist() == [3, 3]
    assert y.grad.dtype is tsc.float32 and y.grad.tolist() == [[1, 2]] * 3


def test_gradients_of_gradients() -> None:
    x = leaf(2)
    (first,) = tsc.autograd.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = tsc.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = tsc.autograd.grad(second.sum(), x)
    assert (first.item(), second.item(), third.item()) == (12, 12, 6)


def test_a_graph_serves_once_unless_retained() -> None:
    x = leaf(1, 2)
    y = x.exp().sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(tsc.ScriptError, match="backward through the graph a second time"):
        y.backward()


def test_what_was_saved_is_not_to_be_written_to() -> None:
    x = leaf(1, 2)
    y = x.exp()
    y.mul_(2)
    with pytest.raises(tsc.ScriptError, match="modified by an inplace operation"):
        y.sum().backward()
    w = leaf(1, 2)
    z = (w * w).sum()
    with tsc.no_grad():
        w.add_(1)
    with pytest.raises(tsc.ScriptError, match="modified by an inplace operation"):
        z.backward()


def test_writes_to_views_reach_the_base() -> None:
    x = leaf(3)
    whole = tsc.zeros(2, 2, dtype=tsc.float64)
    part = whole[0]
    part.add_(x)
    part.mul_(x)
    whole[1, 1] = x[0] * 5
    whole.sum().backward()
    assert x.grad.tolist() == [2 * 2 * 3 + 5]


def test_hooks_and_retained_gradients() -> None:
    x = leaf(1)
    y = x * 2
    y.retain_grad()
    handle = x.register_hook(lambda gradient: gradient * 10)
    (y * 3).sum().backward()
    assert (x.grad.item(), y.grad.item()) == (60, 3)
    handle.remove()
    (x * 2).sum().backward()
    assert x.grad.item() == 62


def test_inputs_and_unused_ones() -> None:
    x, y = leaf(1), leaf(2)
    assert tsc.autograd.grad((x * 2).sum(), [x, y], allow_unused=True)[1] is None
    with pytest.raises(tsc.ScriptError, match="appears to not have been used"):
        tsc.autograd.grad((x * 2).sum(), [y])
    z = x * y
    z.sum().backward(inputs=[y])
    assert x.grad is None and y.grad.item() == 1


def test_what_cannot_be_gone_back_through() -> None:
    with pytest.raises(tsc.ScriptError, match="does not require grad"):
        tsc.ones(1).sum().backward()
    with pytest.raises(tsc.ScriptError, match="only for scalar outputs"):
        (leaf(1, 2) * 2).backward()
    x = leaf(1, 2)
    y = tsc.heaviside(x, x)
    assert y.requires_grad
    with pytest.raises(
        tsc.ScriptError, match=r"derivative for aten::heaviside.* is not implemented"
    ):
        y.sum().backward()


@pytest.mark.parametrize(
    "body",
    [
        "(x.sin() * x.exp()).sum(0)",
        "torch.softmax(x, 0) @ x.reshape(2, 2).t().reshape(4)",
        "torch.nn.functional.gelu(x).cumsum(0)",
        "torch.nn.functional.layer_norm(x.reshape(2, 2), [2])",
        "torch.conv1d(x.reshape(1, 1, 4), x[:2].reshape(1, 1, 2))",
        "torch.linalg.inv(x.reshape(2, 2) + 3 * torch.eye(2))",
        "torch.cat([x, x * x])[1:6:2].logsumexp(0)",
        "torch.nn.functional.cross_entropy(x.reshape(2, 2), torch.tensor([1, 0]))",
    ],
)
def test_formulas_are_what_differences_suggest(body: str) -> None:
    unit = tsc.CompilationUnit(f"def f(x):\n    return {body}\n")
    x = leaf(0.3, -0.7, 1.1, 0.4)
    assert tsc.autograd.gradcheck(unit.f, [x])
    assert tsc.autograd.gradgradcheck(unit.f, [x])


IN_PLACE = {
    "transpose_(0, 1)": "transpose(0, 1)",
    "swapdims_(0, 1)": "swapdims(0, 1)",
    "pow_(w)": "pow(w)",
    "pow_(3)": "pow(3)",
    "ldexp_(w)": "ldexp(w)",
    "mul_(w)": "mul(w)",
    "mul_(3)": "mul(3)",
    "clamp_(w, w * 2)": "clamp(w, w * 2)",
    "fmod_(2.)": "fmod(2.)",
}


@pytest.mark.parametrize("written", IN_PLACE)
def test_what_writes_has_the_gradient_of_what_makes_a_new_tensor(written: str) -> None:
    found: list[list[object]] = []
    for call in (f"y.{written}", f"y = y.{IN_PLACE[written]}"):
        text = f"def f(x, w):\n    y = x * 2\n    {call}\n    return y * y\n"
        x, w = (tsc.tensor(each).requires_grad_() for each in ([[1.5, 2.0]], [[2.0, 3.5]]))
        tsc.CompilationUnit(text).f(x, w).sum().backward()
        found.append([None if each.grad is None else each.grad.tolist() for each in (x, w)])
    assert found[0] == found[1]
