"""Tensors of ``inference_mode``, and views that are made where nothing is recorded: what PyTorch allows."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import tsc
from tsc.runtime.context.gradient_state import leaves, watched


def leaf() -> tsc.Tensor:
    return tsc.ones(3, requires_grad=True)


def made() -> tsc.Tensor:
    with tsc.inference_mode():
        return tsc.ones(3)


def view_of(base: tsc.Tensor, mode: Callable[[], Any]) -> tsc.Tensor:
    with mode():
        return base[1:]


MADE_IN_THE_MODE: dict[str, Callable[[tsc.Tensor], Any]] = {
    "a result": lambda x: x + 1,
    "a copy": lambda x: x.clone(),
    "a result of the mode": lambda x: made() + made(),
    "a view of the mode": lambda x: made()[1:],
    "parts": lambda x: made().unbind()[0],
    "zeros": lambda x: tsc.zeros(2),
    "numbers": lambda x: tsc.tensor([1.0]),
    "integers": lambda x: tsc.arange(3),
    "a comparison": lambda x: x > 0,
    "data of the mode": lambda x: made().detach(),
    "a result of what requires a gradient": lambda x: leaf() * 2,
}


@pytest.mark.parametrize("name", MADE_IN_THE_MODE)
def test_what_is_made_in_the_mode(name: str) -> None:
    with tsc.inference_mode():
        result = MADE_IN_THE_MODE[name](tsc.tensor([1.0, 2.0, 3.0]).clone())
    assert result.is_inference()
    assert not result.requires_grad


def test_views_of_usual_tensors_and_these_themselves_stay_usual() -> None:
    x = tsc.ones(3)
    with tsc.inference_mode():
        same = [x[1:], x.detach(), x.view(3), x.contiguous(), x.to(tsc.float32), x.add_(1)]
    assert not any(each.is_inference() for each in [x, *same])


def test_results_outside_of_the_mode_are_usual_but_for_views() -> None:
    x = made()
    flags = [each.is_inference() for each in (x + 1, x.clone(), x[1:], x.detach(), x.expand(2, 3))]
    assert flags == [False, False, True, True, True]


def test_the_mode_can_be_left_within_it() -> None:
    with tsc.inference_mode():
        assert tsc.is_inference_mode_enabled()
        with tsc.inference_mode(False):
            assert not tsc.ones(2).is_inference()
            assert (leaf() * 2).requires_grad
            assert not tsc.is_inference_mode_enabled()
        assert tsc.ones(2).is_inference()
        with tsc.enable_grad():
            assert not (leaf() * 2).requires_grad


@pytest.mark.parametrize("decorate", [tsc.inference_mode, tsc.inference_mode()])
def test_it_decorates_functions(decorate: Any) -> None:
    @decorate
    def twice(x: tsc.Tensor) -> tsc.Tensor:
        return x * 2

    assert twice(leaf()).is_inference()


def without_grad(function: Callable[[], Any]) -> Any:
    with tsc.no_grad():
        return function()


WRITTEN = "Inplace update to inference tensor outside InferenceMode is not allowed"
SAVED = "Inference tensors cannot be saved for backward"
IN_NO_GRAD = "A view was created in no_grad mode and is being modified inplace"
IN_INFERENCE = "A view was created in inference mode and is being modified inplace"
BASE_WRITTEN = "A view was created in no_grad mode and its base or another view of its base"


def _assigned(x: tsc.Tensor) -> None:
    x[0] = 1.0


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a product": (lambda: leaf() * made(), SAVED),
    "a product of matrices": (lambda: leaf() @ made(), SAVED),
    "a product in place": (lambda: (leaf() * 1).mul_(made()), SAVED),
    "indices": (lambda: leaf()[made_indices()], SAVED),
    "adding in place": (lambda: made().add_(1), WRITTEN),
    "adding to a view in place": (lambda: made()[1:].add_(1), WRITTEN),
    "in place under no_grad": (lambda: without_grad(lambda: made().add_(1)), WRITTEN),
    "an element": (lambda: _assigned(made()), WRITTEN),
    "transposing in place": (lambda: made().view(1, 3).t_(), WRITTEN),
    "after detach_": (lambda: made().detach_().zero_(), WRITTEN),
    "an output": (lambda: tsc.add(tsc.ones(3), 1, out=made()), WRITTEN),
    "requiring a gradient": (lambda: made().requires_grad_(), "Setting requires_grad=True on"),
    "no_grad's view of a result": (lambda: view_of(leaf() * 2, tsc.no_grad).add_(1), IN_NO_GRAD),
    "no_grad's view, a gradient": (
        lambda: view_of(tsc.ones(3), tsc.no_grad).mul_(leaf()[1:]),
        IN_NO_GRAD,
    ),
    "no_grad's view of a later leaf": (lambda: later(tsc.no_grad).add_(1), IN_NO_GRAD),
    "the mode's view of a later leaf": (lambda: later(tsc.inference_mode).add_(1), IN_INFERENCE),
    "the mode's view, a gradient": (
        lambda: view_of(tsc.ones(3), tsc.inference_mode).mul_(leaf()[1:]),
        IN_INFERENCE,
    ),
    "a view of a later leaf": (lambda: later(tsc.enable_grad).add_(1), "a view of a leaf Variable"),
    "no_grad's view of what was changed": (lambda: changed() * 2, BASE_WRITTEN),
    "no_grad's view of what was written to under it": (lambda: written_under() * 2, BASE_WRITTEN),
    "a program's view of a result": (lambda: view_by("view", leaf() * 2).add_(1), IN_NO_GRAD),
    "a program's view in a tuple": (lambda: view_by("views", leaf() * 2)[0].add_(1), IN_NO_GRAD),
    "a program's view, kept": (lambda: kept_view().add_(1), IN_NO_GRAD),
    "a program's view, in a program": (
        lambda: PROGRAMS.writes(view_by("view", leaf() * 2)),
        IN_NO_GRAD,
    ),
    "a program's view, a gradient": (
        lambda: view_by("view", tsc.ones(3)).mul_(leaf()[1:]),
        IN_NO_GRAD,
    ),
    "a program's view of a view": (lambda: view_by("deeper", leaf() * 2).add_(1), IN_NO_GRAD),
    "a view by a program's own no_grad": (lambda: own_view().add_(1), IN_NO_GRAD),
    "a part by a program": (lambda: view_by("parts", leaf() * 2).add_(1), IN_NO_GRAD),
    "a program's view that it writes to": (
        lambda: view_by("written_view", leaf() * 2) * 2,
        BASE_WRITTEN,
    ),
}


def view_by(name: str, base: tsc.Tensor) -> Any:
    """What a program of `PROGRAMS` makes of a tensor under no_grad; the tensor stays alive."""
    KEPT.append(base)
    with tsc.no_grad():
        return getattr(PROGRAMS, name)(base)


def kept_view() -> tsc.Tensor:
    KEPT.append(leaf() * 2)
    views = [tsc.ones(1)]
    with tsc.no_grad():
        return PROGRAMS.keeps(views, KEPT[-1])[-1]


def own_view() -> tsc.Tensor:
    KEPT.append(leaf() * 2)
    return PROGRAMS.without(KEPT[-1])


def written_under() -> tsc.Tensor:
    view = view_by("view", leaf() * 2)
    with tsc.no_grad():
        KEPT[-1].add_(1)
    return view


def made_indices() -> tsc.Tensor:
    with tsc.inference_mode():
        return tsc.tensor([0, 1, 2])


def later(mode: Callable[[], Any]) -> tsc.Tensor:
    """A view of a tensor that requires a gradient afterwards, and stays alive."""
    base = tsc.ones(3)
    view = view_of(base, mode)
    KEPT.append(base.requires_grad_())
    return view


KEPT = [leaf()]
"""Something that requires a gradient, without which nobody notes who made a view how; and bases of views."""


def changed() -> tsc.Tensor:
    base = leaf() * 2
    view = view_of(base, tsc.no_grad)
    KEPT.append(base.add_(1))
    return view


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    act, phrase = REFUSED[name]
    with pytest.raises(tsc.ScriptError, match=phrase):
        act()


ALLOWED: dict[str, Callable[[], Any]] = {
    "a sum": lambda: (leaf() + made()).sum().backward(),
    "no_grad": lambda: without_grad(lambda: leaf() * made()),
    "a choice": lambda: tsc.where(made() > 0, leaf(), made()),
    "gradients": lambda: (leaf() * 2).backward(made()),
    "in the mode": lambda: tsc.inference_mode()(lambda: made().add_(1))(),
    "a view of a program, written to under no_grad": lambda: without_grad(
        lambda: view_by("view", leaf() * 2).add_(1)
    ),
    "numbers into a program's view": lambda: view_by("view", tsc.ones(3)).add_(1),
    "a view of no_grad, written to there": lambda: without_grad(lambda: changed().add_(1)),
    "numbers into no_grad's view": lambda: view_of(tsc.ones(3), tsc.no_grad).add_(1),
    "numbers into the mode's view": lambda: view_of(tsc.ones(3), tsc.inference_mode).add_(1),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_allowed(name: str) -> None:
    ALLOWED[name]()


def test_leaves_of_the_mode_get_gradients_outside_of_it() -> None:
    with tsc.inference_mode():
        x = tsc.ones(3).requires_grad_()
        assert not (x * 2).requires_grad
    (x + 1).sum().backward()
    assert x.is_inference()
    assert x.grad is not None
    assert not x.grad.is_inference()


def test_detached_tensors_are_no_views() -> None:
    x, w = tsc.ones(3), leaf()
    detached = x.detach()
    detached.mul_(w)
    assert detached.requires_grad
    assert not x.requires_grad


PROGRAMS = tsc.CompilationUnit("""
def asks(x):
    y = torch.zeros([2]) + x
    return x.is_inference(), y.is_inference(), x[1:].is_inference()

def writes(x):
    x.add_(1)
    return x

def written_view(x):
    y = x[1:]
    y.mul_(2)
    return y

def multiplies(x, y):
    return x * y

def views(x):
    return x[1:], [x, x + 1]

def view(x):
    return x[1:]

def deeper(x):
    return x.view(-1)[1:]

def parts(x):
    return x.unbind()[0]

def keeps(views: List[Tensor], x):
    views.append(x[1:])
    return views

def without(x):
    with torch.no_grad():
        return x[1:]
""")


def test_programs() -> None:
    with tsc.inference_mode():
        x = tsc.ones(2)
        assert PROGRAMS.asks(x) == (True, True, True)
        assert PROGRAMS.asks(tsc.inference_mode(False)(lambda: tsc.ones(2))()) == (
            False,
            True,
            False,
        )
        assert PROGRAMS.writes(x).tolist() == [2, 2]
        view, (same, other) = PROGRAMS.views(x)
        assert view.is_inference()
        assert same is x
        assert other.is_inference()
    assert PROGRAMS.asks(x) == (True, False, True)
    with pytest.raises(tsc.ScriptError, match=WRITTEN):
        PROGRAMS.writes(x)
    with pytest.raises(tsc.ScriptError, match=SAVED):
        PROGRAMS.multiplies(x, tsc.ones(2, requires_grad=True))


def test_nothing_remains_when_what_was_made_is_gone() -> None:
    gc.collect()
    before = len(leaves), len(watched)
    x = made()
    assert (len(leaves), len(watched)) == (before[0] + 1, before[1] + 1)
    del x
    assert (len(leaves), len(watched)) == before


def test_views_of_no_grad_are_noted_before_anything_requires_a_gradient() -> None:
    script = r"""
import tsc

unit = tsc.CompilationUnit('''
def view(x):
    return x[1:]

def own(x):
    with torch.no_grad():
        return x[1:]
''')
for make in (tsc.no_grad()(unit.view), unit.own, tsc.no_grad()(lambda x: x[1:])):
    base = tsc.ones(3)
    view = make(base)
    base.requires_grad_()
    try:
        view.add_(1)
    except tsc.ScriptError as error:
        print(str(error)[:35])
"""
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == ["A view was created in no_grad mode "] * 3


def test_views_of_a_leaf_require_gradients_of_their_own() -> None:
    base = leaf()
    view = view_by("view", base)
    assert (view.requires_grad, view.is_leaf, view.grad_fn) == (True, True, None)
    (view * 2).sum().backward()
    assert base.grad is None
    assert view.grad is not None
    assert view.grad.tolist() == [2, 2]
