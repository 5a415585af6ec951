"""Optimizers change parameters as PyTorch's do, and refuse what PyTorch's refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.optim import SGD, Adam, AdamW, RMSprop

from .cases import CASES, give_gradients, made, parameters, trajectory
from .record import RECORD

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))


def assert_close(got: Any, expected: Any) -> None:
    """Equal structure and keys, in their order; numbers within a few units of float32."""
    if isinstance(expected, dict):
        assert list(got) == list(expected)
        for key, value in expected.items():
            assert_close(got[key], value)
    elif isinstance(expected, list) and any(isinstance(each, dict) for each in expected):
        assert len(got) == len(expected)
        for mine, right in zip(got, expected):
            assert_close(mine, right)
    elif isinstance(expected, list) and expected and isinstance(expected[0], list | float):
        for mine, right in zip(got, expected, strict=True):
            np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-6)
    else:
        assert got == expected or np.isclose(got, expected, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("case", CASES)
def test_parameters_go_where_those_of_pytorch_go(case: str) -> None:
    assert_close(trajectory(tsc, case), RECORDED[case])


@pytest.mark.parametrize("case", CASES)
def test_a_state_goes_on_where_it_was_saved(case: str, tmp_path: Any) -> None:
    """Once through, against half, a file, and the other half in a new optimizer."""
    given = parameters(tsc)
    optimizer = made(tsc, case, given)
    for step in range(20):
        give_gradients(tsc, given, step)
        optimizer.step()
    tsc.save_tensors(optimizer.state_dict(), tmp_path / "state.pt")
    optimizer = made(tsc, case, given)
    optimizer.load_state_dict(tsc.load_tensors(tmp_path / "state.pt"))
    for step in range(20, 40):
        give_gradients(tsc, given, step)
        optimizer.step()
    assert [each.tolist() for each in given] == trajectory(tsc, case)[2]


def leaf(*numbers: float) -> tsc.Tensor:
    return tsc.tensor(list(numbers), requires_grad=True)


def test_groups_have_options_of_their_own() -> None:
    x, y = leaf(1.0), leaf(1.0)
    optimizer = SGD([{"params": [x], "lr": 1.0}, {"params": y}], lr=0.5)
    x.grad, y.grad = tsc.ones(1), tsc.ones(1)
    optimizer.step()
    assert (x.tolist(), y.tolist()) == ([0.0], [0.5])
    optimizer.add_param_group({"params": [z := leaf(2.0)], "momentum": 0.5})
    assert optimizer.state_dict()["param_groups"][2]["params"] == [2]
    assert optimizer.param_groups[2]["params"] == [z]


def test_names_of_parameters_are_kept() -> None:
    optimizer = Adam([("weight", leaf(1.0))])
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["weight"]


def test_a_closure_records_and_gives_the_loss() -> None:
    x = leaf(3.0)
    optimizer = SGD([x], lr=0.1)

    def closure() -> tsc.Tensor:
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    with tsc.no_grad():
        assert optimizer.step(closure).item() == 9
    assert x.tolist() == pytest.approx([2.4])


def test_zero_grad_takes_away_or_makes_zeros() -> None:
    x = leaf(3.0)
    optimizer = SGD([x])
    x.grad = tsc.ones(1)
    optimizer.zero_grad(set_to_none=False)
    assert x.grad is not None and x.grad.tolist() == [0]
    optimizer.zero_grad()
    assert x.grad is None


def test_a_step_is_a_write_that_what_was_saved_knows_of() -> None:
    x = leaf(3.0)
    loss = (x * x).sum()
    x.grad = tsc.ones(1)
    SGD([x]).step()
    with pytest.raises(tsc.ScriptError, match="modified by an inplace operation"):
        loss.backward()


def test_parameters_of_other_dtypes() -> None:
    for dtype, case in (("float64", "Adam(amsgrad=True)"), ("complex64", "RMSprop(momentum=0.9)")):
        given = parameters(tsc, dtype)
        optimizer = made(tsc, case, given)
        give_gradients(tsc, given, 0)
        optimizer.step()
        state = optimizer.state[given[0]]
        assert str(state["step"].dtype) == "torch.float32"
        assert all(each.dtype is given[0].dtype for name, each in state.items() if name != "step")


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: SGD([]), "empty parameter list"),
    (lambda: SGD(leaf(1.0)), "iterable of Tensors or dicts"),
    (lambda: SGD([1]), "can only optimize Tensors, but one of the params is int"),
    (lambda: SGD([leaf(1.0) * 2]), "can't optimize a non-leaf Tensor"),
    (lambda: SGD([{"params": {leaf(1.0)}}]), "ordered collections"),
    (lambda: SGD([{"lr": 1.0}]), "params"),
    (lambda: SGD([("a", leaf(1.0)), leaf(1.0)]), "with names"),
    (lambda: SGD([leaf(1.0)], lr=-1), "Invalid learning rate: -1"),
    (lambda: SGD([leaf(1.0)], momentum=-1), "Invalid momentum value: -1"),
    (lambda: SGD([leaf(1.0)], weight_decay=-1), "Invalid weight_decay value: -1"),
    (lambda: SGD([leaf(1.0)], nesterov=True), "Nesterov momentum requires a momentum"),
    (lambda: SGD([leaf(1.0)], lr=tsc.ones(2)), "Tensor lr must be 1-element"),
    (lambda: SGD([leaf(1.0)], differentiable=True), "not implemented"),
    (lambda: Adam([leaf(1.0)], betas=(0.1, 1.0)), "Invalid beta parameter at index 1: 1.0"),
    (lambda: AdamW([leaf(1.0)], eps=-1), "Invalid epsilon value: -1"),
    (lambda: RMSprop([leaf(1.0)], alpha=-1), "Invalid alpha value: -1"),
    (lambda: SGD([leaf(1.0)]).add_param_group([leaf(1.0)]), "must be a dict"),
    (lambda: SGD([{"params": [x := leaf(1.0)]}, {"params": x}]), "more than one parameter group"),
    (lambda: SGD([leaf(1.0)]).load_state_dict(_state(2)), "match the size of optimizer's group"),
    (lambda: SGD([leaf(1.0)]).load_state_dict(_state(1, 1)), "different number of parameter"),
]


def _state(*sizes: int) -> dict[str, Any]:
    groups = [{"params": [leaf(1.0) for _ in range(size)]} for size in sizes]
    return SGD(groups).state_dict()


@pytest.mark.parametrize(("make", "phrase"), REFUSED, ids=[phrase for _, phrase in REFUSED])
def test_what_has_no_sense_is_refused(make: Callable[[], Any], phrase: str) -> None:
    with pytest.raises(tsc.ScriptError, match=phrase):
        make()


def test_an_optimizer_that_is_not_there_tells_which_are() -> None:
    with pytest.raises(AttributeError, match="no 'Adagrad': it has SGD, Adam"):
        _ = tsc.optim.Adagrad
