"""Loops, numbers and branches that data decides, in ONNX Runtime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tsc
from tests.exporting.looping_programs import ARGUMENTS, PROGRAMS

onnxruntime = pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_programs(name: str, tmp_path: Path) -> None:
    f = tsc.CompilationUnit(PROGRAMS[name]).f
    model = tmp_path / "model.onnx"
    tsc.export_onnx(tsc.export(f, (tsc.tensor(ARGUMENTS[0]),)), str(model))
    session = onnxruntime.InferenceSession(str(model))
    (given,) = session.get_inputs()
    for each in ARGUMENTS:
        found = session.run(None, {given.name: np.array(each, np.float32)})
        result = f(tsc.tensor(each))
        expected = result if isinstance(result, tuple) else (result,)
        for ours, theirs in zip(expected, found, strict=True):
            array = ours.numpy() if isinstance(ours, tsc.Tensor) else ours
            assert np.allclose(array, theirs, rtol=1e-5)
