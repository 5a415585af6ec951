"""Wrong uses of the command line: a message that helps, the exit status of the contract, no traceback.

What is said of wrong ``--args`` and wrong programs stands in ``tests/errors/arguments``.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tsc.cli import main

ROOT = Path(__file__).parent.parent.parent
PROGRAM = "def f(x: Tensor, n: int = 2) -> Tensor:\n    return x * n\n"
DONE, FAILED, WRONG_USAGE = 0, 1, 2


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    with chdir(tmp_path):
        yield tmp_path


def tsc(*arguments: str, text: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, input=text, prog_name="tsc")
    assert "Traceback (most recent call last)" not in result.stderr
    assert "bug of tsc" not in result.stderr
    return result


@pytest.mark.parametrize(
    ("arguments", "status", "part"),
    [
        (["frobnicate"], WRONG_USAGE, "No such command 'frobnicate'"),
        (["--frobnicate", "run", "program.py"], WRONG_USAGE, "No such option '--frobnicate'"),
        (["compile"], WRONG_USAGE, "Missing argument 'FILE'"),
        (["compile", "program.py", "f", "g"], WRONG_USAGE, "unexpected extra argument"),
        (["compile", "missing.py"], WRONG_USAGE, "missing.py: No such file"),
        (["compile", "program.py", "g"], WRONG_USAGE, "there is no function 'g'"),
        (["compile", "program.py", "g", "--stage", "tokens"], WRONG_USAGE, "no function 'g'"),
        (["compile", "program.py", "g", "--stage", "tree"], WRONG_USAGE, "no function 'g'"),
        (["compile", "program.py", "--stage"], WRONG_USAGE, "requires an argument"),
        (["compile", "program.py", "--stage", "irr"], WRONG_USAGE, "'irr' is not one of"),
        (["compile", "program.py", "--print-after", "dce"], WRONG_USAGE, "no pass is called 'dce'"),
        (["compile", "program.py", "-o", "no/where.txt"], WRONG_USAGE, "no/where.txt"),
        (["compile", "program.py", "-o", "."], WRONG_USAGE, "."),
        (["print-code"], WRONG_USAGE, "Missing argument 'FILE'"),
        (["print-code", "program.py", "g"], WRONG_USAGE, "there is no function 'g'"),
        (["run"], WRONG_USAGE, "Missing argument 'FILE'"),
        (["run", "program.py", "--args"], WRONG_USAGE, "requires an argument"),
        (
            ["run", "program.py", "--args", "torch.ones(2), 1, 2, 3"],
            WRONG_USAGE,
            "at most 2 argument",
        ),
        (["run", "program.py", "--args", "torch.ons(2)"], WRONG_USAGE, "aten::ones"),
        (["run", "program.py", "--args", "@x.csv"], WRONG_USAGE, "one of .npy, .npz, .json"),
        (["run", "program.py", "--seed", "x"], WRONG_USAGE, "'x' is not a valid integer"),
        (["run", "program.py", "--max-steps", "0"], WRONG_USAGE, "0 is not in the range"),
        (["run", "program.py", "--max-seconds", "0"], WRONG_USAGE, "0.0 is not in the range"),
        (["run", "program.py", "--max-seconds", "-1"], WRONG_USAGE, "-1.0 is not in the range"),
        (["ops", "--similar"], WRONG_USAGE, "requires an argument"),
        (["ops", "no_such_operator"], WRONG_USAGE, "no operator matches"),
        (["ops", "sofmax"], WRONG_USAGE, "did you mean 'softmax'?"),
        (["ops", "a", "b"], WRONG_USAGE, "unexpected extra argument"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_command_lines(arguments: list[str], status: int, part: str) -> None:
    result = tsc(*arguments)
    assert part in result.stderr
    assert result.exit_code == status
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["compile", "run", "print-code"])
class TestFiles:
    def test_a_folder(self, command: str, folder: Path) -> None:
        result = tsc(command, str(folder))
        assert result.exit_code == WRONG_USAGE
        assert "Is a directory" in result.stderr

    def test_no_text(self, command: str, folder: Path) -> None:
        (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
        result = tsc(command, "image.png")
        assert result.exit_code == WRONG_USAGE
        assert "image.png: this is no TorchScript, but a picture" in result.stderr

    def test_no_utf_8(self, command: str, folder: Path) -> None:
        (folder / "latin.py").write_bytes("# ä\n".encode("latin-1"))
        result = tsc(command, "latin.py")
        assert result.exit_code == WRONG_USAGE
        assert "latin.py: not UTF-8 text" in result.stderr

    def test_an_archive(self, command: str, folder: Path) -> None:
        with zipfile.ZipFile(folder / "model.pt", "w") as archive:
            archive.writestr("model/code/model.py", PROGRAM)
        result = tsc(command, "model.pt")
        assert result.exit_code == WRONG_USAGE
        assert "archive" in result.stderr

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_not_readable(self, command: str, folder: Path) -> None:
        (folder / "program.py").chmod(stat.S_IWUSR)
        result = tsc(command, "program.py")
        assert result.exit_code == WRONG_USAGE
        assert "Permission denied" in result.stderr

    def test_nul_in_the_name(self, command: str) -> None:
        result = tsc(command, "a\0b.py")
        assert result.exit_code == WRONG_USAGE

    def test_syntax_error_in_standard_input(self, command: str) -> None:
        result = tsc(command, "-", text="def f(:\n")
        assert result.exit_code == FAILED
        assert "<stdin>:1:6" in result.stderr


def test_nothing_in_standard_input() -> None:
    assert tsc("compile", "-", text="").exit_code == DONE
    assert tsc("run", "-", text="").exit_code == WRONG_USAGE


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("x.npy", b"no array", "x.npy"),
        ("x.npz", b"no arrays", "x.npz"),
        ("x.json", b"{", "x.json"),
        ("x.json", b"\xff", "x.json"),
        ("x.npy", b"", "x.npy"),
    ],
)
def test_argument_files_that_cannot_be_read(
    folder: Path, name: str, content: bytes, part: str
) -> None:
    (folder / name).write_bytes(content)
    result = tsc("run", "program.py", "--args", f"@{name}")
    assert result.exit_code == WRONG_USAGE
    assert part in result.stderr


def test_results_that_cannot_be_written(folder: Path) -> None:
    (folder / "pair.py").write_text("def f():\n    return {1: 'a'}, torch.device('cpu')\n")
    for name in ("y.npy", "y.npz"):
        result = tsc("run", "pair.py", "-o", name)
        assert result.exit_code == WRONG_USAGE
        assert "has no array form" in result.stderr
        assert not (folder / name).exists()


def test_a_bug_says_that_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise KeyError("something")

    monkeypatch.setattr("tsc.runtime.commands.compile.dump_stages", fail)
    result = CliRunner().invoke(main, ["compile", "program.py"])
    assert result.exit_code == FAILED
    assert "this is a bug of tsc" in result.stderr
    assert "Traceback" not in result.stderr
    debugged = CliRunner().invoke(main, ["--debug", "compile", "program.py"])
    assert isinstance(debugged.exception, KeyError)


def test_debug_shows_where_an_error_came_from() -> None:
    Path("wrong.py").write_text("def f():\n    return y  # \x1b[2J\n", encoding="utf-8")
    shown = subprocess.run(
        [sys.executable, "-m", "tsc", "--debug", "compile", str(Path("wrong.py").resolve())],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert shown.returncode == FAILED
    assert "Traceback (most recent call last)" in shown.stderr
    assert "undefined value y" in shown.stderr
    assert "\\x1b[2J" in shown.stderr
    assert "\x1b" not in shown.stderr


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m tsc ops | head -1"
    shown = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert "::" in shown.stdout
    assert shown.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_no_bug_of_ours() -> None:
    command = f"{sys.executable} -m tsc ops > /dev/full"
    shown = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert shown.returncode == WRONG_USAGE
    assert shown.stderr == "standard output: No space left on device\n"
