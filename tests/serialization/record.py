"""Writes the archives of the folder ``archives`` anew, and what PyTorch says that is in them.

.venv-oracle/bin/python -m tests.serialization.record
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.saved_values import read_saved_values

from .samples import ARCHIVES

ANSWERS = ARCHIVES / "answers.json"


def answer(path: Path) -> Any:
    """The values that PyTorch has after loading an archive."""
    from . import pytorch_archives

    if path.name in pytorch_archives.READ_AS_MODULES:
        value, record = torch.jit.load(path), ArchiveReader(path).pickle("data.pkl")
    else:
        value, record = torch.load(path, weights_only=False), read_saved_values(path).value
    return pytorch_archives.described_by_pytorch(value, record)


def _with_short_filename(*arguments: Any) -> Any:
    """A source text without the folder that it lies in on this machine."""
    lines, first_line, filename = _source_lines(*arguments)
    return lines, first_line, Path(filename or "unknown.py").name


_source_lines = torch._sources.get_source_lines_and_file


def main() -> None:
    torch._sources.get_source_lines_and_file = _with_short_filename
    torch.manual_seed(0)
    from . import pytorch_archives, pytorch_objects  # make modules and compile a class

    ARCHIVES.mkdir(exist_ok=True)
    for name, save in {**pytorch_archives.ARCHIVES, **pytorch_objects.OBJECTS}.items():
        save(ARCHIVES / name)
    compared = {*pytorch_archives.READ_AS_MODULES, *pytorch_archives.READ_AS_VALUES}
    answers = {
        name: answer(ARCHIVES / name) for name in pytorch_archives.ARCHIVES if name in compared
    }
    ANSWERS.write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
