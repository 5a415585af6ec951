"""Imports of sibling files and packages: what they may bring along, and how they may go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import tsc

SHAPES = """
from typing import List, NamedTuple

SIDE = 4

class Size(NamedTuple):
    width: int
    height: int

Sizes = List[Size]

def area(size: Size) -> int:
    return size.width * size.height
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "package").mkdir()
    (tmp_path / "shapes.py").write_text(SHAPES, encoding="utf-8")
    (tmp_path / "package" / "inner.py").write_text(
        "from ..shapes import SIDE\n\ndef inner() -> int:\n    return SIDE\n", encoding="utf-8"
    )
    return tmp_path


def compiled(folder: Path, text: str) -> tsc.CompilationUnit:
    path = folder / "main.py"
    path.write_text(text, encoding="utf-8")
    return tsc.compile_file(path)


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import package.inner", "package.inner.inner()"),
        ("import package.inner as deep", "deep.inner()"),
        ("from package import inner as deep", "deep.inner()"),
        ("from package.inner import inner", "inner()"),
        ("from . import shapes", "shapes.SIDE"),
        ("from .package import inner", "inner.inner()"),
        ("from .shapes import *", "SIDE"),
        ("from shapes import SIDE\nAREA = SIDE * SIDE", "AREA // 4"),
        ("from . import shapes as s\nAREA = s.SIDE * 1", "AREA"),
        ("from shapes import *\nAREA = SIDE", "AREA"),
    ],
)
def test_files_and_packages_are_found(folder: Path, imports: str, call: str) -> None:
    assert compiled(folder, f"{imports}\ndef f() -> int:\n    return {call}\n").f() == 4


@pytest.mark.parametrize(
    ("imports", "prefix"),
    [
        ("import shapes", "shapes."),
        ("import shapes as s", "s."),
        ("from . import shapes", "shapes."),
        ("from shapes import *", ""),
        ("from shapes import Size, Sizes, area", ""),
    ],
)
def test_types_come_along(folder: Path, imports: str, prefix: str) -> None:
    unit = compiled(
        folder,
        f"{imports}\n"
        f"def first(sizes: {prefix}Sizes) -> {prefix}Size:\n    return sizes[0]\n"
        f"def f() -> int:\n    return {prefix}area(first([{prefix}Size(2, 3)]))\n",
    )
    assert unit.f() == 6


def test_files_may_import_each_other(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(
        "from main import *\n\ndef odd(n: int) -> bool:\n    return n != 0 and even(n - 1)\n"
    )
    unit = compiled(
        tmp_path,
        "from other import *\n\ndef even(n: int) -> bool:\n    return n == 0 or odd(n - 1)\n",
    )
    assert (unit.even(6), unit.even(7)) == (True, False)


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        ("from other import *", "from main import *", "undefined value lost"),
        ("from other import lost", "from main import lost", "no attribute lost"),
        ("from other import lost", "", "module 'other' has no attribute lost"),
        ("import other.lost as lost", "", "module 'other.lost' is not available"),
    ],
)
def test_what_no_file_defines_is_an_error(
    tmp_path: Path, ours: str, theirs: str, message: str
) -> None:
    (tmp_path / "other.py").write_text(theirs)
    with pytest.raises(tsc.CompileError, match=message) as caught:
        compiled(tmp_path, f"{ours}\ndef f() -> int:\n    return lost.a()\n").f()
    assert caught.value.range.line in (1, 3)


def test_an_import_that_is_not_used_may_be_missing(tmp_path: Path) -> None:
    assert compiled(tmp_path, "import pandas\ndef f() -> int:\n    return 1\n").f() == 1


@pytest.mark.parametrize(
    "use",
    [
        "import {name}\ndef f(x):\n    return {name}.g(x)",
        "def f(x):\n    return torch.nn.{name}.g(x)",
    ],
)
def test_names_that_no_file_can_have(tmp_path: Path, use: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(use.format(name="x" * 300) + "\n")
    with pytest.raises(tsc.CompileError):
        print(tsc.compile_file(path).f.graph)
