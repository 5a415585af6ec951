"""`tsc check` through its real entry point: files, formats, selections, exit statuses."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from tsc.cli import main

ROOT = Path(__file__).parent.parent.parent
GOOD = "def good(x: Tensor) -> Tensor:\n    return x + 1\n"
WRONG = """\
def f(x: Tensor, n: int) -> Tensor:
    y = x.no_such_method()
    print(undefined)
    return y +

def g(n: int) -> str:
    return n
"""
CLEAN, FOUND, WRONG_USAGE = 0, 1, 2


def tsc(*arguments: str, folder: Path = ROOT, text: str | bytes = "") -> tuple[int, str, str]:
    """The exit status of `tsc`, and what it printed on standard output and on standard error."""
    with chdir(folder):
        result = CliRunner().invoke(main, arguments, input=text, prog_name="tsc")
    assert "bug of tsc" not in result.stderr
    return result.exit_code, result.stdout, result.stderr


def tsc_process(*arguments: str, folder: Path, text: bytes = b"") -> tuple[int, str, str]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tsc", *arguments],
        input=text,
        capture_output=True,
        timeout=60,
        cwd=folder,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.py").write_text(GOOD, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    return tmp_path


def codes(report: str) -> list[str]:
    return re.findall(r"^(TS\d+) ", report, re.MULTILINE)


def test_all_problems_of_a_file_in_the_order_of_the_text(folder: Path) -> None:
    status, report, error = tsc_process("check", "wrong.py", folder=folder)
    assert status == FOUND
    assert error == ""
    assert codes(report) == ["TS203", "TS201", "TS101", "TS308"]
    assert re.findall(r"^wrong\.py:(\d+):", report, re.MULTILINE) == ["2", "3", "4", "7"]
    assert report.endswith("\n\nFound 4 problems in 1 file.\n")
    assert "\x1b" not in report


def test_a_good_file(folder: Path) -> None:
    assert tsc("check", "good.py", folder=folder) == (CLEAN, "No problems in 1 file.\n", "")
    assert tsc("-q", "check", "good.py", folder=folder) == (CLEAN, "", "")


def test_several_files_in_the_order_in_which_they_are_named(folder: Path) -> None:
    (folder / "a.py").write_text("def f(): return undefined\n", encoding="utf-8")
    status, report, _ = tsc("check", "wrong.py", "good.py", "a.py", "wrong.py", folder=folder)
    assert status == FOUND
    files = re.findall(r"^(\w+\.py):", report, re.MULTILINE)
    assert files == ["wrong.py"] * 4 + ["a.py"]
    assert report.endswith("Found 5 problems in 2 files.\n")


def test_standard_input(folder: Path) -> None:
    text = b"def f():\n    return undefined\n"
    status, report, _ = tsc_process("check", "-", folder=folder, text=text)
    assert status == FOUND
    assert "<stdin>:2:11\n" in report


def test_problems_of_imported_files_are_found_once(folder: Path) -> None:
    (folder / "helper.py").write_text("def h(n: int): return n.foo\n", encoding="utf-8")
    user = "from helper import h\ndef f(n: int): return h(n) + 1\n"
    (folder / "a.py").write_text(user, encoding="utf-8")
    (folder / "b.py").write_text(user, encoding="utf-8")
    status, report, _ = tsc("check", "a.py", "b.py", folder=folder)
    assert (status, codes(report)) == (FOUND, ["TS203"])
    assert "helper.py:1:22\n" in report
    for name in ("helper.py", "./helper.py"):
        _, report, _ = tsc("check", "a.py", name, "b.py", folder=folder)
        assert codes(report) == ["TS203"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--select", "TS2"], ["TS203", "TS201"]),
        (["--select", "TS101,TS3"], ["TS101", "TS308"]),
        (["--ignore", "TS2", "--ignore", "TS1"], ["TS308"]),
        (["--select", "TS", "--ignore", "TS20"], ["TS101", "TS308"]),
        (["--select", "TS4"], []),
    ],
)
def test_select_and_ignore(options: list[str], expected: list[str], folder: Path) -> None:
    status, report, _ = tsc("check", "wrong.py", *options, folder=folder)
    assert codes(report) == expected
    assert status == (FOUND if expected else CLEAN)


def test_warnings_are_reported_when_they_are_selected(folder: Path) -> None:
    program = "def f(xs: List[int]):\n    return [x for x in xs if x > 2]\n    print(xs)\n"
    assert tsc("check", "-", text=program)[0] == CLEAN
    status, report, _ = tsc("check", "-", "--select", "TS9", text=program)
    assert (status, codes(report)) == (FOUND, ["TS901", "TS902"])
    status, report, _ = tsc("--strict", "check", "-", text=program)
    assert (status, codes(report)) == (FOUND, ["TS490"])


def test_json(folder: Path) -> None:
    status, report, _ = tsc("check", "wrong.py", "good.py", "--format", "json", folder=folder)
    assert status == FOUND
    content = json.loads(report)
    assert [each["code"] for each in content["problems"]] == ["TS203", "TS201", "TS101", "TS308"]
    assert content["summary"] == {
        "checked_files": 2,
        "files": 1,
        "problems": 4,
        "not_typed": {},
        "not_looked_at": [],
    }


def test_sarif_into_a_file(folder: Path) -> None:
    arguments = ("check", "wrong.py", "--format", "sarif", "-o", "problems.sarif")
    assert tsc(*arguments, folder=folder) == (FOUND, "", "")
    log = json.loads((folder / "problems.sarif").read_text(encoding="utf-8"))
    results = log["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == ["TS203", "TS201", "TS101", "TS308"]
    status, report, _ = tsc("check", "good.py", "--format", "sarif", folder=folder)
    assert status == CLEAN
    assert json.loads(report)["runs"][0]["results"] == []


def test_explain_a_code_or_list_some() -> None:
    status, explanation, _ = tsc("check", "--explain", "TS201")
    assert status == 0
    assert explanation.startswith("TS201 undefined-name\n\nA name that nothing defines.\n")
    assert "\nInstead:\n" in explanation
    _, listing, _ = tsc("check", "--explain", "ts6")
    assert listing.startswith("TS601 nested-too-deeply: something nested too deeply\n")
    assert len(tsc("check", "--explain", "TS")[1].splitlines()) > 100


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["check"], "name a FILE to check, or a code with --explain"),
        (["check", "missing.py"], "missing.py: No such file or directory"),
        (["check", "empty"], "empty: Is a directory; there is no .py file in it"),
        (["check", "image.png"], "image.png: this is no TorchScript, but"),
        (["check", "model.pt"], "model.pt: a zip archive that is not read"),
        (["check", "good.py", "--select", "E501"], "no code begins with 'E501'"),
        (["check", "good.py", "--ignore", "TS299"], "no code begins with 'TS299'"),
        (["check", "good.py", "--format", "xml"], "'xml' is not one of"),
        (["check", "--explain", "TS299"], "no code begins with 'TS299'"),
        (["check", "good.py", "--format", "json", "-o", "no/where"], "no/where"),
    ],
)
def test_wrong_uses(arguments: list[str], part: str, folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    (folder / "model.pt").write_bytes(b"PK\x03\x04rest")
    status, report, error = tsc(*arguments, folder=folder)
    assert status == WRONG_USAGE
    assert part in error
    assert report == ""


def test_a_file_that_cannot_be_read_does_not_hide_the_others(folder: Path) -> None:
    status, report, error = tsc("check", "missing.py", "wrong.py", "good.py", folder=folder)
    assert status == WRONG_USAGE
    assert error == "missing.py: No such file or directory\n"
    assert report.endswith("Found 4 problems in 1 file.\n")


@pytest.mark.parametrize(
    "text", [b"", b"\n\n", b"# only a comment", b"\xef\xbb\xbf" + GOOD.encode()]
)
def test_texts_with_nothing_wrong(text: bytes) -> None:
    assert tsc("check", "-", text=text) == (CLEAN, "No problems in 1 file.\n", "")


def test_text_with_control_characters() -> None:
    status, report, _ = tsc("check", "-", text=b"def f():\n    return \x01\n")
    assert (status, codes(report)) == (FOUND, ["TS104"])


def shown_on_a_terminal(*arguments: str, folder: Path, **environment: str) -> str:
    """What `tsc` writes on a terminal."""
    terminal, side = pty.openpty()
    command = [sys.executable, "-m", "tsc", *arguments]
    variables = {**os.environ, **environment}
    variables.pop("NO_COLOR", None)
    variables |= environment
    with subprocess.Popen(command, stdout=side, stderr=side, cwd=folder, env=variables) as process:
        os.close(side)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            shown += piece
        process.wait(timeout=60)
    os.close(terminal)
    return shown.decode()


def test_colours_on_a_terminal_only(folder: Path) -> None:
    shown = shown_on_a_terminal("check", "wrong.py", folder=folder)
    assert "\x1b[1;31mTS203\x1b[0m" in shown
    assert re.search("\x1b\\[[0-9;]*m~+ <--- HERE\x1b", shown)
    plain = re.sub("\x1b\\[[0-9;]*m", "", shown).replace("\r\n", "\n")
    assert plain == tsc("check", "wrong.py", folder=folder)[1]
    without = shown_on_a_terminal("check", "wrong.py", folder=folder, NO_COLOR="1")
    assert "\x1b" not in without


def test_errors_of_other_commands_tell_how_to_look_up_the_code(folder: Path) -> None:
    status, _, error = tsc("compile", "wrong.py", folder=folder)
    assert status == 1
    assert error.endswith("explain: tsc check --explain TS101\n")


MODULES = """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(x).bar()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.nothing(x)
        z = undefined_name
        return self.block(x)

class Alone(nn.Module):
    def __init__(self, width: int, scale: float = 1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> str:
        return x * self.weight
"""
NOT_TYPED = "Not typed are the methods of these modules; say how they are made, as in --init"


def test_all_problems_of_modules_and_of_those_in_them() -> None:
    status, report, _ = tsc("check", "-", text=MODULES)
    assert (status, codes(report)) == (FOUND, ["TS203", "TS203", "TS201"])
    assert re.findall(r"^<stdin>:(\d+):", report, re.MULTILINE) == ["10", "18", "19"]
    reason = "Alone.__init__() missing 1 required positional argument: 'width'"
    assert report.endswith(
        f'Found 3 problems in 1 file.\n{NOT_TYPED} "Alone(10, hidden=32)":\n  <stdin>:22: Alone: {reason}\n'
    )


def test_modules_whose_constructors_take_arguments() -> None:
    status, report, _ = tsc("check", "-", "--init", "Alone(2, scale=2.0)", text=MODULES)
    assert (status, codes(report)) == (FOUND, ["TS203", "TS203", "TS201", "TS308"])
    assert report.endswith("\n\nFound 4 problems in 1 file.\n")
    status, _, error = tsc("check", "-", "--init", "Alone(2", text=MODULES)
    assert status == WRONG_USAGE
    assert "--init: cannot read 'Alone(2'" in error
    status, _, error = tsc("check", "-", "--init", "Alnoe(2)", text=MODULES)
    assert status == WRONG_USAGE
    assert "no module class 'Alnoe'; there are Alone, Block, Net" in error


def test_reports_for_programs_name_the_modules_that_were_not_typed() -> None:
    _, report, _ = tsc("check", "-", "--format", "json", text=MODULES)
    assert list(json.loads(report)["summary"]["not_typed"]) == ["Alone"]
    _, report, _ = tsc("check", "-", "--format", "sarif", text=MODULES)
    (invocation,) = json.loads(report)["runs"][0]["invocations"]
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["note"]


def test_constructors_that_cannot_be_evaluated_are_problems() -> None:
    text = MODULES.replace("self.block = Block(3)", "self.block = undefined_name")
    status, report, _ = tsc("check", "-", "--select", "TS2", text=text)
    assert status == FOUND
    assert "<stdin>:15:21\n" in report


def test_modules_that_do_not_parse_are_named_as_not_typed() -> None:
    text = MODULES.replace("self.block = Block(3)", "self.block = Block(3")
    status, report, _ = tsc("check", "-", text=text)
    assert (status, codes(report)) == (FOUND, ["TS102"])
    assert ": Net: what it is made of has problems\n" in report
