"""``tsc export --dialect``."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main

SOURCE = """
import torch
def f(x: Tensor, w: Tensor):
    y = torch.nn.functional.linear(x, w)
    y.add_(1)
    return torch.erfinv(y)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def exported(file: Path, dialect: str) -> tuple[tsc.Error | str, Path]:
    written = file.with_suffix(".pt2")
    arguments = ["--args", "torch.ones(2, 3), torch.ones(4, 3)", "--dialect", dialect]
    found = CliRunner().invoke(main, ["export", str(file), "f", *arguments, "-o", str(written)])
    assert found.exit_code == 0, found.stderr
    return found.stderr, written


@pytest.mark.parametrize("dialect", ["aten", "core", "edge"])
def test_writes_a_program_of_the_dialect(file: Path, dialect: str) -> None:
    _, written = exported(file, dialect)
    tsc.verify_exported(tsc.load_exported(str(written)), "aten" if dialect == "core" else dialect)


def test_names_calls_that_are_kept(file: Path) -> None:
    told, _ = exported(file, "core")
    assert "erfinv: aten::erfinv is not of core ATen, and has no decomposition: it is kept" in told


def test_explains_no_dialect(file: Path) -> None:
    found = CliRunner().invoke(main, ["export", str(file), "f", "--dialect", "core", "--explain"])
    assert found.exit_code == 2
    assert "--dialect is for programs that are written" in found.stderr
