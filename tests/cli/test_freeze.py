"""`tsc freeze`: archives in, frozen archives out."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

import tsc
from tsc.cli import main

RECORDED = Path(__file__).parent.parent / "oracle" / "archives" / "recorded"
MOBILENET = str(RECORDED / "mobilenet.pt")
SEVERAL = str(RECORDED / "several_methods.pt")


def freeze(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["freeze", *arguments], prog_name="tsc")


def training_archive(folder: Path) -> str:
    path = folder / "training.pt"
    tsc.save(tsc.load(MOBILENET).train(), path, _extra_files={"labels.txt": "cat dog"})
    return str(path)


def test_what_is_written_is_frozen(tmp_path: Path) -> None:
    out = tmp_path / "frozen.pt"
    result = freeze(MOBILENET, "-o", str(out), "-v")
    assert result.exit_code == 0, result.output
    assert "modules became 1" in result.stderr
    assert list(tsc.load(out).state_dict()) == []


def test_it_goes_to_standard_output(tmp_path: Path) -> None:
    out = tmp_path / "frozen.pt"
    freeze(MOBILENET, "-o", str(out))
    assert freeze(MOBILENET).stdout_bytes == out.read_bytes()
    assert freeze(MOBILENET, "-o", "-").stdout_bytes == out.read_bytes()


def test_training_mode_is_refused_unless_told_otherwise(tmp_path: Path) -> None:
    given, out = training_archive(tmp_path), tmp_path / "frozen.pt"
    refused = freeze(given, "-o", str(out))
    assert refused.exit_code == 1
    assert "--eval" in refused.stderr
    assert not out.exists()
    assert freeze(given, "--eval", "-o", str(out)).exit_code == 0
    files = {"labels.txt": b""}
    tsc.load(out, _extra_files=files)
    assert files == {"labels.txt": b"cat dog"}


def test_methods_are_preserved(tmp_path: Path) -> None:
    out = tmp_path / "frozen.pt"
    assert freeze(SEVERAL, "--preserve", "decode", "--for-inference", "-o", str(out)).exit_code == 0
    assert "decode" in tsc.load(out).methods
    missing = freeze(SEVERAL, "--preserve", "nothing", "-o", str(out))
    assert missing.exit_code == 1
    assert "Unknown name: nothing" in missing.stderr


def test_source_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("def f(x):\n    return x\n")
    result = freeze(str(path), "-o", str(tmp_path / "out.pt"))
    assert result.exit_code == 2
    assert "is no archive" in result.stderr
