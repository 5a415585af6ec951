"""A file is one concept: none has more than 400 lines, but for texts and for the source of PyTorch's layers."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 400
NOT_COUNTED = (ROOT / "compiler" / "explanations", ROOT / "runtime" / "library" / "torch")


def test_no_file_has_outgrown_its_concept() -> None:
    files = [
        *ROOT.glob("*.py"),
        *(ROOT / "compiler").rglob("*.py"),
        *(ROOT / "runtime").rglob("*.py"),
    ]
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert len(lengths) > 500
    too_long = [file for file, length in lengths.items() if length > LONGEST]
    assert [file for file in too_long if not set(file.parents) & set(NOT_COUNTED)] == []
