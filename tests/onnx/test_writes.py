"""Writes to tensors that nobody else sees, in models of ONNX."""

from __future__ import annotations

import io

import numpy as np
import pytest

import tsc

onnxruntime = pytest.importorskip("onnxruntime")


def results(text: str, *args: np.ndarray) -> tuple[list[np.ndarray], object]:
    f = tsc.CompilationUnit(text).f
    model = io.BytesIO()
    tsc.export_onnx(tsc.export(f, tuple(tsc.from_numpy(each.copy()) for each in args)), model)
    session = onnxruntime.InferenceSession(model.getvalue(), providers=["CPUExecutionProvider"])
    named = dict(zip([each.name for each in session.get_inputs()], args))
    return session.run(None, named), f(*(tsc.from_numpy(each.copy()) for each in args))


X = np.linspace(-2, 2, 5, dtype=np.float32)


def test_writes_that_nobody_else_sees_are_computed() -> None:
    text = "def f(x):\n    y = torch.sin(x)\n    y.mul_(2).relu_()\n    y += 1\n    return y\n"
    (found,), expected = results(text, X)
    np.testing.assert_allclose(found, expected.numpy(), rtol=1e-6)


def test_writes_that_others_see_show_in_them() -> None:
    text = "def f(x):\n    y = torch.sin(x)\n    z = y[1:]\n    y.mul_(2)\n    return z\n"
    (found,), expected = results(text, X)
    np.testing.assert_allclose(found, expected.numpy(), rtol=1e-6)


def test_written_arguments_follow_the_results() -> None:
    text = "def f(x):\n    x.mul_(2)\n    return x.sum()\n"
    (total, written), _ = results(text, X)
    np.testing.assert_allclose(written, X * 2)
    np.testing.assert_allclose(total, 0, atol=1e-6)


SHARED = """
class Shared(torch.nn.Module):
    def __init__(self):
        super().__init__()
        base = torch.ones(4)
        self.register_buffer("whole", base)
        self.register_buffer("part", base[1:])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.whole.add_(1)
        return self.part + x
"""


def test_buffers_of_one_memory_are_refused() -> None:
    module = tsc.CompilationUnit("import torch\n" + SHARED).Shared()
    program = tsc.export(module, (tsc.ones(3),))
    with pytest.raises(tsc.Error, match="whole and part share memory"):
        tsc.export_onnx(program, io.BytesIO())
