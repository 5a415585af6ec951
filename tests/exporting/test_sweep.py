"""The archives of the archive tests, exported method by method: PyTorch loads them, and gives what torch.jit gives."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("torch")

from tests.exporting.sweep import EQUAL, outcomes  # noqa: E402
from tests.oracle.archives.table import SAMPLES, Sample  # noqa: E402

REFUSED = {
    "detector": "data decides what is put into a list",
    "class_attributes": "an attribute that is a number changes",
    "speech_detector": "an attribute that is a number changes",
    "policy": "an attribute that is a number changes",
    "several_methods": "an attribute that is a number changes",
    "attributes": "a list that belongs to the module changes",
    "enums": "a text is returned",
    "constants": "a text is returned",
    "texts": "a text is returned",
    "forks": "a function runs as a task of its own",
    "translator": "a search that data ends makes tensors of its numbers",
    "speech_recognizer": "texts are made of what data tells",
    "anchors": "as many rows as data says are put into a list",
    "beam_search": "lists of numbers that data tells",
}
"""Samples of which a method is refused, and why."""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_archives_run_in_pytorch(sample: Sample) -> None:
    found = {name: pt2 for name, pt2 in outcomes(sample) if pt2 != "raises in PyTorch"}
    others = {name: each for name, each in found.items() if each != EQUAL}
    if sample.name not in REFUSED:
        assert not others
    assert all(each.startswith("ExportError: ") for each in others.values())
    assert bool(others) == (sample.name in REFUSED)
