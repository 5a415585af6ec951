"""``gaussian_nll_loss``, which PyTorch no longer compiles: its eager answers."""

from __future__ import annotations

import numpy as np
import pytest

import tsc

UNIT = tsc.CompilationUnit(
    """
import torch
import torch.nn.functional as F

def x():
    return torch.sin(torch.arange(6.0)).view(2, 3)

def loss(var: Tensor, full: bool, reduction: str):
    return F.gaussian_nll_loss(x(), torch.cos(torch.arange(6.0)).view(2, 3), var, full, reduction=reduction)

def loss_of_number(var: float):
    return F.gaussian_nll_loss(x(), torch.cos(torch.arange(6.0)).view(2, 3), var)
"""
)


@pytest.mark.parametrize(
    ("var", "full", "reduction", "expected"),
    [
        ([0.5, 0.5], False, "mean", 0.6004),
        ([[0.5] * 3] * 2, True, "sum", 9.1158),
        ([[0.25], [0.25]], False, "none", [[1.3069, -0.5117, 2.8205], [1.8657, -0.6719, 2.3949]]),
        ([[0.0] * 3] * 2, False, "mean", 473458.375),
    ],
)
def test_values(var: list[float], full: bool, reduction: str, expected: float) -> None:
    values = UNIT.loss(tsc.tensor(var), full, reduction).numpy()
    np.testing.assert_allclose(values, expected, rtol=1e-3)


def test_one_number_for_all() -> None:
    assert UNIT.loss_of_number(0.5).item() == pytest.approx(0.6004, rel=1e-3)


@pytest.mark.parametrize("var", [[1.0] * 3, [[-1.0] * 3] * 2, [[1.0]]])
def test_wrong_variances_are_refused(var: list[float]) -> None:
    with pytest.raises(tsc.ScriptError) as raised:
        UNIT.loss(tsc.tensor(var), False, "mean")
    assert raised.value.kind == "ValueError"
