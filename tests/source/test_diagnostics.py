"""The text of compile errors."""

from __future__ import annotations

from compiler.source import UNKNOWN_RANGE, CompileError, Error, Note, Source


def test_error_shows_message_place_and_hint() -> None:
    range = Source("y = q\n", "m.py").range(4, 5)
    error = CompileError("undefined value q", range, hint="define it")
    assert isinstance(error, Error)
    assert str(error) == "\n".join(
        ["undefined value q", "m.py:1:4", "y = q", "    ~ <--- HERE", "hint: define it"]
    )


def test_plain_notes_follow_the_message_and_others_their_place() -> None:
    source = Source("(\n]")
    note = Note("opened here:", source.range(0, 1))
    error = CompileError("wrong", source.range(2, 3), notes=["because", note])
    assert str(error) == "\n".join(
        (
            *("wrong", "because", "<string>:2:0", "]", "~ <--- HERE"),
            *("opened here:", "<string>:1:0", "(", "~ <--- HERE"),
        )
    )


def test_unknown_place_is_not_shown() -> None:
    assert str(CompileError("wrong", UNKNOWN_RANGE, hint="do")) == "wrong\nhint: do"
