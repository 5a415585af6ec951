"""The index of operators: kept for each place of installation, trusted as long as it fits the files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
LOADING = """
import sys
from tsc.runtime.operators import load
table = load()
print(len(table.names()), "numpy" in sys.modules, table.find("aten::relu").kernel.__name__)
"""


def loaded(cache: Path, program: str = LOADING) -> list[str]:
    """How many names a new process has, whether it imported the kernels for them, and one of these."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment
    ).stdout.split()


def test_kernels_are_imported_when_no_index_fits(tmp_path: Path) -> None:
    names, is_imported, kernel = loaded(tmp_path)
    assert (int(names) > 1000, is_imported, kernel) == (True, "True", "relu")
    (index,) = (tmp_path / "tsc").iterdir()
    assert index.name.startswith("operators-")
    assert loaded(tmp_path) == [names, "False", "relu"]
    index.write_text(index.read_text(encoding="utf-8")[:1000], encoding="utf-8")
    assert loaded(tmp_path) == [names, "True", "relu"]
    assert loaded(tmp_path) == [names, "False", "relu"]


def test_an_index_is_kept_also_if_kernels_were_imported_before(tmp_path: Path) -> None:
    first = "import tsc; tsc.tensor([1.0]);" + LOADING
    names, is_imported, _ = loaded(tmp_path, first)
    assert is_imported == "True"
    assert loaded(tmp_path) == [names, "False", "relu"]
    assert loaded(tmp_path, first) == [names, "True", "relu"]


def test_no_place_for_an_index_is_needed(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    assert loaded(nowhere)[1:] == ["True", "relu"]
