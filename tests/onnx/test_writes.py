"""Writes to tensors that nobody else sees, in models of ONNX."""

from __future__ import annotations

import io

import numpy as np
import pytest

import tsc

onnxruntime = pytest.importorskip("onnxruntime")


def test_writes_that_nobody_else_sees_are_computed() -> None:
    text = "def f(x):\n    y = torch.sin(x)\n    y.mul_(2).relu_()\n    y += 1\n    return y\n"
    x = np.linspace(-2, 2, 5, dtype=np.float32)
    f = tsc.CompilationUnit(text).f
    model = io.BytesIO()
    tsc.export_onnx(tsc.export(f, (tsc.from_numpy(x),)), model)
    session = onnxruntime.InferenceSession(model.getvalue(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"x": x})
    np.testing.assert_allclose(result, f(tsc.from_numpy(x)).numpy(), rtol=1e-6)


def test_writes_that_others_see_are_refused() -> None:
    text = "def f(x):\n    y = torch.sin(x)\n    z = y[1:]\n    y.mul_(2)\n    return z\n"
    program = tsc.export(tsc.CompilationUnit(text).f, (tsc.ones(3),))
    with pytest.raises(tsc.Error, match="mul_"):
        tsc.export_onnx(program, io.BytesIO())
