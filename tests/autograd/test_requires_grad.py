"""Which results require a gradient, and which are leaves: in Python, in programs and in archives."""

from __future__ import annotations

import gc
import io
import sys
import weakref
from threading import Thread
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.context.gradient_state import leaves

PROGRAM = """
class Holder:
    def __init__(self, x: Tensor):
        self.x = x


def double(x):
    return x * 2


def branch(x):
    y = x * 2
    if y.requires_grad:
        return "requires"
    return "does not"


def through_call(x):
    return double(double(x)).requires_grad


def through_list(x):
    made = [x * 2]
    made.append(made[0] + 1)
    return [each.requires_grad for each in made]


def through_object(x):
    return Holder(x * 2).x.requires_grad


def leaves(x):
    return x.is_leaf, (x * 2).is_leaf, (x * 2).detach().is_leaf, torch.ones(2).is_leaf


def without(x):
    with torch.no_grad():
        y = x * 2
    z = x * 2
    return y.requires_grad, y.is_leaf, z.requires_grad


def switched(x):
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    z = x * 2
    return y.requires_grad, z.requires_grad


def dtypes(x):
    return x.to(torch.int64).requires_grad, x.double().requires_grad, (x > 0).requires_grad


def undifferentiable(x):
    return [
        x.argmax().requires_grad,
        torch.zeros_like(x).requires_grad,
        x.detach().requires_grad,
        x.data.requires_grad,
        torch.isnan(x).requires_grad,
        x.sign().requires_grad,
        torch.max(x, 0)[0].requires_grad,
        torch.max(x, 0)[1].requires_grad,
    ]


def views(x):
    parts = x.split(1)
    return x[0].requires_grad, x.view(-1).requires_grad, parts[0].requires_grad, x.t().requires_grad


def written(x):
    made = torch.zeros([3])
    part = made[0]
    made[1] = x.sum()
    return made.requires_grad, part.requires_grad, made[2].requires_grad


def in_place(x):
    y = torch.zeros_like(x)
    before = y.requires_grad
    y += x
    y.relu_()
    return before, y.requires_grad


def own_leaf():
    x = torch.ones([2])
    x.requires_grad_()
    y = torch.tensor([1.0], requires_grad=True)
    return (x * 2).requires_grad, (y * 2).requires_grad


def loop(x, n: int):
    for i in range(n):
        x = x * 2
    return x.requires_grad, x.is_leaf
"""
EXPECTED: dict[str, Any] = {
    "branch": "requires",
    "through_call": True,
    "through_list": [True, True],
    "through_object": True,
    "leaves": (True, False, True, True),
    "without": (False, True, True),
    "switched": (False, True),
    "dtypes": (False, True, False),
    "undifferentiable": [False, False, False, False, False, True, True, False],
    "views": (True, True, True, True),
    "written": (True, True, True),
    "in_place": (False, True),
}
"""What PyTorch gives for a tensor of two by two that requires a gradient."""


@pytest.fixture(scope="module")
def unit() -> Any:
    return tsc.CompilationUnit(PROGRAM)


def leaf(*shape: int) -> tsc.Tensor:
    made = tsc.ones(list(shape or (2, 2)))
    made.requires_grad = True
    return made


@pytest.mark.parametrize("name", EXPECTED)
def test_programs_know_what_requires_a_gradient(unit: Any, name: str) -> None:
    assert getattr(unit, name)(leaf()) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_nothing_does_where_nothing_did(unit: Any, name: str) -> None:
    found = getattr(unit, name)(tsc.ones([2, 2]))
    told = {"branch": "does not", "leaves": (True,) * 4, "without": (False, True, False)}
    flat = found if isinstance(found, list | tuple) else [found]
    assert found == told[name] if name in told else not any(flat)


def test_a_program_makes_its_own_leaves(unit: Any) -> None:
    assert unit.own_leaf() == (True, True)


def test_loops_keep_the_history(unit: Any) -> None:
    assert unit.loop(leaf(), 3) == (True, False)
    assert unit.loop(leaf(), 0) == (True, True)


def test_no_grad_around_a_program(unit: Any) -> None:
    with tsc.no_grad():
        assert unit.branch(leaf()) == "does not"
        assert not unit.double(leaf()).requires_grad
        with tsc.enable_grad():
            assert unit.branch(leaf()) == "requires"
    with tsc.inference_mode():
        assert unit.branch(leaf()) == "does not"


SOURCE = """
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("shift", torch.zeros(2))

    def forward(self, x):
        y = x * self.weight
        return y, y.requires_grad, (x + self.shift).requires_grad, self.weight.is_leaf
"""


def test_parameters_of_modules_and_archives_require_gradients() -> None:
    module = tsc.CompilationUnit(f"from torch import nn\nimport torch\n{SOURCE}").Scaled()
    archive = io.BytesIO()
    tsc.save(module, archive)
    archive.seek(0)
    for each in (module, tsc.load(archive)):
        result, *told = each(tsc.ones([2]))
        assert told == [True, False, True]
        assert result.requires_grad and not result.is_leaf


def test_python_knows_it_too() -> None:
    x = leaf()
    y = x * 2
    assert y.requires_grad and not y.is_leaf and x.is_leaf and x.grad_fn is None
    assert str(y.grad_fn) == "<MulBackward1>"
    assert repr(y).endswith("grad_fn=<MulBackward1>)")
    assert x[0].requires_grad and x.sum().requires_grad and not (x > 0).requires_grad
    assert [row.requires_grad for row in x] == [True, True]
    assert not y.detach().requires_grad and not x.data.requires_grad
    whole = tsc.zeros(3)
    part = whole[1]
    whole[0] = x.sum()
    assert whole.requires_grad and part.requires_grad


def test_only_numbers_with_fractions_can_require_gradients() -> None:
    with pytest.raises(tsc.ScriptError, match="only Tensors of floating point and complex dtype"):
        tsc.tensor([1, 2]).requires_grad = True
    with pytest.raises(tsc.ScriptError, match="only Tensors of floating point"):
        tsc.tensor([1, 2], requires_grad=True)


def test_a_result_cannot_cease_to_require_a_gradient() -> None:
    y = leaf() * 2
    with pytest.raises(tsc.ScriptError, match="you can only change requires_grad flags of leaf"):
        y.requires_grad = False
    y.detach_()
    assert not y.requires_grad and y.is_leaf


@pytest.mark.parametrize("write", ["x.add_(1)", "x[0] = 1", "x[0].zero_()", "x *= 2"])
def test_leaves_are_not_written_to(write: str) -> None:
    x = leaf()
    with pytest.raises(tsc.ScriptError, match="leaf Variable that requires grad"):
        exec(write, {"x": x})
    with tsc.no_grad():
        exec(write, {"x": x})


@pytest.mark.parametrize("share", [lambda x: x.detach(), lambda x: x[:]], ids=["detached", "view"])
def test_leaves_that_share_memory_are_not_written_to(share: Any) -> None:
    """Even where what they share it with required nothing."""
    x = tsc.ones([3])
    leaf = share(x).requires_grad_()
    with pytest.raises(tsc.ScriptError, match="leaf Variable that requires grad"):
        leaf.mul_(2)
    assert x.tolist() == [1, 1, 1]


def test_out_is_refused() -> None:
    x = leaf()
    with pytest.raises(tsc.ScriptError, match="don't support automatic differentiation"):
        tsc.add(x, x, out=tsc.zeros([2, 2]))


def test_views_of_before_are_found_when_they_are_written_to() -> None:
    base = tsc.zeros(3)
    part, other = base[1:], base[:2]
    weight = tsc.ones(2, requires_grad=True)
    part.add_(weight)
    assert base.requires_grad and other.requires_grad
    assert tsc.autograd.grad(other.sum(), weight)[0].tolist() == [1, 0]


def test_views_of_before_see_what_is_written_to_their_base() -> None:
    base = tsc.zeros(3)
    part = base[1:]
    weight = tsc.ones(3, requires_grad=True)
    base.add_(weight)
    assert part.requires_grad
    assert tsc.autograd.grad(part.sum(), weight)[0].tolist() == [0, 1, 1]


def test_an_array_is_refused_where_what_becomes_of_it_would_not_be_recorded() -> None:
    x = tsc.ones(2, requires_grad=True)
    for refused in (x.numpy, (x * 2).numpy, lambda: np.asarray(x)):
        with pytest.raises(tsc.ScriptError, match=r"Use tensor.detach\(\).numpy\(\) instead"):
            refused()
    assert x.numpy(force=True).tolist() == x.detach().numpy().tolist() == [1, 1]
    with tsc.no_grad():
        assert x.numpy().tolist() == [1, 1]


def stale(make: Any) -> Any:
    """A view of a tensor that has got a history since."""
    base = tsc.zeros(3)
    view = make(base)
    base.mul_(tsc.ones(3, requires_grad=True))
    return view


@pytest.mark.parametrize("number", [True, False])
def test_a_view_without_the_history_of_its_base_is_a_leaf_to_writes(number: bool) -> None:
    view = stale(lambda base: base[1:])
    with pytest.raises(tsc.ScriptError, match="a leaf Variable that requires grad"):
        view.add_(1 if number else tsc.ones(2, requires_grad=True))
    assert not view.is_leaf  # asking gives it the history
    assert view.add_(1).requires_grad


@pytest.mark.parametrize(
    "use", [lambda view: view * 2, lambda view: view.grad_fn, lambda view: view.is_leaf]
)
def test_one_of_several_views_is_not_used_after_its_base_was_written_to(use: Any) -> None:
    written = (tsc.ones(3, requires_grad=True) * 2).unbind(0)[1]
    with tsc.no_grad():
        written.add_(1)
    for view in (stale(lambda base: base.unbind(0)[1]), written):
        with pytest.raises(tsc.ScriptError, match="multiple views"):
            use(view)
        assert view.requires_grad
        assert view.detach().requires_grad is False
        assert "grad_fn=<Invalid>" in repr(view)


def test_views_are_not_detached_in_place() -> None:
    view = tsc.ones(3, requires_grad=True)[1:]
    with pytest.raises(tsc.ScriptError, match="Can't detach views in-place"):
        view.detach_()


def test_a_thread_that_ends_in_no_grad_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(enabled: bool) -> None:
        tsc.set_grad_enabled(enabled)
        within.append(len(leaves))

    within: list[int] = []
    unraisable: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    gc.collect()
    before = len(leaves)
    for enabled in (False, True):
        thread = Thread(target=run, args=(enabled,))
        thread.start()
        thread.join()
    assert (within, len(leaves), unraisable) == ([before + 1, before], before, [])


def test_views_are_found_beside_proxies_of_what_is_gone() -> None:
    gone = type("Gone", (), {})()
    proxy = weakref.proxy(gone)
    del gone
    x = tsc.ones(4)
    y = x[:2]
    y.mul_(tsc.ones(2, requires_grad=True))
    assert x.requires_grad and proxy is not None
