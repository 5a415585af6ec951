"""Steps of optimizers beside PyTorch's, one by one, and states that change over from one to the other."""

from __future__ import annotations

import io

import numpy as np
import pytest

import tsc

from .cases import CASES, STEPS, give_gradients, made, parameters
from .test_optimizers import assert_close, trajectory

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_step_by_step(case: str, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    mine, right = parameters(tsc, dtype), parameters(torch, dtype)
    ours, theirs = made(tsc, case, mine), made(torch, case, right)
    assert repr(ours) == repr(theirs)
    for step in range(STEPS):
        give_gradients(tsc, mine, step)
        give_gradients(torch, right, step)
        ours.step()
        theirs.step()
        for a, b in zip(mine, right):
            scale = 1e-12 if dtype == "float64" else 1e-5
            np.testing.assert_allclose(a.tolist(), b.tolist(), rtol=scale, atol=scale / 10)


@pytest.mark.parametrize("case", CASES)
def test_states_change_over(case: str) -> None:
    """Ten steps here, ten in PyTorch, the rest here again."""
    torch = pytest.importorskip("torch")
    mine, right = parameters(tsc), parameters(torch)
    ours, theirs = made(tsc, case, mine), made(torch, case, right)
    for step in range(10):
        give_gradients(tsc, mine, step)
        ours.step()
    file = io.BytesIO()
    tsc.save_tensors({"optimizer": ours.state_dict(), "given": mine}, file)
    saved = torch.load(io.BytesIO(file.getvalue()))
    theirs.load_state_dict(saved["optimizer"])
    for a, b in zip(right, saved["given"]):
        a.data.copy_(b)
    for step in range(10, 20):
        give_gradients(torch, right, step)
        theirs.step()
    file = io.BytesIO()
    torch.save({"optimizer": theirs.state_dict(), "given": right}, file)
    back = tsc.load_tensors(io.BytesIO(file.getvalue()))
    ours.load_state_dict(back["optimizer"])
    with tsc.no_grad():
        for a, b in zip(mine, back["given"]):
            a.copy_(b)
    for step in range(20, STEPS):
        give_gradients(tsc, mine, step)
        ours.step()
    assert_close([each.tolist() for each in mine], trajectory(torch, case)[2])
