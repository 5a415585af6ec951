"""Calls with what is no source, file or model, and files that take a part of what they are given."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import tsc
from tests.limits.hostile import command, written
from tsc.runtime.serialization.byte_places import BytePlaces

HOLDS_ITSELF = """
from torch import nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        {}

    def forward(self, x):
        return x
"""


class Short(io.RawIOBase):
    """A file that takes at most a hundred bytes at a time."""

    def __init__(self) -> None:
        self.content = b""

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        taken = bytes(content)[:100]
        self.content += taken
        return len(taken)


def function() -> Any:
    return tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x\n").f


def test_short_writes_are_gone_on_with() -> None:
    file = Short()
    tsc.save(function(), file)  # pyright: ignore[reportArgumentType]
    assert tsc.load(file.content) is not None


def test_what_is_no_file_or_source_is_told() -> None:
    with pytest.raises(tsc.ArchiveError, match="cannot write to an object of type 'int'"):
        tsc.save(function(), 5)  # pyright: ignore[reportArgumentType]
    with pytest.raises(tsc.Error, match="is a text, not an object of type 'int'"):
        tsc.CompilationUnit(5)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "body", ["self.self = self", "self.a = self.__dict__", "x = [1]; x.append(x); self.x = x"]
)
def test_a_module_that_holds_itself_is_a_problem(tmp_path: Path, body: str) -> None:
    file = written(tmp_path, "m.py", HOLDS_ITSELF.format(body))
    for arguments in (["check", file], ["compile", file, "M"], ["print-code", file, "M"]):
        command(*arguments).check_clear()


def test_files_without_end_are_not_read_for_ever() -> None:
    ended = command("check", "/dev/zero")
    ended.check_clear()
    assert "more than 32 MB" in ended.errors


def test_errors_of_archives_do_not_command_a_terminal() -> None:
    assert str(tsc.ArchiveError("\x1b[31m")) == "\\x1b[31m"


@pytest.mark.parametrize("text", ["", "abc", "aé€😀" * 700, "é" * 513])
def test_places_are_those_of_the_encoded_text(text: str) -> None:
    places = BytePlaces(text)
    for character in range(0, len(text) + 1, 37):
        byte = len(text[:character].encode())
        assert places.byte_of(character) == byte
        assert places.character_of(byte) == character
