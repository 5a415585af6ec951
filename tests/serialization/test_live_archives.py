"""Live comparison with PyTorch: its archives are read here, ours are loaded there."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import torch

from tsc.compiler.source.source import Source
from tsc.runtime.python_api.tensor_api import tensor
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.archive_writer import ArchiveContents, write_archive
from tsc.runtime.serialization.kinds import Kind, identify
from tsc.runtime.serialization.records import ContainerRecord, ObjectRecord
from tsc.runtime.serialization.source_ranges import CodeOrigin, SourceRanges
from tsc.runtime.serialization.storage_table import StorageTable
from tsc.runtime.serialization.zip_reader import ZipReader

from .samples import described_archive
from .test_archive_writer import contents_of

pytestmark = pytest.mark.oracle

MODULES = ("attributes.pt", "tensors.pt", "traced.pt", "frozen.pt", "state.pt", "mobile.ptl")


@pytest.fixture
def saved(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    from . import pytorch_archives

    path = tmp_path / request.param
    pytorch_archives.LIVE_ARCHIVES[request.param](path)
    return path


@pytest.mark.parametrize(
    "saved", ["attributes.pt", "tensors.pt", "traced.pt", "checkpoint.pth"], indirect=True
)
def test_values_are_those_that_pytorch_loads(saved: Path) -> None:
    from . import record

    assert json.loads(json.dumps(described_archive(saved)))["data"] == json.loads(
        json.dumps(record.answer(saved))
    )


@pytest.mark.parametrize("saved", MODULES[:5], indirect=True)
def test_what_is_written_again_is_loaded_by_pytorch(saved: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.pt"
    write_archive(again, contents_of(saved))
    first, second = torch.jit.load(saved), torch.jit.load(again)
    assert first.code == second.code
    assert first.code_with_constants[0] == second.code_with_constants[0]
    assert str(first.inlined_graph) == str(second.inlined_graph), "source ranges are part of it"
    theirs, ours = first.state_dict(), second.state_dict()
    assert list(theirs) == list(ours)
    assert all(torch.equal(theirs[name], ours[name]) for name in theirs)


def test_an_archive_of_our_own_code_runs_in_pytorch(tmp_path: Path) -> None:
    table = StorageTable()
    state = {
        "weight": table.record(tensor([1.0, 2.0], requires_grad=True)),
        "counts": ContainerRecord([1, 2], "List[int]"),
        "names": ContainerRecord({"a": 1.5}, "Dict[str, float]"),
        "training": True,
    }
    code = """class Scale(Module):
  __parameters__ = ["weight", ]
  __buffers__ = []
  weight : Tensor
  counts : List[int]
  names : Dict[str, float]
  training : bool
  def forward(self: __torch__.Scale,
    x: Tensor) -> Tensor:
    weight = self.weight
    names = self.names
    a = names["a"]
    counts = self.counts
    _0 = torch.mul(torch.add(x, counts[1]), weight)
    return torch.add(torch.mul(_0, a), CONSTANTS.c0)
"""
    source = Source("    return (x + 2) * w * self.names['a']\n", "scale.py", 41)
    place = code.index('names["a"]')
    ranges = SourceRanges((CodeOrigin(0, None), CodeOrigin(place, source.range(25, 40))))
    constants = StorageTable()
    constant = constants.record(tensor([10.0, 20.0]))
    path = tmp_path / "scale.pt"
    write_archive(
        path,
        ArchiveContents(
            ObjectRecord("__torch__.Scale", state, has_state=True),
            table.contents(),
            {"__torch__.py": code},
            {"__torch__.py": ranges},
            (constant,),
            constants.contents(),
            {"note.txt": "hello"},
        ),
    )
    extra = {"note.txt": ""}
    module = torch.jit.load(path, _extra_files=extra)
    assert module(torch.ones(2)).tolist() == [14.5, 29.0]
    assert extra["note.txt"] in ("hello", b"hello")
    assert module.weight.requires_grad
    assert [name for name, _ in module.named_parameters()] == ["weight"]
    assert "scale.py:41:" in str(module.graph)
    assert identify(path).kind is Kind.TORCHSCRIPT


def test_archives_are_read_from_and_written_to_open_files() -> None:
    from . import pytorch_archives

    file = io.BytesIO()
    torch.jit.save(torch.jit.script(pytorch_archives.Small()), file)
    file.seek(0)
    again = io.BytesIO()
    archive = ArchiveReader(file)
    count = sum(name.startswith("data/") for name in archive.names())
    write_archive(
        again,
        ArchiveContents(
            archive.pickle("data.pkl"),
            [archive.storage(str(number)) for number in range(count)],
            archive.code_files(),
            constants=archive.pickle("constants.pkl"),
        ),
    )
    again.seek(0)
    assert torch.jit.load(again)(torch.ones(1, 2)).shape == (1, 2)


def test_programs_of_torch_export_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "program.pt2"
    program = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
    torch.export.save(program, path)
    assert identify(path).kind is Kind.EXPORTED_PROGRAM


@pytest.mark.parametrize("compute", [True, False])
def test_checksums_that_pytorch_did_not_compute_are_not_compared(
    compute: bool, tmp_path: Path
) -> None:
    path = tmp_path / "values.pt"
    torch.serialization.set_crc32_options(compute)
    try:
        torch.save({"a": torch.ones(3)}, path)
    finally:
        torch.serialization.set_crc32_options(True)
    reader = ZipReader(path)
    for name in reader:
        reader.verify(name)
    assert len(described_archive(path)["data"]["dict"]) == 1
