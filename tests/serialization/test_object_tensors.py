"""Tensors inside of objects of Python: taken out under the names of the state_dict, with nothing executed."""

from __future__ import annotations

import io
import json
import pickle
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main

from .samples import ARCHIVES
from .test_load_tensors import zip_of


def state_of(saved: dict[str, Any]) -> dict[str, tuple[str, tuple[int, ...], list[Any]]]:
    return {name: (str(each.dtype), each.shape, each.tolist()) for name, each in saved.items()}


@pytest.mark.parametrize("name", ["objects.pth", "objects_legacy.pth", "objects_package.pt"])
def test_the_names_and_values_are_those_of_the_state_dict(name: str) -> None:
    found = tsc.load_tensors(ARCHIVES / name)
    expected = tsc.load_tensors(ARCHIVES / "objects_state.pth")
    assert found.pop("block.plain").tolist() == [1.0, 1.0]
    assert list(found) == list(expected)
    assert state_of(found) == state_of(expected)


def test_what_a_module_does_not_save_is_left_out() -> None:
    names = tsc.load_tensors(ARCHIVES / "objects.pth")
    assert "block.norm.weight" in names
    assert "again.norm.weight" in names
    assert not [name for name in names if "passing" in name]


def test_plain_attributes_of_modules_follow_under_one_name_each() -> None:
    names = list(tsc.load_tensors(ARCHIVES / "objects.pth"))
    assert names[-1] == "block.plain"
    assert [name for name in names if "plain" in name] == ["block.plain"]


def test_modules_and_containers_in_attributes_give_their_tensors() -> None:
    tensor = (
        b"ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000"
        b"X\x03\0\0\0cpuK\x01tQK\0K\x01\x85K\x01\x85\x89NtR"
    )
    held = b"]q\x07(" + tensor + b"q\x08}X\x01\0\0\0k" + tensor + b"sh\x08h\x07e"
    inner = module(b"N", parameter=tensor, attribute=tensor)
    content = zip_of(b"\x80\x02" + module(inner, attribute=held) + b".", b"\0\0\x80?")
    found = tsc.load_tensors(content)
    assert list(found) == ["a.p", "b.p", "x.0", "x.1.k", "a.x"]


def test_tied_tensors_share_their_memory_and_the_file_stays_as_it_is() -> None:
    content = (ARCHIVES / "objects.pth").read_bytes()
    found = tsc.load_tensors(ARCHIVES / "objects.pth")
    assert found["decoder.weight"] is found["embedding.weight"]
    assert found["narrow"].requires_grad is False
    assert found["embedding.weight"].requires_grad is True
    assert found["turned"].stride() == (1, 3)
    found["buffer"].fill_(7.0)
    assert (ARCHIVES / "objects.pth").read_bytes() == content


def test_a_module_takes_its_tensors() -> None:
    unit = tsc.CompilationUnit(
        "from torch import nn\nclass M(nn.Linear):\n  def __init__(self):\n    super().__init__(1, 1)\n"
    )
    model = unit.M()
    loaded = model.load_state_dict(tsc.load_tensors(ARCHIVES / "whole.pth"))
    assert "matched" in str(loaded)


def test_objects_in_containers_and_of_other_kinds_are_named_by_their_way() -> None:
    found = tsc.load_tensors(ARCHIVES / "objects_checkpoint.pth")
    assert list(found)[:2] == ["model.weight", "model.bias"]
    assert found["optimizer.state.0.exp_avg"].shape == (1, 2)
    assert found["optimizer.param_groups.0.params.1"] is found["model.bias"]
    assert found["losses.0"].tolist() == [1.0]


def test_several_pickles_of_a_package_are_told_apart() -> None:
    names = list(tsc.load_tensors(ARCHIVES / "objects_two.pt"))
    assert names == ["model/model.weight", "model/model.bias", "data/data.0"]


def test_inspect_tells_what_can_be_taken_out() -> None:
    for name in ("objects.pth", "objects_legacy.pth", "objects_package.pt"):
        shown = CliRunner().invoke(main, ["inspect", str(ARCHIVES / name)])
        assert shown.exit_code == 0
        assert "tsc.load_tensors takes" in shown.stdout
        assert "decoder.weight: float32[3, 2], the same as embedding.weight" in shown.stdout
        facts = json.loads(
            CliRunner().invoke(main, ["inspect", str(ARCHIVES / name), "--format", "json"]).stdout
        )
        tensors = tsc.load_tensors(ARCHIVES / "objects_state.pth")
        assert [each["name"] for each in facts["tensors"]] == [*tensors, "block.plain"]


# What nobody trusts -----------------------------------------------------------------------------


class Evil:
    def __init__(self, *inner: object) -> None:
        self.inner = inner

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        import os

        return os.system, ("touch /tmp/tsc_was_here", *self.inner)


def test_nothing_is_called(tmp_path: Path) -> None:
    tensor = (
        b"ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000"
        b"X\x03\0\0\0cpuK\x01tQK\0K\x01\x85K\x01\x85\x89NtR"
    )
    touched = tmp_path / "touched"
    command = f"touch {touched}".encode()
    call = b"cposix\nsystem\n(X" + len(command).to_bytes(4, "little") + command + tensor + b"tR"
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("m/data.pkl", b"\x80\x02" + call + b".")
        archive.writestr("m/data/0", b"\0\0\x80?")
        archive.writestr("m/version", b"3")
    found = tsc.load_tensors(content.getvalue())
    assert {name: each.tolist() for name, each in found.items()} == {"1": [1.0]}
    assert not touched.exists()


def test_objects_without_tensors_are_refused_by_name() -> None:
    with pytest.raises(tsc.ArchiveError, match="system, which is not loaded") as raised:
        tsc.load_tensors(zip_of(pickle.dumps(Evil(), 2)))
    assert raised.value.hint == "no tensor is in it that could be taken out"


def test_a_pickle_that_runs_programs_is_told_before_its_tensors(tmp_path: Path) -> None:
    content = (ARCHIVES / "whole.pth").read_bytes()
    path = tmp_path / "evil.pth"
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(path, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            if entry.endswith("data.pkl"):
                data = data[:-1] + b"0cposix\nsystem\nX\x02\0\0\0id\x85R0h\0."
            new.writestr(entry, data)
    shown = CliRunner().invoke(main, ["inspect", str(path)]).stdout
    assert "runs programs when it is loaded" in shown.splitlines()[0]


def module(inner: bytes, parameter: bytes = b"", attribute: bytes = b"N") -> bytes:
    """The opcodes of a module whose modules are two times what `inner` pushes, with one parameter and an attribute."""

    def text(value: str) -> bytes:
        return b"X" + len(value).to_bytes(4, "little") + value.encode()

    modules = b"}(" + text("a") + inner + b"q\x01" + text("b") + b"h\x01u"
    parameters = b"}" + (text("p") + parameter + b"s" if parameter else b"")
    others = text("x") + attribute + text("_parameters") + parameters
    state = b"}(" + others + text("_buffers") + b"}" + text("_modules")
    return b"cm\nM\n)\x81" + state + modules + b"ub"


def test_modules_that_share_modules_do_not_take_all_time_and_memory() -> None:
    pickled = b"}"
    for _ in range(60):
        pickled = module(pickled)
    started = time.process_time()
    with pytest.raises(tsc.ArchiveError, match="too many names"):
        tsc.load_tensors(zip_of(b"\x80\x02" + pickled + b"."))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "pickled",
    [
        b"\x80\x02cm\nM\n)\x81q\0}X\x01\0\0\0ah\0sb.",  # holds itself
        b"\x80\x02cm\nM\n]q\0h\0a\x85R.",  # its argument holds itself
        b"\x80\x02cm\nM\n" + b")\x81b" * 3 + b".",
        b"\x80\x02" + b"cm\nM\n(" * 30_000 + b"tR" * 30_000 + b".",
        b"\x80\x02(cm\nM\nK\x01o.",
        b"(im\nM\n.",
        b"\x80\x04cm\nM\n)}\x92.",
        b"\x80\x02cm\nM\n)R}(cm\nN\nK\x01usb.",
    ],
)
def test_odd_objects_end_in_one_error(pickled: bytes) -> None:
    with pytest.raises(tsc.ArchiveError):
        tsc.load_tensors(zip_of(pickled))
