"""Files that tsc writes: record by record those of PyTorch, and the same program when they are read again."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.ours import tensor

from .recorded import recorded_answers, recorded_path

ANSWERS = recorded_answers()
each_program = pytest.mark.parametrize("name", ANSWERS)
_OWN = (".data/serialization_id", "data/sample_inputs/model.pt")
"""What is not the same byte for byte: a number made of all others, and a pickle."""


def saved(program: Any) -> bytes:
    content = io.BytesIO()
    tsc.save_exported(program, content)
    return content.getvalue()


def records(content: bytes) -> dict[str, Any]:
    """What is in a file, in its order; JSON is read."""
    found: dict[str, Any] = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.namelist():
            name, record = entry.partition("/")[2], archive.read(entry)
            found[name] = json.loads(record) if name.endswith(".json") else record
    found["models/model.json"].pop("torch_version")
    return found


@each_program
def test_records_are_those_of_pytorch(name: str) -> None:
    expected = records(recorded_path(name).read_bytes())
    found = records(saved(tsc.load_exported(recorded_path(name))))
    assert list(found) == list(expected)
    for record in set(expected).difference(_OWN):
        assert found[record] == expected[record], record


@each_program
def test_what_is_written_is_read_again(name: str) -> None:
    program = tsc.load_exported(recorded_path(name))
    content = saved(program)
    again = tsc.load_exported(content)
    assert str(again) == str(program)
    assert again.call_spec == program.call_spec
    assert saved(again) == content
    args, kwargs = again.example_inputs
    result = plain(again.module()(*args, **kwargs), tensor)
    assert same_value(result, ANSWERS[name]["result"])


def test_storages_stay_shared() -> None:
    program = tsc.load_exported(saved(tsc.load_exported(recorded_path("ViewsAsBuffers"))))
    program.state_dict["whole"].numpy()[3:] = 7.0
    assert program.state_dict["part"].tolist() == [[1.0, 7.0], [2.0, 7.0]]


def test_what_a_program_wrote_is_saved() -> None:
    program = tsc.load_exported(recorded_path("CounterDecomposed"))
    program.module()(tsc.tensor([[1.0, 2.0]] * 3))
    assert tsc.load_exported(saved(program)).state_dict["count"].tolist() == [3.0]


def test_a_path_is_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "model.pt2"
    program = tsc.load_exported(recorded_path("Add"))
    tsc.save_exported(program, path)
    before = path.read_bytes()
    assert before == saved(program)
    program.constants = {"c": 3}
    with pytest.raises(tsc.ArchiveError, match="c is a int, and no tensor"):
        tsc.save_exported(program, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_modules_are_not_saved_as_programs() -> None:
    module = tsc.load_exported(recorded_path("Add")).module()
    with pytest.raises(tsc.ArchiveError, match="no exported program"):
        tsc.save_exported(module, io.BytesIO())  # type: ignore[arg-type]
