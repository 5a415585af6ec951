"""What each command says of each kind of file: what it is, and what to do, with the right status."""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tsc.cli import main

RECORDED = Path(__file__).parent.parent / "serialization" / "archives"
DONE, FOUND, UNREADABLE = 0, 1, 2
LOADING = ("run", "compile", "print-code", "check")
PICKLED_CALL = b"cos\nsystem\n(S'echo hi'\ntR."


def zip_file(path: Path, entries: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One file of each kind that is no TorchScript archive."""
    for name in ("checkpoint.pth", "legacy.pth", "whole.pth"):
        (tmp_path / name).write_bytes((RECORDED / name).read_bytes())
    archive = (RECORDED / "attributes.pt").read_bytes()
    (tmp_path / "cut.pt").write_bytes(archive[: len(archive) // 2])
    place = archive.find(b"data.pkl") + 120
    flipped = bytes([archive[place] ^ 1])
    (tmp_path / "flipped.pt").write_bytes(archive[:place] + flipped + archive[place + 1 :])
    header = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    (tmp_path / "w.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(4))
    (tmp_path / "net.onnx").write_bytes(
        b"\x08\x08\x12\x07pytorch\x1a\x052.1.0\x3a\x10\x0a\x00\x12\x0cmain_graph_x"
    )
    (tmp_path / "oldest.pkl").write_bytes(PICKLED_CALL)
    (tmp_path / "random.pt").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "folder.pt").mkdir()
    (tmp_path / "pointer.pt").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"
    )
    (tmp_path / "page.pt").write_text("<!DOCTYPE html>\n<html></html>\n")
    zip_file(tmp_path / "other.zip", {"readme.md": b"hello"})
    zip_file(tmp_path / "exported.pt2", {"m/archive_format": b"pt2", "m/data/weights/w": b"1234"})
    return tmp_path


def tsc(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments, prog_name="tsc")
    assert "bug of tsc" not in result.stderr
    assert "Traceback" not in result.stderr
    return result


SAID = {
    "checkpoint.pth": "no TorchScript archive, but tensors saved by torch.save, as a zip",
    "legacy.pth": "no TorchScript, but tensors saved by torch.save before PyTorch 1.6",
    "whole.pth": "but Python objects saved by torch.save; they need torch.nn.modules.linear.Linear",
    "cut.pt": "the end of the zip archive is missing",
    "flipped.pt": "the checksum of",
    "w.safetensors": "no TorchScript, but tensors in the safetensors format",
    "net.onnx": "no TorchScript, but an ONNX model",
    "oldest.pkl": "no TorchScript, but a pickle of Python in its oldest form",
    "random.pt": "no TorchScript, but a file of an unknown format",
    "pointer.pt": "no TorchScript, but a Git LFS pointer",
    "page.pt": "no TorchScript, but a web page",
    "folder.pt": "folder.pt: Is a directory",
    "other.zip": "no TorchScript archive, but a zip archive without a model of PyTorch",
    "exported.pt2": "there is no program in the archive",
    "missing.pt": "missing.pt: No such file or directory",
}


@pytest.mark.parametrize("command", LOADING)
@pytest.mark.parametrize("name", SAID)
def test_what_cannot_be_loaded_is_named_with_what_to_do(
    command: str, name: str, folder: Path
) -> None:
    result = tsc(command, str(folder / name))
    assert result.exit_code == UNREADABLE
    assert SAID[name] in result.stderr
    if name not in ("folder.pt", "missing.pt"):
        assert "\nhint: " in result.stderr


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("checkpoint.pth", "tensors saved by torch.save"),
        ("legacy.pth", "tensors saved by torch.save before PyTorch 1.6"),
        ("whole.pth", "Python objects saved by torch.save"),
        ("cut.pt", "a zip archive that is not read"),
        ("flipped.pt", "a TorchScript archive"),
        ("w.safetensors", "tensors in the safetensors format"),
        ("net.onnx", "an ONNX model"),
        ("oldest.pkl", "a pickle that runs programs when it is loaded: it names"),
        ("random.pt", "a file of an unknown format"),
        ("other.zip", "a zip archive without a model of PyTorch"),
        ("exported.pt2", "a program of torch.export"),
    ],
)
def test_inspection_answers_for_every_kind(name: str, kind: str, folder: Path) -> None:
    result = tsc("inspect", str(folder / name))
    damaged = name in ("cut.pt", "flipped.pt")
    assert (result.exit_code, result.stderr) == (UNREADABLE if damaged else DONE, "")
    assert f"{name}: {kind}" in result.stdout
    assert "\n  what to do  " in result.stdout


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("checkpoint.pth", DONE, "nothing found"),
        ("whole.pth", FOUND, "TA202 warning"),
        ("flipped.pt", FOUND, "TA108 error"),
        ("oldest.pkl", FOUND, "TA201 error: names os.system, called as os.system('echo hi')"),
        ("exported.pt2", FOUND, "TA109 warning: this is a program of torch.export"),
        ("cut.pt", UNREADABLE, "the end of the zip archive is missing"),
        ("w.safetensors", UNREADABLE, "tensors in the safetensors format"),
    ],
)
def test_audits_end_with_the_status_of_what_they_found(
    name: str, status: int, said: str, folder: Path
) -> None:
    result = tsc("audit", str(folder / name))
    assert result.exit_code == status
    assert said in result.stdout
    assert ("not examined" in result.stderr) == (status == UNREADABLE)
    assert result.stdout.count("\nTA") == (status == FOUND)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--html", "a", "--format", "json"], "--html and --format json"),
        (["--code", "--method", "forward"], "--code and --method"),
        (["--html", "a", "-o", "b"], "--output and --html"),
    ],
)
def test_options_of_inspect_that_exclude_each_other(options: list[str], said: str) -> None:
    result = tsc("inspect", str(RECORDED / "attributes.pt"), *options)
    assert result.exit_code == UNREADABLE
    assert f"{said} cannot be given together" in result.stderr


def test_a_method_that_is_misspelt_is_guessed() -> None:
    path = str(RECORDED / "attributes.pt")
    for arguments in (["run", path, "forwrd"], ["inspect", path, "--method", "forwrd"]):
        result = tsc(*arguments)
        assert result.exit_code == UNREADABLE
        assert "hint: did you mean" in result.stderr
        assert "forward" in result.stderr.rpartition("hint:")[2]


def test_errors_cannot_send_commands_to_a_terminal(folder: Path) -> None:
    entries = {
        "m/data.pkl": b"\x80\x02c__torch__.m\nNet\nq\x00)\x81}X\x05\x00\x00\x00\x1b[2Jxsb.".replace(
            b"xsb", b"xK\x01sb"
        ),
        "m/constants.pkl": b"\x80\x02).",
        "m/version": b"3\n",
        "m/code/__torch__/m.py": b"class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n",
    }
    zip_file(folder / "escape.pt", entries)
    result = tsc("run", str(folder / "escape.pt"))
    assert result.exit_code == UNREADABLE
    assert "\\x1b[2Jx" in result.stderr
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize("command", ["inspect", "audit"])
def test_colors_change_no_letter_of_a_report(command: str, folder: Path) -> None:
    for path in (RECORDED / "attributes.pt", folder / "whole.pth"):
        plain = tsc("--no-color", command, str(path)).stdout
        colored = tsc("--color", command, str(path)).stdout
        assert "\x1b[" in colored
        assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain
