"""All that is exported goes to ONNX with equal results, but for what is told here."""

from __future__ import annotations

import io

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import tsc  # noqa: E402
from tests.oracle.archives.answers import argument, described  # noqa: E402
from tests.oracle.archives.table import SAMPLES  # noqa: E402
from tsc.compiler.exir.refusals import ONNX_OPERATOR  # noqa: E402
from tsc.runtime.onnx.refusals import OnnxExportError  # noqa: E402

from .corpus import archives, changing_sizes, recorded, texts  # noqa: E402
from .coverage import Verdict, outcome  # noqa: E402

OTHERS = {
    "shared_tensors": "a buffer is written, and others share its memory",
    "Constants": "a text is returned",
    "dtypes": "complex tensors are returned",
    "fourier": "complex tensors are returned",
    "halves": "NumPy's arrays have not the dtype",
    "complexes": "complex tensors are given",
    "linear_algebra": "linalg_inv",
    "no_results": "nothing is returned",
    "Autocast": "ONNX Runtime has no kernels of bfloat16",
    "Printing": "_print",
}
"""Modules of which a program is refused, or cannot be run from here, and why."""


@pytest.mark.parametrize("corpus", [archives, recorded, texts, changing_sizes])
def test_results_in_onnx_runtime_are_equal(corpus: object) -> None:
    found = [outcome(each) for each in corpus()]  # type: ignore[operator]
    exportable = [each for each in found if each.verdict is not Verdict.NOT_CAPTURED]
    others = [each for each in exportable if each.verdict is not Verdict.EQUAL]
    assert exportable
    assert not [str(each) for each in others if each.exported.module not in OTHERS]
    assert {each.verdict for each in others} <= {Verdict.NOT_CONVERTED, Verdict.NOT_RUN}


def test_explanations_agree_with_conversion() -> None:
    """No operator is told of that has a form, and each that has none is."""
    for sample in SAMPLES:
        content = io.BytesIO()
        torch.jit.save(sample.make(), content)
        module = tsc.load(io.BytesIO(content.getvalue()))
        told = {each.name: each for each in tsc.explain_export(module, to="onnx")}
        for call in sample.calls:
            given = tuple(argument(described(each)) for each in call.arguments)
            findings = [e for e in told[call.method].findings if e.refusal is ONNX_OPERATOR]
            try:
                tsc.export_onnx(tsc.export(module, given, method=call.method), io.BytesIO())
            except OnnxExportError as error:
                codes = {each.code for each in error.refusals}
                assert ONNX_OPERATOR.code not in codes or findings, sample.name
            except tsc.Error:
                continue
            else:
                assert not [each for each in findings if each.severity == "error"], sample.name
