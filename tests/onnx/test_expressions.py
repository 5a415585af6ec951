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
from tsc.compiler.outer_net import foreseen
from tsc.compiler.source import UsageError
from tsc.runtime.onnx import lowering
from tsc.runtime.onnx.refusals import OnnxExportError

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


def test_last_windows_follow_sizes_that_change() -> None:
    """Of `ceil_mode`: a last window has more elements at some sizes, and is left out at others."""
    unit = tsc.CompilationUnit(
        "import torch.nn.functional as F\n\ndef f(x):\n"
        "    return F.max_pool2d_with_indices(x, [3, 3], [2, 2], [1, 1], ceil_mode=True)\n"
    )
    sizes = {"x": {2: tsc.Dim("height"), 3: tsc.Dim("width")}}
    program = tsc.export(unit.f, (tsc.rand(2, 3, 8, 9),), dynamic_shapes=sizes)
    for height, width in ((8, 9), (7, 7), (10, 5), (6, 8), (5, 12)):
        image = tsc.rand(2, 3, height, width)
        for ours, theirs in zip(run(program, (image,)), unit.f(image), strict=True):
            np.testing.assert_array_equal(ours, theirs.numpy())


def test_a_fault_of_a_decomposition_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    @foreseen()
    def fails(*_: Any) -> Any:
        raise ValueError("a rule is wrong")

    monkeypatch.setattr(lowering, "run_decompositions", fails)
    program, _ = captured("torch.heaviside(x, y)")
    with pytest.raises(tsc.Error, match=r"a bug of tsc.*a rule is wrong") as raised:
        tsc.export_onnx(program, io.BytesIO())
    assert not isinstance(raised.value, OnnxExportError)


def test_what_a_decomposition_refuses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: Any) -> Any:
        raise UsageError("the example arguments do not fit")

    monkeypatch.setattr(lowering, "run_decompositions", refuses)
    program, _ = captured("torch.heaviside(x, y)")
    with pytest.raises(OnnxExportError, match="TX501"):
        tsc.export_onnx(program, io.BytesIO())
