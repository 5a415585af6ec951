"""The generated pages are those that the code makes now; ``make docs`` writes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_the_page_of_operators_lists_what_is_declared() -> None:
    command = [sys.executable, "-m", "tsc.runtime.operators.reference"]
    made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert made.stdout == (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")


def test_the_page_of_diagnostics_explains_every_code() -> None:
    command = [sys.executable, "-m", "tsc.compiler.explanations"]
    made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert made.stdout == (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")


def test_the_page_of_passes_tells_all_of_them() -> None:
    command = [sys.executable, "-m", "tsc.runtime.execution.pass_reference"]
    made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert made.stdout == (ROOT / "docs" / "passes.md").read_text(encoding="utf-8")


def test_the_page_of_export_refusals_explains_every_code() -> None:
    command = [sys.executable, "-m", "tsc.compiler.exir.refusal_reference"]
    made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert made.stdout == (ROOT / "docs" / "export-refusals.md").read_text(encoding="utf-8")
