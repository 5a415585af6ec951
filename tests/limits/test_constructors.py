"""Constructors that would take all time or memory: each command and the API end them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.limits.forked import endings
from tests.limits.hostile import api, command, some, written
from tsc.cli import main

BODIES = {
    "an endless loop": "while True: pass",
    "endless recursion": "self.f = (lambda f: f(f))(lambda f: f(f))",
    "a large tensor": "self.x = torch.ones(30000, 30000)",
    "many tensors": "self.x = [torch.ones(1000, 1000) for _ in range(10**6)]",
    "a tensor that is expanded": "self.x = torch.ones(1).expand(10**6, 10**4) + 1",
    "a large layer": "self.x = nn.Linear(30000, 30000)",
    "a million layers": "self.x = nn.ModuleList([nn.Linear(2, 2) for _ in range(10**6)])",
    "a product": "self.x = list(itertools.product([1, 2, 3], repeat=20))",
    "permutations": "self.x = [p for p in itertools.permutations(range(20))]",
    "doubled text": "x = 'a'\n        for i in range(100): x = x + x",
    "doubled lists": "x = [1]\n        for i in range(100): x += x",
    "kept lists": "x = [0] * 10**6\n        self.y = [x * 10 for _ in range(1000)]",
    "replaced text": "x = 'a' * 1000\n        for i in range(100): x = x.replace('a', 'aa' * 1000)",
    "long sorts": "x = torch.ones(10**6)\n        for i in range(10**4): x = x.sort()[0]",
    "long products": "x = torch.ones(1000, 1000)\n        for i in range(10**4): x = x @ x",
    "doubled modules": "x = nn.Linear(1, 1)\n        for i in range(40): x = nn.Sequential(x, x)\n        self.x = x",
    "a deep hash": "x = ()\n        for i in range(200000): x = (x,)\n        hash(x)",
    "a deep key": "x = ()\n        for i in range(200000): x = (x,)\n        self.x = {x: 1}",
    "a deep element": "x = ()\n        for i in range(200000): x = (x,)\n        self.x = x in {1}",
    "a deep set": "x = ()\n        for i in range(200000): x = (x,)\n        self.x = set([x])",
}
HEAD = "import torch, itertools\nfrom torch import nn\n\nclass M(nn.Module):\n    def __init__(self):\n"
TAIL = "\n\n    def forward(self, x: torch.Tensor) -> torch.Tensor:\n        return x\n"


def source(body: str) -> str:
    return f"{HEAD}        super().__init__()\n        {body}{TAIL}"


@pytest.mark.slow
def test_the_api_ends_it(tmp_path: Path) -> None:
    """Each within half a second (`tests.limits.forked`)."""
    kinds = some(list(BODIES))
    files = [written(tmp_path, f"{kind}.py", source(BODIES[kind])) for kind in kinds]
    for _, ended in endings((file, ["construct", file]) for file in files):
        ended.check_clear()


@pytest.mark.parametrize(
    "arguments", [["compile"], ["print-code"], ["run"], ["compile", "--stage", "all"]]
)
@pytest.mark.parametrize("kind", ["an endless loop", "many tensors"])
def test_commands_end_it(tmp_path: Path, arguments: list[str], kind: str) -> None:
    file = written(tmp_path, "m.py", source(BODIES[kind]))
    name, *options = arguments
    command(name, file, "M", *options).check_clear()


@pytest.mark.parametrize("kind", ["an endless loop", "a million layers"])
def test_check_ends_it(tmp_path: Path, kind: str) -> None:
    ended = command("check", written(tmp_path, "m.py", source(BODIES[kind])))
    ended.check_calm()
    assert re.search("stopped (after|before an operator)", ended.output + ended.errors)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-steps", "1000"], "stopped after 1000 steps"),
        (["--max-seconds", "0.2"], "stopped after 0.2 seconds"),
    ],
)
@pytest.mark.parametrize("name", ["compile", "print-code", "run"])
def test_options_say_how_much(tmp_path: Path, name: str, options: list[str], said: str) -> None:
    file = written(tmp_path, "m.py", source(BODIES["an endless loop"]))
    ended = command(name, file, "M", *options)
    ended.check_clear()
    assert said in ended.errors
    assert options[0] in ended.errors


def test_memory_is_given_in_words(tmp_path: Path) -> None:
    file = written(tmp_path, "m.py", source("self.x = nn.Linear(1000, 1000)"))
    assert command("compile", file, "M").status == 0
    ended = command("compile", file, "M", "--max-memory", "2M")
    ended.check_clear()
    assert "stopped after 2 MB" in ended.errors
    assert command("compile", file, "M", "--max-memory", "1.5G").status == 0
    assert "is no size" in command("compile", file, "M", "--max-memory", "much").errors


def test_python_raises_and_lowers_the_limits() -> None:
    text = source("self.x = sum(i for i in range(1000))")
    ended = api(
        f"unit = tsc.CompilationUnit({text!r})\n"
        "unit.M()\n"
        "with tsc.limits(max_steps=100):\n"
        "    unit.M()"
    )
    ended.check_clear()
    assert "stopped after 100 steps" in ended.errors


@pytest.mark.parametrize("value", ["5", "'a'", "[1]", "torch.ones(1)"])
@pytest.mark.parametrize("name", ["check", "compile", "print-code"])
def test_what_is_no_module_among_modules_is_told(tmp_path: Path, name: str, value: str) -> None:
    file = tmp_path / "m.py"
    file.write_text(source(f"self._modules['x'] = {value}"))
    told = CliRunner().invoke(main, [name, str(file)])
    assert told.exit_code == 1
    assert "'x' of module 'M' is no module" in told.output
