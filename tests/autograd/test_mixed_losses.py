"""Losses of tensors of two dtypes are of the same dtype with gradients as without, as in PyTorch."""

from __future__ import annotations

import pytest

import tsc

LOSSES = ("huber_loss", "soft_margin_loss", "binary_cross_entropy_with_logits", "mse_loss")


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_gradients_do_not_change_the_dtype(loss: str, reduction: str) -> None:
    text = f"def f(x, y):\n    return F.{loss}(x, y, reduction={reduction!r})\n"
    unit = tsc.CompilationUnit("import torch.nn.functional as F\n" + text)
    for first, second in ((tsc.float32, tsc.float64), (tsc.float64, tsc.float32)):
        x, y = tsc.rand(3, dtype=first), tsc.rand(3, dtype=second)
        try:
            wanted = unit.f(x, y)
        except tsc.ScriptError:
            continue  # float64 has no place in results of float32
        x.requires_grad = True
        found = unit.f(x, y)
        assert found.dtype == wanted.dtype
        assert tsc.allclose(found.detach(), wanted)
        found.sum().backward()
        assert x.grad.dtype == first
