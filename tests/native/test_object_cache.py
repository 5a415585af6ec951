"""Object code on disk: found again, never trusted where others may write, and of no harm when it is damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.well_known_programs import PRIMES
from tsc.runtime.native.code import object_cache

ROOT = Path(__file__).parents[2]
KEY = object_cache.key("a", "b")
CONTENT = b"some code" * 100


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kept"
    monkeypatch.setenv(object_cache.VARIABLE, str(place))
    return place


def test_what_was_kept_is_found(folder: Path) -> None:
    assert object_cache.find(KEY) is None
    object_cache.keep(KEY, CONTENT)
    assert object_cache.find(KEY) == CONTENT
    assert [each.name for each in folder.iterdir()] == [KEY]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / KEY).stat().st_mode & 0o777 == 0o600


def test_keys_tell_their_parts_apart() -> None:
    keys = {object_cache.key(*parts) for parts in [("ab", "c"), ("a", "bc"), ("abc",), ("", "abc")]}
    assert len(keys) == 4


@pytest.mark.parametrize("place", [0, 5, -40, -1])
def test_a_changed_byte_is_a_miss(folder: Path, place: int) -> None:
    object_cache.keep(KEY, CONTENT)
    written = bytearray((folder / KEY).read_bytes())
    written[place] ^= 1
    (folder / KEY).write_bytes(written)
    assert object_cache.find(KEY) is None


@pytest.mark.parametrize("size", [0, 1, 31, 32, 500])
def test_a_short_file_is_a_miss(folder: Path, size: int) -> None:
    object_cache.keep(KEY, CONTENT)
    (folder / KEY).write_bytes((folder / KEY).read_bytes()[:size])
    assert object_cache.find(KEY) is None


def test_a_file_of_another_name_is_a_miss(folder: Path) -> None:
    object_cache.keep(KEY, CONTENT)
    other = object_cache.key("other")
    (folder / KEY).rename(folder / other)
    assert object_cache.find(other) is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_is_left_alone(folder: Path, mode: int) -> None:
    object_cache.keep(KEY, CONTENT)
    folder.chmod(mode)
    assert object_cache.find(KEY) is None
    object_cache.keep(object_cache.key("new"), CONTENT)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_a_miss(folder: Path, mode: int) -> None:
    object_cache.keep(KEY, CONTENT)
    (folder / KEY).chmod(mode)
    assert object_cache.find(KEY) is None


def test_what_belongs_to_others_is_a_miss(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    object_cache.keep(KEY, CONTENT)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert object_cache.find(KEY) is None


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    object_cache.keep(KEY, CONTENT)
    (folder / KEY).rename(tmp_path / KEY)
    (folder / KEY).symlink_to(tmp_path / KEY)
    assert object_cache.find(KEY) is None
    (folder / KEY).unlink()
    (tmp_path / KEY).rename(folder / KEY)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert object_cache.find(KEY) is None


def test_the_oldest_are_thrown_out(folder: Path) -> None:
    keys = [object_cache.key(str(k)) for k in range(10)]
    for k, key in enumerate(keys):
        object_cache.keep(key, CONTENT)
        os.utime(folder / key, (k, k))
    place = os.open(folder, os.O_RDONLY)
    object_cache.throw_out_oldest(place, most_bytes=8 * len(CONTENT))
    os.close(place)
    assert {each.name for each in folder.iterdir()} == set(keys[-5:])


@pytest.mark.parametrize("value", ["off", "0"])
def test_nothing_is_kept_when_it_is_turned_off(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(object_cache.VARIABLE, value)
    object_cache.keep(KEY, CONTENT)
    assert object_cache.find(KEY) is None


def test_it_is_in_the_cache_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(object_cache.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert object_cache.folder() == tmp_path / "tsc" / "native"


def test_a_place_that_cannot_be_written_is_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(object_cache.VARIABLE, str(tmp_path / "file" / "kept"))
    object_cache.keep(KEY, CONTENT)
    assert object_cache.find(KEY) is None


PROGRAM = f"""
import sys
import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
unit = tsc.CompilationUnit('''{PRIMES}''')
with chosen_plan("native"):
    print(unit.primes(100_000))
try:
    unit.primes(-3)
    unit.primes(1 << 60)
except Exception as error:
    print(type(error).__name__)
print("llvmlite" in sys.modules)
"""


def _ran(folder: Path) -> list[str]:
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "build"), TSC_NATIVE_CACHE=str(folder))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_second_process_needs_no_llvm(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    folder = tmp_path / "kept"
    first, second = _ran(folder), _ran(folder)
    assert first[:-1] == second[:-1]
    assert first[0] == "9592"
    if sys.platform == "linux":
        assert (first[-1], second[-1]) == ("True", "False")
    for each in folder.iterdir():
        each.write_bytes(os.urandom(300))
    assert _ran(folder)[:-1] == first[:-1]


TEXTS = """
import re
import tsc
from tsc.runtime.context.hooks import code_making
from tsc.runtime.execution.executor_mode import chosen_plan

texts = []
making = code_making()
module = making.module

def noted(text):
    texts.append(text)
    return module(text)

making.module = noted
unit = tsc.CompilationUnit('''
def loops(x: Tensor, n: int) -> List[int]:
    found: List[int] = []
    for i in range(n):
        if float(x[i]) > 0.0 and i % 3 != 1:
            found.append(i)
    return found

def chain(x: Tensor, y: Tensor) -> Tensor:
    return torch.relu((x * y + 1.5) * x - y) * 0.5 + x
''')
with chosen_plan("native"):
    unit.loops(tsc.ones(50), 50)
    for _ in range(20_000):
        unit.chain(tsc.ones(20), tsc.ones(20))
for text in texts:
    print(text)
"""


def test_code_holds_no_addresses_of_a_process() -> None:
    pytest.importorskip("llvmlite")
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "build"), TSC_NATIVE_CACHE="off")
    command = [sys.executable, "-c", TEXTS]
    texts = [
        subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=120, check=True
        ).stdout
        for _ in range(2)
    ]
    assert "define" in texts[0]
    assert texts[0] == texts[1]
