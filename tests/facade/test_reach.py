"""What is asked for is compiled, with what it reaches: one bad function does not block a file."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tsc
from tests.work import calls_made
from tsc.compiler.source import Source
from tsc.runtime.programs.source_unit import SourceUnit

GOOD = "def good(x: int) -> int:\n    return x + 1\n\n"

BAD = {
    "an unknown name": "def bad(x: int):\n    return unknown(x)\n",
    "a wrong type": 'def bad(x: int) -> int:\n    return "a"\n',
    "an unknown annotation": "def bad(x: Unknown) -> int:\n    return 1\n",
    "rest parameters": "def bad(*x: int) -> int:\n    return 1\n",
    "a statement that is not TorchScript": "def bad(x: int):\n    global y\n    y = x\n",
    "a generator": "def bad(x: int):\n    yield x\n",
    "a decorator": "@unknown\ndef bad(x: int):\n    return x\n",
    "a second definition": "def bad(x: int):\n    return x\n\ndef bad(x: int):\n    return x\n",
    "an overload that does not fit": (
        "import torch\n\n@torch.jit._overload\ndef bad(y: int): ...\n\ndef bad(x):\n    return x\n"
    ),
    "a missing import": "import lost\n\ndef bad(x: int):\n    return lost.f(x)\n",
    "a bad neighbour": "def bad(x: int):\n    return worse(x)\n\ndef worse(x: int):\n    return y\n",
    "a bad class": (
        "class C:\n    def __init__(self):\n        self.x = unknown\n\ndef bad():\n    return C().x\n"
    ),
    "a method that nobody calls": (
        "class C:\n    def m(self) -> int:\n        return unknown\n\ndef bad(c: C) -> int:\n    return 1\n"
    ),
    "a class in an attribute": (
        "class C:\n    def m(self) -> int:\n        return unknown\n\n"
        "class D:\n    def __init__(self, c: C):\n        self.c = c\n\n"
        "def bad(d: D) -> int:\n    return 1\n"
    ),
    "a class that inherits itself": "class C(C):\n    pass\n\ndef bad(c: C) -> int:\n    return 1\n",
    "a class that a module's method meets": (
        "import torch\n\nclass C:\n    def m(self) -> int:\n        return unknown\n\n"
        "class M(torch.nn.Module):\n    def forward(self):\n        return [C()]\n\n"
        "def bad():\n    return M()\n"
    ),
    "a bad constant": "Y = open('x')\n\ndef bad(x: int):\n    return x + Y\n",
    "a module": (
        "import torch\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return y\n\n"
        "def bad():\n    return M()\n"
    ),
}
bad_neighbours = pytest.mark.parametrize("bad", BAD.values(), ids=BAD)


def file_of(folder: Path, text: str) -> Path:
    path = folder / "program.py"
    path.write_text(text)
    return path


def raised(ask: Callable[[], Any]) -> str:
    with pytest.raises(tsc.CompileError) as caught:
        ask()
    return str(caught.value)


@bad_neighbours
@pytest.mark.parametrize("is_first", [True, False])
def test_what_is_not_reached_is_not_compiled(tmp_path: Path, bad: str, is_first: bool) -> None:
    text = f"{bad}\n{GOOD}" if is_first else f"{GOOD}{bad}"
    unit = tsc.compile_file(str(file_of(tmp_path, text)))
    assert unit.good(1) == 2
    first = raised(lambda: unit.bad)
    assert unit.good(2) == 3
    assert raised(lambda: unit.bad) == first


@bad_neighbours
def test_a_text_is_compiled_at_once(bad: str) -> None:
    if "return M()" not in bad:
        assert raised(lambda: tsc.CompilationUnit(GOOD + bad))
    unit = tsc.CompilationUnit(GOOD)
    if "return M()" not in bad:
        assert raised(lambda: unit.define(bad))
        assert not hasattr(unit, "bad")
    assert unit.good(1) == 2


MODULE = (
    "import torch\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n"
)


def test_a_text_with_modules_is_compiled_at_once_too() -> None:
    assert "undefined value y" in raised(
        lambda: tsc.CompilationUnit(f"{MODULE}def f(x: int):\n    return y\n")
    )


def test_functions_that_make_modules_are_left_to_python() -> None:
    makers = (
        "def layer(*sizes: int, **options) -> torch.nn.Linear:\n    return torch.nn.Linear(*sizes)\n\n"
        "def make():\n    return M()\n\ndef trained():\n    return make()\n\n"
        "def use(model: torch.nn.Module):\n    return model\n\n"
    )
    unit = tsc.CompilationUnit(MODULE + makers + GOOD)
    assert unit.good(1) == 2
    assert unit.M()(tsc.tensor([3])).tolist() == [3]
    for name in ("layer", "make", "trained", "use"):
        assert raised(partial(getattr, unit, name))


def test_an_error_is_the_same_whatever_is_asked_for_first(tmp_path: Path) -> None:
    text = "def a(x: int):\n    return b(x)\n\ndef b(x: int):\n    return unknown\n"
    path = str(file_of(tmp_path, text))
    one, other = tsc.compile_file(path), tsc.compile_file(path)
    assert raised(lambda: one.a) == raised(lambda: one.b)
    assert raised(lambda: other.b) == raised(lambda: other.a) == raised(lambda: one.a)


def test_what_is_named_and_not_called_may_be_bad(tmp_path: Path) -> None:
    text = (
        "import torch\n\ndef bad(x: int):\n    return unknown\n\n"
        "def f(x: int) -> int:\n    if torch.jit.is_scripting():\n        return x\n    return bad(x)\n\n"
        "def g(x: int) -> int:\n    bad = x\n    return bad\n"
    )
    unit = tsc.compile_file(str(file_of(tmp_path, text)))
    assert (unit.f(1), unit.g(2)) == (1, 2)


def test_functions_that_call_each_other_are_compiled_from_either_end(tmp_path: Path) -> None:
    text = (
        "def even(n: int) -> bool:\n    return n == 0 or odd(n - 1)\n\n"
        "def odd(n: int) -> bool:\n    return n != 0 and even(n - 1)\n"
    )
    path = str(file_of(tmp_path, text))
    assert tsc.compile_file(path).even(6)
    assert tsc.compile_file(path).odd(7)


def test_all_of_a_class_that_a_module_meets_is_compiled(tmp_path: Path) -> None:
    text = BAD["a class that a module's method meets"]
    unit = tsc.compile_file(str(file_of(tmp_path, text)))
    assert "undefined value unknown" in raised(unit.M)
    assert raised(unit.M) == raised(unit.M)


def chain(count: int, also: int = 0) -> str:
    calls = [f"def f{i}(x: int) -> int:\n    return f{i + 1}(x) + 1\n" for i in range(count)]
    others = [f"def g{i}(x: int) -> int:\n    return unknown + {i}\n" for i in range(also)]
    return "\n".join([*calls, f"def f{count}(x: int) -> int:\n    return x\n", *others])


def test_chains_of_calls_may_be_long() -> None:
    unit = SourceUnit.from_source(Source(chain(600)), at_once=False)
    assert unit.function("f0").schema.arguments[0].name == "x"


def test_work_grows_with_what_is_reached() -> None:
    def ask(also: int) -> int:
        unit = SourceUnit.from_source(Source(chain(20, also)), at_once=False)
        return calls_made(lambda: unit.function("f0"))

    assert ask(800) < 1.05 * ask(400)


def test_threads_may_ask_at_the_same_time(tmp_path: Path) -> None:
    unit = tsc.compile_file(str(file_of(tmp_path, chain(40) + BAD["a bad neighbour"])))
    asks = [f"f{i}" for i in range(0, 40, 5)] * 4 + ["bad", "worse"] * 8

    def result(name: str) -> object:
        try:
            return getattr(unit, name)(0)
        except tsc.CompileError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        results = [*pool.map(result, asks)]
    assert results[: len(asks) - 16] == [40 - int(name[1:]) for name in asks[:-16]]
    assert len({*results[-16:]}) == 1
