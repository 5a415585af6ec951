"""Writes the files of the folder ``programs_of_pytorch`` anew, and what PyTorch computes of them.

.venv-oracle/bin/python -m tests.exir.record
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import re
import warnings
import zipfile
from pathlib import Path
from typing import Any

import torch

from tests.oracle.answers import plain
from tests.oracle.pytorch import tensor
from tsc.runtime.serialization.zip_writer import ZipWriter

from .exported_modules import CASES, exported
from .recorded import ANSWERS, FOLDER, recorded_path

_LARGEST = 12_000  # bytes of a file
_WITHOUT_EXAMPLES = ("Nested", "Containers")
"""Whose arguments are objects of classes of their own."""
_PLACES = re.compile(rf"[^\" ]*/site-packages/|{re.escape(str(Path.cwd()))}/")


def main() -> None:
    warnings.simplefilter("ignore")
    FOLDER.mkdir(exist_ok=True)
    answers: dict[str, Any] = {}
    for name, case in CASES.items():
        program = exported(name)
        content = io.BytesIO()
        torch.export.save(program, content)
        small = _without_places(content)
        if len(small) > _LARGEST or name in _WITHOUT_EXAMPLES:
            continue
        recorded_path(name).write_bytes(small)
        text = _text(content)
        with torch.no_grad():
            result = program.module()(*copy.deepcopy(case.args), **copy.deepcopy(case.kwargs))
        answers[name] = {"text": text, "result": plain(result, tensor)}
    ANSWERS.write_bytes(gzip.compress(json.dumps(answers).encode(), mtime=0))


def _text(content: io.BytesIO) -> str | None:
    """The program that PyTorch reads again, as text; None for what it writes and does not read."""
    try:
        return _PLACES.sub("", str(torch.export.load(content)))
    except RuntimeError:
        return None


def _without_places(content: io.BytesIO) -> bytes:
    """The same archive, its program compressed, without the folders of this machine."""
    written = bytearray()
    archive = ZipWriter(written.extend)
    with zipfile.ZipFile(content) as saved:
        for entry in saved.namelist():
            record = saved.read(entry)
            is_program = entry.endswith("models/model.json")
            if is_program:
                record = _PLACES.sub("", record.decode()).encode()
            archive.add(entry, record, compress=is_program)
    archive.close()
    return bytes(written)


if __name__ == "__main__":
    main()
