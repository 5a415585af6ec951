"""What `tsc print-code` prints of an archive compiles again, to the same graphs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.oracle.answers import normalize_graph
from tsc.compiler.ir import Function
from tsc.compiler.source import Problems, Source, UsageError
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.programs.archive_unit import ArchiveUnit, read_archive_file
from tsc.runtime.programs.printed_archive import PrintedArchiveUnit

ROOT = Path(__file__).parent.parent.parent
ARCHIVES = sorted(
    path
    for folder in (
        "samples/archives",
        "tests/oracle/archives/recorded",
        "tests/serialization/archives",
    )
    for path in (ROOT / folder).glob("*.pt*")
    if path.suffix in (".pt", ".ptl") and not path.name.startswith("objects_")  # of Python
)
_WARNING = re.compile(r"warn_id=\d+")


def functions(unit: ArchiveUnit | PrintedArchiveUnit) -> dict[str, Function]:
    """Every function and method, by its qualified name."""
    problems = Problems()
    found = unit.report(problems)
    assert not list(problems)
    return {each.qualified_name: each for each in found}


def described(function: Function) -> tuple[str, str]:
    """The schema, and the graph without places, names of values and the count of warnings."""
    return str(function.schema), _WARNING.sub("", normalize_graph(str(function.graph)))


def assert_printed_code_compiles_again(path: Path) -> None:
    archive = ArchiveUnit(read_archive_file(str(path)), toolchain())
    text = archive.printed(None)
    again = PrintedArchiveUnit(Source(text, f"{path.name}.py"), toolchain())
    expected, found = functions(archive), functions(again)
    assert expected.keys() <= found.keys()
    for name, function in expected.items():
        assert described(found[name]) == described(function), name
    assert again.printed(None) == text


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.name)
def test_printed_code_compiles_again_to_the_same_graphs(path: Path) -> None:
    assert_printed_code_compiles_again(path)


def digits() -> PrintedArchiveUnit:
    text = ArchiveUnit(
        read_archive_file(str(ROOT / "samples/archives/digits.pt")), toolchain()
    ).printed(None)
    return PrintedArchiveUnit(Source(text, "digits.py"), toolchain())


def test_parts_are_chosen_by_name() -> None:
    assert list(digits().selected("Digits.read")) == ["Digits.read"]
    assert list(digits().selected("Digits")) == ["Digits.forward", "Digits.image", "Digits.read"]
    with pytest.raises(UsageError, match="no function or class 'Digit'"):
        digits().selected("Digit")
    with pytest.raises(UsageError, match="no constructors"):
        digits().selected(None, "3")


def test_nothing_can_be_run() -> None:
    with pytest.raises(UsageError, match="run the archive"):
        digits().choose(None)


def test_places_are_those_of_the_whole_text() -> None:
    function = digits().selected("Digits.image")["Digits.image"]
    assert (function.range.filename, function.range.line) == ("digits.py", 16)


def test_what_does_not_compile_is_reported_at_its_place() -> None:
    text = "# code/__torch__.py\nclass A(Module):\n  def forward(self: __torch__.A) -> int:\n    return b\n"
    problems = Problems()
    PrintedArchiveUnit(Source(text, "a.py"), toolchain()).report(problems)
    assert [(str(each.range), each.message) for each in problems] == [
        ("a.py:4:11", "undefined value b")
    ]
