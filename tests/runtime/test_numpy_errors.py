"""NumPy's refusals in PyTorch's words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tsc
from tsc.runtime.arrays.numpy_errors import words
from tsc.runtime.context.errors import ScriptError


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        (
            lambda: np.ones((2, 3)) + np.ones(4),
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
            "dimension 1",
        ),
        (
            lambda: np.add(np.ones(3), np.ones((2, 3)), out=np.ones(3)),
            "output with shape [3] doesn't match the broadcast shape [2, 3]",
        ),
        (
            lambda: np.ones(2).__setitem__(slice(None), np.ones(3)),
            "shape mismatch: value tensor of shape [3] cannot be broadcast to the indexed "
            "shape [2]",
        ),
        (lambda: np.hypot(1j, 1j), '"hypot_cpu" not implemented for this dtype'),
        (lambda: np.zeros(-1), None),
    ],
)
def test_messages_are_translated(refused: Callable[[], object], expected: str | None) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        refused()
    assert words(caught.value) == expected


def test_a_program_sees_the_translation() -> None:
    unit = tsc.CompilationUnit(
        "def f(x: Tensor, y: Tensor):\n    return torch.poisson_nll_loss(x, y, True, False, 1., 1)\n"
    )
    with pytest.raises(ScriptError, match="The size of tensor a"):
        unit.f(tsc.tensor([1.0, 2.0]), tsc.tensor([1.0, 2.0, 3.0]))


def test_python_callers_see_it_too() -> None:
    with pytest.raises(ScriptError, match="The size of tensor a"):
        tsc.kl_div(tsc.tensor([1.0, 2.0]), tsc.tensor([1.0, 2.0, 3.0]))
    with pytest.raises(ScriptError, match="not implemented"):
        tsc.tensor([1j]).hypot(tsc.tensor([1j]))
