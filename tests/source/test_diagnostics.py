"""The text of compile errors."""

from __future__ import annotations

from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Error, Note, Source, codes

_EXPLAIN = "explain: tsc check --explain TS201"


def test_error_shows_message_place_hint_and_code() -> None:
    range = Source("y = q\n", "m.py").range(4, 5)
    error = CompileError("undefined value q", range, code=codes.UNDEFINED_NAME, hint="define it")
    assert isinstance(error, Error)
    assert str(error) == "\n".join(
        ["undefined value q", "m.py:1:4", "y = q", "    ~ <--- HERE", "hint: define it", _EXPLAIN]
    )


def test_plain_notes_follow_the_message_and_others_their_place() -> None:
    source = Source("(\n]")
    note = Note("opened here:", source.range(0, 1))
    notes = ["because", note]
    error = CompileError("wrong", source.range(2, 3), code=codes.UNDEFINED_NAME, notes=notes)
    assert str(error) == "\n".join(
        (
            *("wrong", "because", "<string>:2:0", "]", "~ <--- HERE"),
            *("opened here:", "<string>:1:0", "(", "~ <--- HERE", _EXPLAIN),
        )
    )


def test_unknown_place_is_not_shown() -> None:
    error = CompileError("wrong", UNKNOWN_RANGE, code=codes.UNDEFINED_NAME, hint="do")
    assert str(error) == f"wrong\nhint: do\n{_EXPLAIN}"


def test_an_error_moved_to_another_place_keeps_all_else() -> None:
    source = Source("f(x)")
    error = CompileError(
        "wrong", source.range(0, 4), code=codes.WRONG_ARGUMENT, notes=["because"], hint="do"
    )
    moved = error.at(source.range(2, 3))
    assert moved.range.text == "x"
    assert (moved.message, moved.code, moved.notes, moved.hint) == (
        *(error.message, error.code, error.notes, error.hint),
    )
