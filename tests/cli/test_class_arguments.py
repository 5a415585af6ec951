"""Members of enums and named tuples on the command line, and in printed programs."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from tsc.cli import main

PROGRAM = """
from enum import Enum
from typing import NamedTuple, Optional

class Color(Enum):
    RED = 1
    GREEN = 2

class Point(NamedTuple):
    x: int
    color: Color = Color.RED

STEP = 10

def move(color: Color, p: Optional[Point] = None) -> Point:
    if p is None:
        return Point(color.value)
    return Point(p.x + STEP, color)
"""


def tsc(folder: Path, *arguments: str) -> Result:
    path = folder / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return CliRunner().invoke(main, [arguments[0], str(path), *arguments[1:]])


def test_arguments_use_the_classes_and_constants_of_the_file(tmp_path: Path) -> None:
    shown = tsc(tmp_path, "run", "--args", "Color.GREEN, p=Point(STEP, color=Color.GREEN)")
    assert shown.output == "Point(x=20, color=<Color.GREEN: 2>)\n"


def test_an_unknown_member_is_a_wrong_argument(tmp_path: Path) -> None:
    shown = tsc(tmp_path, "run", "--args", "Color.BLUE")
    assert shown.exit_code == 2
    assert "'Enum<__torch__.Color>' has no attribute 'BLUE'" in shown.output


def test_printed_code_has_the_classes_and_prints_the_same_again(tmp_path: Path) -> None:
    printed = tsc(tmp_path, "print-code").output
    assert printed.startswith(
        "class Color(Enum):\n  RED = 1\n  GREEN = 2\n\n"
        "class Point(NamedTuple):\n  x : int\n  color : __torch__.Color = __torch__.Color.RED\n\n"
        "def move("
    )
    again = tmp_path / "again.py"
    again.write_text(printed, encoding="utf-8")
    assert CliRunner().invoke(main, ["print-code", str(again)]).output == printed


def test_results_in_files_have_the_names_of_members(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    tsc(tmp_path, "run", "--args", "Color.GREEN", "-o", str(out))
    assert out.read_text(encoding="utf-8").split() == ["[", "2,", '"Color.RED"', "]"]
