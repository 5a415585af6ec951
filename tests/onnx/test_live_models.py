"""Programs that PyTorch exports become models whose results in ONNX Runtime are PyTorch's."""

from __future__ import annotations

import copy
import io
from typing import Any

import numpy as np
import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")
onnxruntime = pytest.importorskip("onnxruntime")

from .cases import CASES, MODULES, Case  # noqa: E402


def exported(case: Case) -> Any:
    given = case.dynamic_shapes
    program = torch.export.export(case.module.eval(), case.args, dynamic_shapes=given)
    return program.run_decompositions({}) if case.decomposed else program


def loaded(program: Any) -> Any:
    content = io.BytesIO()
    torch.export.save(program, content)
    return tsc.load_exported(content.getvalue())


def session_of(program: Any, opset: int) -> Any:
    content = io.BytesIO()
    tsc.export_onnx(loaded(program), content, opset=opset)
    return onnxruntime.InferenceSession(content.getvalue(), providers=["CPUExecutionProvider"])


def results(session: Any, args: Any) -> list[np.ndarray]:
    names = [each.name for each in session.get_inputs()]
    return session.run(None, dict(zip(names, [each.numpy() for each in args], strict=True)))


def compare(case: Case, opset: int) -> None:
    program = exported(case)
    session = session_of(program, opset)
    for args in (case.args, *case.others):
        with torch.no_grad():
            result = copy.deepcopy(program).module()(*copy.deepcopy(args))
        expected = [each.numpy() for each in torch.utils._pytree.tree_leaves(result)]
        for found, wanted in zip(results(session, args), expected):
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
            assert np.allclose(found, wanted, rtol=1e-4, atol=1e-5, equal_nan=True)


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_pytorch(name: str) -> None:
    compare(CASES[name], 20)


@pytest.mark.parametrize("opset", [18, 19, 21, 22, 23])
@pytest.mark.parametrize("name", MODULES)
def test_results_are_equal_in_every_opset(name: str, opset: int) -> None:
    compare(MODULES[name], opset)


def test_buffers_that_are_written_follow_the_results() -> None:
    case = CASES["Counter"]
    session = session_of(exported(case), 20)
    assert [each.name for each in session.get_outputs()][1:] == ["count.new"]
    assert np.array_equal(results(session, case.args)[1], case.args[0].numpy())
