"""All that is exported goes to ONNX with equal results, but for what is told here."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

from .corpus import archives, changing_sizes, recorded, texts  # noqa: E402
from .coverage import Verdict, outcome  # noqa: E402

OTHERS = {
    "speech_front": "ONNX has no complex numbers",
    "rotary": "ONNX has no complex numbers",
    "shared_tensors": "a buffer is written, and others share its memory",
    "Constants": "a text is returned",
    "dtypes": "ONNX has no complex numbers",
    "halves": "NumPy's arrays have not the dtype",
    "complexes": "ONNX has no complex numbers",
    "linear_algebra": "linalg_inv",
    "fourier": "ONNX has no complex numbers",
    "no_results": "nothing is returned",
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
