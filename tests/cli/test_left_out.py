"""What a command did not look at is said, with its line; what a constructor raises is a problem with a place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tsc.cli import main

GOOD = "def good(x: int) -> int:\n    return x + 1\n"

LEFT_OUT = {
    "if": "if True:\n    def g(x):\n        return x\nelse:\n    def g(x):\n        return y\n",
    "elif": "if False:\n    pass\nelif True:\n    def g(x):\n        return y\n",
    "else of a loop": "for i in range(2):\n    pass\nelse:\n    def g(x):\n        return y\n",
    "for": "for i in range(2):\n    def g(x):\n        return y\n",
    "while": "while False:\n    def g(x):\n        return y\n",
    "with": "with open('x') as file:\n    def g(x):\n        return y\n",
    "try": "try:\n    def g(x):\n        return y\nexcept ImportError:\n    pass\n",
    "except": "try:\n    pass\nexcept ImportError:\n    def g(x):\n        return y\n",
    "finally": "try:\n    pass\nfinally:\n    def g(x):\n        return y\n",
    "match": "match 1:\n    case 1:\n        def g(x):\n            return y\n",
    "nested": "if True:\n    try:\n        def g(x):\n            return y\n    finally:\n        pass\n",
    "the guard of a script": "if __name__ == '__main__':\n    def g(x):\n        return y\n",
    "async": "async def g(x):\n    return y\n",
    "async with a decorator": "import torch\n\n@torch.jit.script\nasync def g(x):\n    return y\n",
    "async in a block": "if True:\n    async def g(x):\n        return y\n",
    "a class in a block": "if True:\n    class g:\n        def m(self):\n            return y\n",
    "a lambda": "g = lambda x: y\n",
    "a lambda in a block": "if True:\n    g = lambda x: y\n",
    "a class that nothing uses": "class g:\n    def m(self) -> int:\n        return y\n",
    "an enum with methods": (
        "from enum import Enum\n\nclass g(Enum):\n    A = 1\n\n    def m(self) -> int:\n        return y\n"
    ),
    "exec": "exec('def g(x): return y')  # 'g'\n",
    "eval": "f = eval('lambda x: y')  # 'g'\n",
}
left_out = pytest.mark.parametrize("text", LEFT_OUT.values(), ids=LEFT_OUT)

NOTHING_LEFT_OUT = {
    "the guard of a script": "if __name__ == '__main__':\n    print(good(1))\n",
    "statements": "print(1)\nassert True\nfor i in range(3):\n    print(i)\ndel i\n",
    "a docstring": "'''what it is'''\n",
    "a constant": "X = 3\nY = [X]\n",
    "a conditional import": "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n",
    "an enum": "from enum import Enum\n\nclass C(Enum):\n    A = 1\n",
    "a record": "from typing import NamedTuple\n\nclass P(NamedTuple):\n    x: int\n",
    "an exception": "class E(Exception):\n    pass\n",
    "an interface": (
        "import torch\n\n@torch.jit.interface\nclass I:\n    def m(self, x: int) -> int:\n        pass\n"
    ),
    "a class that is used": (
        "class C:\n    def m(self) -> int:\n        return 1\n\ndef f() -> int:\n    return C().m()\n"
    ),
    "a class that asks to be compiled": (
        "import torch\n\n@torch.jit.script\nclass C:\n    def m(self) -> int:\n        return 1\n"
    ),
}


def tsc(folder: Path, text: str, *arguments: str) -> tuple[int, str, str]:
    """The exit status, standard output and standard error of a command on a file with that text."""
    path = folder / "program.py"
    path.write_text(text)
    named = [str(path) if each == "FILE" else each for each in arguments]
    result = CliRunner().invoke(main, named)
    place = f"{path}:"
    return result.exit_code, *(
        each.replace(place, "program.py:") for each in (result.stdout, result.stderr)
    )


def line_of(text: str) -> int:
    """Where the first statement begins that is not an import or a blank line."""
    lines = text.splitlines()
    skipped = ("import", "from", "@", "")
    return next(
        n
        for n, line in enumerate(lines, 1)
        if line.partition(" ")[0].partition(".")[0] not in skipped
    )


@left_out
@pytest.mark.parametrize("quiet", [False, True])
def test_check_says_what_it_did_not_look_at(tmp_path: Path, text: str, quiet: bool) -> None:
    status, report, _ = tsc(tmp_path, text + GOOD, *["-q"] * quiet, "check", "FILE")
    assert status == 0
    (line,) = re.findall(r"^  program.py:(\d+): .*$", report, re.MULTILINE)
    assert int(line) == line_of(text.replace("@torch.jit.script\n", "\n"))
    assert "Not looked at:" in report
    assert ("No problems" in report) is not quiet


@left_out
def test_reports_for_programs_say_it_too(tmp_path: Path, text: str) -> None:
    _, report, _ = tsc(tmp_path, text, "check", "FILE", "--format", "json")
    (entry,) = json.loads(report)["summary"]["not_looked_at"]
    assert entry["line"] == line_of(text.replace("@torch.jit.script\n", "\n"))
    _, report, _ = tsc(tmp_path, text, "check", "FILE", "--format", "sarif")
    assert "not looked at: " in report


@left_out
@pytest.mark.parametrize("command", ["compile", "print-code"])
def test_commands_on_all_of_a_file_say_it(tmp_path: Path, text: str, command: str) -> None:
    status, result, error = tsc(tmp_path, text + GOOD, "-q", command, "FILE")
    assert status == 0
    assert "x" in result
    assert error.startswith("left out is program.py:")
    status, result, error = tsc(tmp_path, text, command, "FILE")
    assert (status, result) == (2, "")
    assert "nothing to compile but what is left out:\n  program.py:" in error


@left_out
def test_who_asks_for_what_was_not_read_is_told(tmp_path: Path, text: str) -> None:
    status, _, error = tsc(tmp_path, text + GOOD + GOOD.replace("good", "other"), "run", "FILE")
    assert status == 2
    assert "not read is program.py:" in error
    if "'g'" not in text and "class g" not in text:
        status, _, error = tsc(tmp_path, text + GOOD, "run", "FILE", "g")
        assert status == 2
        assert "not read is program.py:" in error


@pytest.mark.parametrize("text", NOTHING_LEFT_OUT.values(), ids=NOTHING_LEFT_OUT)
def test_what_holds_no_code_is_not_mentioned(tmp_path: Path, text: str) -> None:
    status, report, error = tsc(tmp_path, GOOD + text, "check", "FILE")
    assert (status, report, error) == (0, "No problems in 1 file.\n", "")
    assert tsc(tmp_path, GOOD + text, "-q", "check", "FILE") == (0, "", "")
    status, _, error = tsc(tmp_path, GOOD + text, "compile", "FILE")
    assert (status, error) == (0, "")


CONSTRUCTORS = {
    "no super": ("self.l = nn.Linear(2, 2)", 6, "before Module.__init__"),
    "no super, and numbers alone": ("self.n = 2", 4, "did you forget to call 'super().__init__()'"),
    "a wrong type": ('super().__init__(); self.l = nn.Linear(2, "x")', 6, "raises TypeError"),
    "a negative size": (
        "super().__init__(); self.l = nn.Linear(-1, 1)",
        6,
        "negative dimension -1",
    ),
    "raise": ('super().__init__(); raise ValueError("no")', 6, "raises ValueError: no"),
    "assert": ("super().__init__(); assert False, 'no'", 6, "raises AssertionError: no"),
    "an unknown name": ("super().__init__(); self.x = unknown", 6, "unknown"),
    "no such attribute": ("super().__init__(); self.x = self.y", 6, "raises AttributeError"),
    "a division": ("super().__init__(); self.x = 1 / 0", 6, "raises ZeroDivisionError"),
    "an index": ("super().__init__(); self.x = [1][2]", 6, "raises IndexError"),
    "a missing argument": ("super().__init__(); self.l = nn.Linear(2)", 6, "raises TypeError"),
    "a keyword": ("super().__init__(); self.l = nn.Linear(2, 2, bais=True)", 6, "bais"),
    "another module": ("super().__init__(); self.b = Bad()", 6, "raises ValueError: bad"),
}
CLASS = """\
import torch
from torch import nn

class M(nn.Module):
    def __init__(self):
        {}
    def forward(self, x):
        return x
"""
BAD = """
class Bad(nn.Module):
    def __init__(self, n: int = 0):
        super().__init__()
        if n == 0:
            raise ValueError("bad")
"""


@pytest.mark.parametrize(("body", "line", "message"), CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_a_constructor_that_fails_is_a_problem(
    tmp_path: Path, body: str, line: int, message: str
) -> None:
    text = CLASS.format(body) + (BAD if "Bad()" in body else "")
    status, report, _ = tsc(tmp_path, text, "check", "FILE")
    assert status == 1
    assert message in report
    assert re.search(rf"^program\.py:{line}:\d+$|^program\.py:14:12$", report, re.MULTILINE)
    for command in ("compile", "print-code", "run"):
        status, _, error = tsc(tmp_path, text, command, "FILE")
        assert status in (1, 2)
        assert message.removeprefix("raises ") in error or "raises" in message


def test_arguments_of_constructors_are_asked_for_or_given(tmp_path: Path) -> None:
    text = "from torch import nn\n" + BAD
    status, report, _ = tsc(tmp_path, text, "check", "FILE")
    assert status == 1
    assert '--init "Bad(10, hidden=32)"' in report
    status, report, _ = tsc(tmp_path, text, "check", "FILE", "--init", "Bad(2)")
    assert (status, report) == (0, "No problems in 1 file.\n")
    status, report, _ = tsc(tmp_path, text, "check", "FILE", "--init", "Bad(2, 3)")
    assert status == 1
    assert "TS605" in report


SCRIPT_MODULE = """\
import torch

class M(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(2))

    @torch.jit.script_method
    def forward(self, x):
        return x + self.w

    @torch.jit.script_method
    def twice(self, x):
        return x * 2

    def left_to_python(self, x):
        return unknown
"""


def test_script_modules_are_modules(tmp_path: Path) -> None:
    status, result, _ = tsc(tmp_path, SCRIPT_MODULE, "compile", "FILE")
    assert status == 0
    assert "# M.forward (ir)" in result
    assert "# M.twice (ir)" in result
    _, result, _ = tsc(tmp_path, SCRIPT_MODULE, "print-code", "FILE")
    assert result.startswith("class M(Module):\n")
    _, result, _ = tsc(tmp_path, SCRIPT_MODULE, "run", "FILE", "--args", "torch.ones(2)")
    assert result == "tensor([2., 2.], grad_fn=<AddBackward0>)\n"
    status, report, _ = tsc(
        tmp_path, SCRIPT_MODULE.replace("self.w\n", "self.v\n"), "check", "FILE"
    )
    assert status == 1
    assert "program.py:10:19" in report


MODULES = """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(2), Block(3)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
"""
ALONE = "\nclass Alone(Block):\n    pass\n\ndef make():\n    return Net()\n"


@pytest.mark.parametrize("command", ["compile", "print-code"])
def test_all_of_a_file_is_its_modules_too(tmp_path: Path, command: str) -> None:
    status, result, error = tsc(tmp_path, MODULES, command, "FILE")
    assert (status, error) == (0, "")
    assert "__torch__.Net" in result
    status, again, error = tsc(tmp_path, MODULES + ALONE, command, "FILE")
    assert (status, again) == (0, result)
    assert error.splitlines() == [
        "left out is program.py:25: function 'make', which makes or takes modules",
        "left out is program.py:22: module 'Alone', for Block.__init__() missing 1 required positional "
        "argument: 'width': name it, and give --init",
    ]


def test_printed_modules_are_each_there_once(tmp_path: Path) -> None:
    _, result, _ = tsc(tmp_path, MODULES, "print-code", "FILE")
    assert result.count("class Net(") == 1
    assert result.count("class Block(") == 2  # of two widths
