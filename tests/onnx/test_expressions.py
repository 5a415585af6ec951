"""Expressions that are captured here become models whose results in ONNX Runtime are our own run's."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest

import tsc
from tests.onnx.expressions import CASES, TENSORS
from tsc.compiler.exir.pytrees import tree_flatten

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def captured(expression: str) -> tuple[Any, tuple[Any, ...]]:
    """The expression as a program, and the tensors that it names."""
    names = [each for each in TENSORS if re.search(rf"\b{each}\b", expression)]
    parameters = ", ".join(f"{each}: torch.Tensor" for each in names) or "unused: torch.Tensor"
    head = "import torch\nimport torch.nn.functional as F\n\n"
    unit = tsc.CompilationUnit(f"{head}def f({parameters}):\n    return {expression}\n")
    args = tuple(TENSORS[each] for each in names) or (TENSORS["x"],)
    return tsc.export(unit.f, args), args


def run(program: Any, args: tuple[Any, ...], **options: Any) -> list[np.ndarray]:
    content = io.BytesIO()
    tsc.export_onnx(program, content, **options)
    providers = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(content.getvalue(), providers=providers)
    names = [each.name for each in session.get_inputs()]
    return session.run(None, dict(zip(names, [each.numpy() for each in args], strict=True)))


@pytest.mark.parametrize("expression", CASES)
def test_results_are_those_of_our_own_run(expression: str) -> None:
    program, args = captured(expression)
    expected = [each.numpy() for each in tree_flatten(program.module()(*args))[0]]
    found = run(program, args)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        assert np.allclose(ours, theirs, rtol=1e-4, atol=1e-5, equal_nan=True)
