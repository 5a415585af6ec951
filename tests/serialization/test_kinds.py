"""What a file is, told by its content."""

from __future__ import annotations

import pickle
import re
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from tsc.runtime.archives.loading import open_archive
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.kinds import Kind, identify
from tsc.runtime.serialization.legacy_files import LEGACY_MAGIC

from .hostile_zips import zip_of
from .samples import archive_path

RECORDED = {
    "attributes.pt": Kind.TORCHSCRIPT,
    "frozen.pt": Kind.TORCHSCRIPT,
    "mobile.ptl": Kind.MOBILE,
    "checkpoint.pth": Kind.STATE_DICT,
    "legacy.pth": Kind.LEGACY_PICKLE,
    "whole.pth": Kind.PICKLED_OBJECTS,
}


@pytest.mark.parametrize(("name", "kind"), RECORDED.items())
def test_files_of_pytorch(name: str, kind: Kind) -> None:
    found = identify(archive_path(name))
    assert found.kind is kind
    assert found.advice


def test_names_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(archive_path("state.pt").read_bytes())
    assert identify(path).kind is Kind.TORCHSCRIPT


def test_what_is_in_a_checkpoint_is_counted() -> None:
    assert identify(archive_path("checkpoint.pth")).description.endswith(": a dict with 8 keys")
    only = pickle.dumps({"epoch": 3}, 2)
    found = identify(zip_of({"m/data.pkl": only, "m/version": b"3"}))
    assert found.description.endswith(": a dict with 1 key")


def test_the_class_that_a_pickle_needs_is_named() -> None:
    found = identify(archive_path("whole.pth"))
    assert found.description.endswith("they need torch.nn.modules.linear.Linear")
    assert "torch.jit.script" in found.advice


def tar_of(*names: str) -> bytes:
    out = BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    return out.getvalue()


SAFETENSORS = (20).to_bytes(8, "little") + b'{"a":{"dtype":"F32"}' + bytes(8)
ONNX = b"\x08\x08\x12\x07pytorch\x1a\x052.1.0:\x03\x0a\x01x"
FOREIGN = [
    (b"", Kind.NO_MODEL, "an empty file"),
    (b"\0\1\2\3\xff", Kind.NO_MODEL, "unknown format"),
    (zip_of({"m/model.json": b"{}"}), Kind.OLD_TORCHSCRIPT, "model.json"),
    (zip_of({"m/bytecode.pkl": b""}), Kind.MOBILE_BYTECODE, "without TorchScript code"),
    (zip_of({"m/archive_format": b"pt2"}), Kind.EXPORTED_PROGRAM, "torch.export"),
    (zip_of({"serialized_exported_program.json": b"{}"}), Kind.EXPORTED_PROGRAM, "torch.export"),
    (zip_of({"m/.data/extern_modules": b""}), Kind.PACKAGE, "torch.package"),
    (zip_of({"m/data.pkl": b"garbage"}), Kind.DAMAGED, "not read: data.pkl: byte"),
    (zip_of({"a.npy": b"", "b.npy": b""}), Kind.NO_MODEL, ".npz"),
    (zip_of({"config.json": b"", "model.weights.h5": b""}), Kind.OTHER_MODEL, "Keras"),
    (zip_of({"weights/model.pt": b""}), Kind.NO_MODEL, "weights/model.pt in it"),
    (zip_of({"readme": b""}), Kind.NO_MODEL, "without a model"),
    (zip_of({"a/x": b"1"})[:-5], Kind.DAMAGED, "end of the zip archive is missing"),
    (tar_of("sys_info", "pickle", "tensors", "storages"), Kind.LEGACY_TAR, "2016"),
    (tar_of("readme"), Kind.NO_MODEL, "a tar archive"),
    (LEGACY_MAGIC, Kind.DAMAGED, "cut off"),
    (SAFETENSORS, Kind.SAFETENSORS, "safetensors"),
    (ONNX, Kind.ONNX, "ONNX"),
    (b"\x1c\0\0\0TFL3" + bytes(9), Kind.OTHER_MODEL, "TensorFlow Lite"),
    (b"\x89HDF\r\n\x1a\n", Kind.OTHER_MODEL, "HDF5"),
    (b"GGUF\3\0\0\0", Kind.OTHER_MODEL, "GGUF"),
    (b"\x93NUMPY\1\0", Kind.NO_MODEL, ".npy"),
    (b"\x1f\x8b\x08\0", Kind.NO_MODEL, "gzip"),
    (b"version https://git-lfs.github.com/spec/v1\n", Kind.NO_MODEL, "Git LFS pointer"),
    (b"<!DOCTYPE html><html>", Kind.NO_MODEL, "a web page"),
    (pickle.dumps([1], 4), Kind.NO_MODEL, "a pickle of Python"),
    (b"def f(x):\n    return x\n", Kind.TEXT, "a text"),
    (("x = 1  # " + "ü" * 4096).encode(), Kind.TEXT, "a text"),
]


@pytest.mark.parametrize(
    ("content", "kind", "words"), FOREIGN, ids=[words for _, _, words in FOREIGN]
)
def test_other_files(content: bytes, kind: Kind, words: str) -> None:
    found = identify(content)
    assert found.kind is kind
    assert words in found.description
    assert found.advice


def test_only_files_that_cannot_be_opened_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="No such file"):
        identify(tmp_path / "missing")


@pytest.mark.parametrize(
    "content",
    [ONNX, SAFETENSORS, LEGACY_MAGIC, tar_of("pickle")],
    ids=["onnx", "safetensors", "legacy", "tar"],
)
def test_every_beginning_of_a_file_is_something(content: bytes) -> None:
    for length in range(min(len(content), 700)):
        assert identify(content[:length]).description


@pytest.mark.parametrize("name", ["attributes.pt", "mobile.ptl"])
def test_archives_with_code_are_opened(name: str) -> None:
    archive = open_archive(archive_path(name))
    assert archive.name == str(archive_path(name))
    assert archive.code_files()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            archive_path("checkpoint.pth").read_bytes(),
            "this is no TorchScript archive, but tensors saved by torch.save, as a zip",
        ),
        (archive_path("legacy.pth").read_bytes(), "before PyTorch 1.6, as pickles"),
        (ONNX, "this is no TorchScript archive, but an ONNX model"),
        (archive_path("state.pt").read_bytes()[:-9], "the end of the zip archive is missing"),
        (zip_of({"m/data.pkl": b"garbage"}), "a file of torch.save that is not read"),
    ],
    ids=["checkpoint", "legacy", "onnx", "cut off", "garbage"],
)
def test_what_is_not_torchscript_is_said(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=re.escape(f"{path}: ")) as raised:
        open_archive(path)
    assert words in raised.value.message
    assert raised.value.hint
