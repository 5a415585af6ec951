"""Options of every command: where they stand, how often, and where what commands write goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from tsc.cli import main

ROOT = Path(__file__).parent.parent.parent
ARCHIVE = ROOT / "tests/oracle/archives/recorded/several_methods.pt"
PROGRAM = """
import torch

def f(x: torch.Tensor, n: int = 2) -> torch.Tensor:
    print("hello")
    return x * n

def said() -> None:
    print("hello")
"""
LOUD = """
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        print("made")

    def forward(self, x):
        return x
"""
CALLS = {
    "compile": ("program.py",),
    "run": ("program.py", "f", "--args", "torch.ones(2)"),
    "check": ("program.py",),
    "print-code": ("program.py",),
    "inspect": (str(ARCHIVE),),
    "audit": (str(ARCHIVE),),
    "ops": ("relu6",),
}
SETTINGS = ("--strict", "--color", "--no-color", "-v", "--verbose", "-q", "--quiet", "--debug")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "loud.py").write_text(LOUD, encoding="utf-8")
    with chdir(tmp_path):
        yield tmp_path


def tsc(*arguments: str, given: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, input=given, prog_name="tsc")
    assert "Traceback (most recent call last)" not in result.stderr
    return result


def outcome(result: Result) -> tuple[int, str, str]:
    timeless = [line for line in result.stderr.splitlines() if not line.startswith("compiled in")]
    return result.exit_code, result.stdout, "\n".join(timeless)


def test_every_command_is_tried() -> None:
    assert set(CALLS) <= set(main.commands)


@pytest.mark.parametrize("option", SETTINGS)
@pytest.mark.parametrize("command", CALLS)
def test_options_of_all_commands_stand_before_and_after(command: str, option: str) -> None:
    before = tsc(option, command, *CALLS[command])
    assert before.exit_code in (0, 1), before.output
    assert outcome(tsc(command, option, *CALLS[command])) == outcome(before)
    assert outcome(tsc(command, *CALLS[command], option)) == outcome(before)


def test_the_last_of_two_that_contradict_each_other_decides() -> None:
    assert "\x1b[" not in tsc("--color", "compile", "program.py", "--no-color").stdout
    assert "\x1b[" in tsc("--no-color", "compile", "program.py", "--color").stdout


def single_options() -> list[tuple[str, str]]:
    """Each option of each command that takes one value."""
    return [
        (name, option.opts[-1])
        for name, command in main.commands.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.multiple and not option.is_flag
    ]


@pytest.mark.parametrize(("command", "option"), single_options())
def test_an_option_with_one_value_is_given_once(command: str, option: str) -> None:
    result = tsc(command, option, "1", "program.py", option, "1")
    assert result.exit_code == 2
    assert f"{option} is given twice" in result.stderr


@pytest.mark.parametrize("command", ["compile", "run", "check", "print-code", "inspect", "audit"])
def test_an_archive_comes_through_standard_input(command: str) -> None:
    more = ("decode", "--args", "torch.ones(3), k=4") if command == "run" else ()
    by_name = tsc(command, str(ARCHIVE), *more)
    piped = tsc(command, "-", *more, given=ARCHIVE.read_bytes())
    assert piped.exit_code == by_name.exit_code == 0
    if command not in ("inspect", "audit"):
        assert piped.stdout == by_name.stdout


@pytest.mark.parametrize("command", ["compile", "check", "print-code", "run"])
@pytest.mark.parametrize("content", [b"PK\x03\x04 cut off", b"\x89PNG\r\n\x1a\n\x00\xff"])
def test_what_is_piped_and_is_nothing_of_ours(command: str, content: bytes) -> None:
    result = tsc(command, "-", given=content)
    assert result.exit_code == 2
    assert "<stdin>" in result.stderr


@pytest.mark.parametrize("command", [name for name in CALLS if name != "ops"])
def test_a_dash_is_standard_output(command: str, folder: Path) -> None:
    assert outcome(tsc(command, *CALLS[command], "-o", "-")) == outcome(
        tsc(command, *CALLS[command])
    )
    assert not (folder / "-").exists()


class TestPrints:
    def test_a_result_stands_alone(self) -> None:
        result = tsc(*("run", *CALLS["run"]))
        assert (result.stdout, result.stderr) == ("tensor([2., 2.])\n", "hello\n")

    def test_a_program_without_result_prints_to_standard_output(self) -> None:
        result = tsc("run", "program.py", "said")
        assert (result.stdout, result.stderr) == ("hello\n", "")

    def test_so_does_one_whose_result_is_a_file(self) -> None:
        result = tsc("run", *CALLS["run"], "-o", "y.npy")
        assert (result.stdout, result.stderr) == ("hello\n", "")

    @pytest.mark.parametrize("command", ["compile", "print-code", "run", "check"])
    def test_constructors_print_nothing_into_the_result(self, command: str) -> None:
        more = {"run": ["M", "--args", "torch.ones(1)"], "check": []}.get(command, ["M"])
        result = tsc(command, "loud.py", *more)
        assert result.exit_code == 0
        assert "made" not in result.stdout.splitlines()


class TestFilesToCheck:
    @pytest.fixture(autouse=True)
    def _files(self, folder: Path) -> None:
        (folder / "program.py").unlink()
        (folder / "loud.py").unlink()
        for name in ("src/b.py", "src/a.py", "src/deep/c.py", "src/.git/d.py", "src/env/e.py"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("def f(n: int) -> int:\n    return m\n", encoding="utf-8")
        (folder / "src/env/pyvenv.cfg").touch()
        (folder / "src/notes.txt").write_text("no program", encoding="utf-8")
        (folder / "empty").mkdir()

    @pytest.mark.parametrize("given", [["src"], ["src/**/*.py"], ["src/a.py", "src"], ["."]])
    def test_folders_and_patterns(self, given: list[str]) -> None:
        result = tsc("check", *given, "--format", "json", "--ignore", "TS9")
        files = [each["file"] for each in json.loads(result.stdout)["problems"]]
        wanted = {"src/a.py", "src/b.py", "src/deep/c.py"}
        assert set(files) - {"src/env/e.py"} == wanted
        assert ("src/env/e.py" in files) == (given == ["src/**/*.py"])
        assert result.exit_code == 1

    @pytest.mark.parametrize("given", ["empty", "*.pt", "src/[xyz].py", "missing.py"])
    def test_nothing_to_check(self, given: str) -> None:
        result = tsc("check", given)
        assert result.exit_code == 2
        assert given in result.stderr


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            ("", "missing value for argument 'x'"),
            ("torch.ones(2), 1, 2, 3", "at most 2 argument(s)"),
            ("y=3", "Unknown keyword argument 'y'"),
            ("3", "Expected a value of type 'Tensor' for argument 'x'"),
            ("torch.ones(2), 'a'", "Expected a value of type 'int' for argument 'n'"),
            ("[[1.0] * 2000]", "hint: torch.tensor([1.0, 2.0]) is a tensor"),
        ],
    )
    def test_wrong_ones(self, arguments: str, part: str) -> None:
        result = tsc("run", "program.py", "f", "--args", arguments)
        assert result.exit_code == 2
        assert part in result.stderr
        lines = [line for line in result.stderr.splitlines() if not line.startswith("hint: ")]
        assert len(lines) == 1
        assert len(result.stderr) < 400

    def test_what_the_program_raises_is_no_wrong_command_line(self) -> None:
        result = tsc("run", "program.py", "f", "--args", "torch.ones(2), 1 // 0")
        assert result.exit_code == 1

    @pytest.mark.parametrize(
        ("declared", "value", "printed"),
        [
            ("torch.Tensor", [[1, 2], [3, 4]], "tensor([[1, 2],\n        [3, 4]])"),
            ("torch.Tensor", 1.5, "tensor(1.5000)"),
            ("Optional[torch.Tensor]", [1.0], "tensor([1.])"),
            ("Optional[torch.Tensor]", None, "None"),
            ("List[torch.Tensor]", [[1], [2, 3]], "[tensor([1]), tensor([2, 3])]"),
            ("Dict[str, torch.Tensor]", {"a": [1]}, "{'a': tensor([1])}"),
            ("Tuple[torch.Tensor, int]", [[1], 2], "(tensor([1]), 2)"),
            ("List[float]", [1, 2.5], "[1.0, 2.5]"),
            ("List[int]", [1, 2], "[1, 2]"),
        ],
    )
    def test_lists_of_json(self, folder: Path, declared: str, value: object, printed: str) -> None:
        text = "import torch\nfrom typing import Dict, List, Optional, Tuple\n"
        text += f"def f(x: {declared}) -> {declared}:\n    return x\n"
        (folder / "typed.py").write_text(text, encoding="utf-8")
        (folder / "x.json").write_text(json.dumps(value), encoding="utf-8")
        result = tsc("run", "typed.py", "--args", "@x.json")
        assert result.stdout == f"{printed}\n", result.stderr

    def test_lists_that_are_no_tensor(self, folder: Path) -> None:
        (folder / "x.json").write_text("[[1], [2, 3]]", encoding="utf-8")
        result = tsc("run", "program.py", "f", "--args", "@x.json")
        assert result.exit_code == 2
        assert "@x.json: these lists are no tensor" in result.stderr

    @pytest.mark.parametrize("command", ["compile", "run", "print-code"])
    @pytest.mark.parametrize("named", ["f", "C", None])
    def test_init_is_for_modules(self, folder: Path, command: str, named: str | None) -> None:
        text = f"{PROGRAM}\nclass C:\n    def __init__(self):\n        self.x = 1\n"
        (folder / "program.py").write_text(text, encoding="utf-8")
        result = tsc(command, "program.py", *filter(None, [named]), "--init", "3")
        assert result.exit_code == 2
        assert "--init" in result.stderr or named is None


def test_an_interruption_has_the_status_of_its_signal(folder: Path) -> None:
    text = 'def f(n: int = 0):\n    print("on")\n    while n >= 0:\n        n += 1\n    print(n)\n'
    (folder / "endless.py").write_text(text, encoding="utf-8")
    code = "import sys; from tsc.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    running = subprocess.Popen(
        [sys.executable, "-c", code, "run", "endless.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "on\n"
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert said == "Interrupted.\n"
    assert running.returncode == 130


@pytest.mark.parametrize("command", ["compile", "run", "check", "print-code", "inspect", "audit"])
def test_an_unreadable_archive_is_a_wrong_argument(command: str, folder: Path) -> None:
    (folder / "cut.pt").write_bytes(ARCHIVE.read_bytes()[:-100])
    assert tsc(command, "cut.pt").exit_code == 2
