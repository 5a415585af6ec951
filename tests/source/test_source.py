"""Positions, lines and highlights."""

from __future__ import annotations

import pytest

from tsc.compiler.source import Source, SourceRange


def find(text: str, part: str) -> SourceRange:
    source = Source(text)
    start = source.text.index(part)
    return source.range(start, start + len(part))


@pytest.mark.parametrize(
    ("offset", "position"), [(0, (1, 0)), (3, (1, 3)), (4, (2, 0)), (8, (3, 0)), (9, (3, 1))]
)
def test_position(offset: int, position: tuple[int, int]) -> None:
    assert Source("abc\ndef\ng").position(offset) == position


def test_first_line_shifts_positions_and_lines() -> None:
    source = Source("a\nb", first_line=10)
    assert source.position(2) == (11, 0)
    assert source.line_text(11) == "b"
    assert source.line_text(1) == ""


def test_line_ends_and_byte_order_mark_are_normalized() -> None:
    assert Source("\ufeffa\r\nb\rc\n").text == "a\nb\nc\n"


def test_range_prints_as_file_line_column() -> None:
    source = Source("x\n  y", "m.py")
    assert str(source.range(4, 5)) == "m.py:2:2"
    assert source.range(4, 5).text == "y"


def test_through_joins_ranges() -> None:
    source = Source("a + b")
    assert source.range(0, 1).through(source.range(4, 5)).text == "a + b"


def test_highlight_marks_the_range() -> None:
    assert find("x = foo(1)\n", "foo").highlight() == "x = foo(1)\n    ~~~ <--- HERE"


def test_highlight_keeps_tabs_before_the_marks() -> None:
    assert find("\tif\tx:\n", "x").highlight() == "\tif\tx:\n\t  \t~ <--- HERE"


def test_highlight_of_several_lines() -> None:
    text = "a = 1\nif x:\n\n    y = 2\nz\n"
    expected = "if x:\n~~~~~\n\n    y = 2\n    ~~~~~ <--- HERE"
    assert find(text, "if x:\n\n    y = 2").highlight() == expected


def test_highlight_ignores_trailing_white_space_of_the_range() -> None:
    assert find("x  \n\n\ny", "x  \n\n\n").highlight() == "x  \n~ <--- HERE"


def test_highlight_shows_context() -> None:
    assert find("a\nb\nc\nd", "b").highlight(context=1) == "a\nb\n~ <--- HERE\nc"


def test_highlight_cuts_long_ranges() -> None:
    lines = [f"line_{number}" for number in range(100)]
    shown = find("\n".join(lines), "\n".join(lines[10:90])).highlight().split("\n")
    assert "..." in shown
    assert len(shown) == 25
    assert shown[-1] == "~~~~~~~ <--- HERE"


def test_highlight_cuts_long_lines() -> None:
    shown = find("x = [" + "0, " * 5000 + "y]", "y").highlight().split("\n")
    assert len(shown[0]) < 100
    assert shown[0].endswith("y]")
    assert shown[1].index("~") == shown[0].index("y")


def test_highlight_at_the_end_of_the_text() -> None:
    source = Source("ab")
    assert source.range(2, 2).highlight() == "ab\n  ~ <--- HERE"


def test_wide_letters_take_two_columns() -> None:
    assert find("日本 = x", "x").highlight() == "日本 = x\n       ~ <--- HERE"
