"""`tsc.load_tensors`: what `torch.save` wrote, as Python's containers with tensors."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path

import pytest

import tsc

ARCHIVES = Path(__file__).parent / "archives"


def zip_of(pickled: bytes, storage: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("m/data.pkl", pickled)
        archive.writestr("m/version", b"3")
        archive.writestr("m/data/0", storage)
    return file.getvalue()


@pytest.mark.parametrize("name", ["checkpoint.pth", "legacy.pth"])
def test_a_checkpoint_comes_with_its_tensors_and_values(name: str) -> None:
    saved = tsc.load_tensors(ARCHIVES / name)
    assert list(saved["model"])[:2] == ["0.weight", "0.bias"]
    assert saved["model"]["0.weight"].shape == (2, 2)
    assert saved["model"]["1.num_batches_tracked"].dtype == tsc.int64
    assert saved["epoch"] == 3
    assert saved["views"][0].shape == (6,)


def test_views_of_one_storage_stay_views_and_the_file_stays_as_it_is() -> None:
    content = (ARCHIVES / "checkpoint.pth").read_bytes()
    views = tsc.load_tensors(ARCHIVES / "checkpoint.pth")["views"]
    views[0].fill_(7.0)
    assert views[1].tolist() == [7.0, 7.0]
    assert (ARCHIVES / "checkpoint.pth").read_bytes() == content


def test_files_and_bytes_are_taken_too() -> None:
    content = (ARCHIVES / "checkpoint.pth").read_bytes()
    for source in (content, io.BytesIO(content)):
        assert tsc.load_tensors(source)["epoch"] == 3


def test_values_that_are_shared_are_made_once() -> None:
    value: list[object] = [1]
    for _ in range(60):
        value = [value, value]
    found = tsc.load_tensors(zip_of(pickle.dumps(value, 2)))
    depth = 0
    while found != [1]:
        assert found[0] is found[1]
        found, depth = found[0], depth + 1
    assert depth == 60


def test_deep_values_are_read() -> None:
    found = tsc.load_tensors(zip_of(b"\x80\x02" + b"]" * 900 + b"a" * 899 + b"."))
    depth = 1
    while found:
        (found,) = found
        depth += 1
    assert depth == 900


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("attributes.pt", "this is no file of torch.save, but a TorchScript archive"),
        ("answers.json", "this is no file of torch.save, but a text"),
    ],
)
def test_other_files_are_refused_with_what_they_are(name: str, words: str) -> None:
    with pytest.raises(tsc.ArchiveError) as raised:
        tsc.load_tensors(ARCHIVES / name)
    assert words in raised.value.message
    assert raised.value.hint


def test_objects_of_torchscript_are_no_tensors() -> None:
    content = zip_of(b"\x80\x02c__torch__.m\nNet\n)\x81}b.")
    with pytest.raises(tsc.ArchiveError, match="something else than tensors: object"):
        tsc.load_tensors(content)
