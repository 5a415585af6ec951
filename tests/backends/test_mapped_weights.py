"""Weights that ONNX Runtime reads from the archive, and those that it must not read from there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.backends.mapped_weights import MappedFolder, leave_memory

pytest.importorskip("onnxruntime")
SOURCE = """\
import torch
import torch.nn as nn
from torch import Tensor

class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "model.pt"
    tsc.CompilationUnit(SOURCE).Dense().save(str(path))
    return path


def weight_of(path: Path) -> Any:
    return tsc.load(path).linear.weight


def place(weight: Any) -> tuple[str, int] | None:
    return MappedFolder().place_of("weight", weight.array)


def test_the_place_of_a_weight_in_its_archive(archive: Path) -> None:
    weight = weight_of(archive)
    found = place(weight)
    assert found is not None
    name, offset = found
    content = (archive.parent / name).read_bytes()[offset : offset + weight.array.nbytes]
    assert content == weight.array.tobytes()


def test_a_linked_archive_is_read_where_it_is(archive: Path) -> None:
    link = archive.parent / "other" / "link.pt"
    link.parent.mkdir()
    link.symlink_to(archive)
    found = place(weight_of(link))
    assert found is not None
    assert found[0] == "model.pt"


def test_weights_that_no_file_has_are_in_memory_alone(archive: Path) -> None:
    written, replaced, moved = (weight_of(archive) for _ in range(3))
    with tsc.no_grad():
        written.add_(1)
    assert place(written) is None
    assert place(moved.clone()) is None
    assert place(moved.t()) is None
    shutil.copy(archive, archive.with_suffix(".old"))
    archive.unlink()
    archive.write_bytes(b"\0" * 100_000)
    assert place(replaced) is None


def test_a_file_that_changes_meanwhile_is_noticed(archive: Path) -> None:
    folder = MappedFolder()
    assert folder.place_of("weight", weight_of(archive).array) is not None
    assert folder.is_unchanged()
    archive.with_suffix(".new").write_bytes(archive.read_bytes())
    archive.with_suffix(".new").replace(archive)
    assert not folder.is_unchanged()


def test_pages_come_back_as_they_were_written(archive: Path) -> None:
    weight = weight_of(archive)
    with tsc.no_grad():
        weight.add_(1)
    expected = weight.array.copy()
    leave_memory([weight.array])
    assert np.array_equal(weight.array, expected)


@pytest.mark.parametrize("change", ["none", "written", "removed"])
def test_results_with_the_backend(archive: Path, change: str) -> None:
    model, x = tsc.load(archive, backend="onnxruntime"), tsc.rand(3, 64)
    plain = tsc.load(archive)
    with tsc.no_grad():
        if change == "written":
            for each in (model, plain):
                each.linear.weight.mul_(2)
        expected = plain(x)
        if change == "removed":
            archive.unlink()
        found = model(x)
    assert tsc.allclose(found, expected, atol=1e-6)
