"""Functions with a gradient of their own, eagerly and in programs."""

from __future__ import annotations

from typing import Any

import pytest

import tsc


class Product(tsc.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: tsc.Tensor, y: tsc.Tensor) -> tsc.Tensor:
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        x, y = ctx.saved_tensors
        return grads[0] * y, grads[0] * x


class Scaled(tsc.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: tsc.Tensor, by: float) -> tsc.Tensor:
        ctx.by, ctx.needed = by, ctx.needs_input_grad
        result = x.exp() * by
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        assert ctx.needed == (True, False)
        (result,) = ctx.saved_tensors
        return grads[0] * result, None


class Separate(tsc.autograd.Function):
    @staticmethod
    def forward(x: tsc.Tensor) -> Any:
        return x * 2, "text", x * 3

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.mark_non_differentiable(output[2])

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0] * 2


class Doubling(tsc.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: tsc.Tensor) -> tsc.Tensor:
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0] * 2


class Parts(tsc.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: tsc.Tensor) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return sum(each * by for each, by in zip(grads, (2, 3)) if each is not None)


class TooFew(Product):
    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0]


def leaf() -> tsc.Tensor:
    return tsc.tensor([1.0, 2.0], requires_grad=True).to(tsc.float64).detach().requires_grad_()


def test_gradients_are_what_backward_gives() -> None:
    assert tsc.autograd.gradcheck(Product.apply, [leaf(), leaf()])
    assert tsc.autograd.gradgradcheck(Product.apply, [leaf(), leaf()])
    assert tsc.autograd.gradcheck(lambda x: Scaled.apply(x, 3.0), leaf())
    assert repr(Product.apply(leaf(), leaf()).grad_fn) == "<ProductBackward>"


def test_contexts_that_are_set_up_apart() -> None:
    first, text, third = Separate.apply(leaf())
    assert (first.requires_grad, text, third.requires_grad) == (True, "text", False)
    assert tsc.autograd.gradcheck(lambda x: Separate.apply(x)[0], leaf())


def test_gradients_that_are_undefined() -> None:
    x = leaf()
    Parts.apply(x)[1].sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3, 3]


def test_arguments_that_are_written_to() -> None:
    x = leaf()
    y = x * 1
    assert Doubling.apply(y) is y
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2, 2]
    with pytest.raises(tsc.ScriptError, match="a leaf Variable that requires grad"):
        Doubling.apply(leaf())


def test_nothing_is_recorded_under_no_grad() -> None:
    with tsc.no_grad():
        assert not Product.apply(leaf(), leaf()).requires_grad


def test_what_was_written_to_is_refused() -> None:
    x = leaf() * 1
    result = Product.apply(x, leaf())
    x.add_(1)
    with pytest.raises(tsc.ScriptError, match="modified by an inplace operation"):
        result.sum().backward()


def test_what_is_refused() -> None:
    with pytest.raises(
        tsc.ScriptError, match=r"incorrect number of gradients \(expected 2, got 1\)"
    ):
        TooFew.apply(leaf(), leaf()).sum().backward()
    with pytest.raises(tsc.ScriptError, match="You must implement the forward function"):
        tsc.autograd.Function.apply(leaf())
    with pytest.raises(tsc.ScriptError, match="call its apply"):
        Product()


# -- In programs -----------------------------------------------------------------------------------

scaled = Scaled.apply


def calls(x, y):
    return Product.apply(x, y) + scaled(x, 3)


def takes_apart(x):
    a, b = Parts.apply(x)
    Product.apply(x, x)
    return a * b


def by_keyword(x):
    return Scaled.apply(x, by=3)


def test_programs_call_them() -> None:
    run = tsc.script(calls)
    assert str(run.graph).count(" = ^Product[]()(%x.1, %y.1)") == 1
    assert tsc.autograd.gradcheck(run, [leaf(), leaf()])
    assert tsc.autograd.gradcheck(tsc.script(takes_apart), leaf())


def test_programs_give_arguments_by_position() -> None:
    with pytest.raises(tsc.CompileError, match="Keyword argument by unknown"):
        tsc.script(by_keyword)


MODULE = tsc.CompilationUnit("""
from torch import nn

class Twice(nn.Module):
    def forward(self, x):
        return x * 2
""").Twice()


def calls_a_module(x):
    return MODULE(x)


def test_modules_of_around_are_no_submodules() -> None:
    with pytest.raises(
        tsc.CompileError, match="Cannot call a ScriptModule that is not a submodule"
    ):
        tsc.script(calls_a_module)
