"""The archives of the archive tests, exported method by method: PyTorch loads them, and gives what torch.jit gives."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("torch")

from tests.exporting.sweep import EQUAL, REFUSED, outcomes  # noqa: E402
from tests.oracle.archives.table import SAMPLES, Sample  # noqa: E402

BEYOND_FORM = {
    "class_attributes": "a list of the module gets longer with each call",
    "speech_detector": "tensors of the module change their sizes",
    "attributes": "a text is returned",
    "enums": "a text is returned",
    "constants": "a text is returned",
    "texts": "a text is returned",
    "translator": "data decides how many paths are in a list",
    "speech_recognizer": "texts are made of what data tells",
}
"""Samples of which a method is refused, and why."""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_archives_run_in_pytorch(sample: Sample) -> None:
    found = {name: pt2 for name, pt2 in outcomes(sample) if pt2 != "raises in PyTorch"}
    others = {name: each for name, each in found.items() if each != EQUAL}
    if sample.name not in BEYOND_FORM:
        assert not others
    assert all(each.startswith(REFUSED) for each in others.values())
    assert bool(others) == (sample.name in BEYOND_FORM)
