"""What is wrong with a text that cannot be cut into tokens."""

from __future__ import annotations

import re
import unicodedata

from tsc.compiler.frontend.tokens import Token
from tsc.compiler.source import CompileError, Note, Source, SourceRange, codes

_STRING_OPENING = re.compile(r"[a-zA-Z]{0,2}('''|\"\"\"|'|\")")
_NUMBER_LIKE = re.compile(r"[0-9.][\w.]*")
_WORDS_AFTER_NUMBERS = re.compile(r"(?:and|else|for|if|in|is|not|or)\b")
_LEADING_ZERO = re.compile(r"0[0-9_]*[1-9][0-9_]*")
_BASES = {"x": "hexadecimal", "o": "octal", "b": "binary"}
_LOOKALIKES = {
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "−": "-", "×": "*", "÷": "/",
    "≤": "<=", "≥": ">=", "≠": "!=", "…": "...", "，": ",", "：": ":", "；": ";", "（": "(",
    "）": ")",
}  # fmt: skip
_STRANGERS = {
    "$": "names have letters, digits and underscores only",
    "?": "a choice is written 'a if condition else b'",
    "!": "'not' negates a condition, '!=' compares",
    "\\": "a backslash joins two lines only as the last character of the first one",
    "`": "a string stands between ' or \"",
}


def no_token(source: Source, position: int, end: int) -> CompileError:
    """Why no token begins at an offset."""
    text = source.text
    opening = _STRING_OPENING.match(text, position, end)
    if opening is not None:
        return _unterminated_string(source, position, end, opening[1])
    return stray_character(source, position)


def _unterminated_string(source: Source, start: int, end: int, quote: str) -> CompileError:
    line_end = source.text.find("\n", start, end)
    range = source.range(start, end if line_end < 0 else line_end)
    if len(quote) == 3:
        return CompileError(
            "expected a valid token but found an unterminated triple-quoted string",
            range,
            code=codes.UNTERMINATED_STRING,
            hint=f"close it with {quote}",
        )
    return CompileError(
        "expected a valid token but found an unterminated string",
        range,
        code=codes.UNTERMINATED_STRING,
        hint=f"close it with {quote} on the same line, or use {quote * 3} for several lines",
    )


def invalid_name(source: Source, start: int, word: str) -> CompileError:
    """A word with a letter that no name has."""
    normalized = ""
    for position, letter in enumerate(word):
        normalized += unicodedata.normalize("NFKC", letter)
        if not normalized.isidentifier():
            return stray_character(source, start + position)
    return stray_character(source, start)


def stray_character(source: Source, position: int) -> CompileError:
    """A character that no token has."""
    letter = source.text[position]
    range = source.range(position, position + 1)
    if letter in _LOOKALIKES:
        hint = f"did you mean {_LOOKALIKES[letter]!r}?"
        return CompileError(
            f"invalid character {letter!r} (U+{ord(letter):04X})",
            range,
            code=codes.INVALID_CHARACTER,
            hint=hint,
        )
    if not letter.isprintable():
        name = unicodedata.name(letter, "a control character").lower()
        hint = "delete it, or put a plain space in its place"
        return CompileError(
            f"invisible character U+{ord(letter):04X} ({name})",
            range,
            code=codes.INVALID_CHARACTER,
            hint=hint,
        )
    return CompileError(
        f"invalid character {letter!r}",
        range,
        code=codes.INVALID_CHARACTER,
        hint=_STRANGERS.get(letter),
    )


def check_number(source: Source, start: int, number_end: int, end: int) -> None:
    """Refuses ``1abc``, ``0x``, ``1__0`` and ``007``; the number itself ends at ``number_end``."""
    text = source.text
    found = _NUMBER_LIKE.match(text, start, end)
    whole = "" if found is None else found[0]
    is_longer = start + len(whole) > number_end
    if is_longer and not _WORDS_AFTER_NUMBERS.match(text, number_end, end):
        kind = _BASES.get(whole[1:2].lower(), "") if whole[0] == "0" else ""
        raise CompileError(
            f"invalid {kind or 'decimal'} number {whole!r}",
            source.range(start, start + len(whole)),
            code=codes.INVALID_NUMBER,
            hint="a name cannot begin with a digit" if not kind and whole[1:].isalnum() else None,
        )
    if _LEADING_ZERO.fullmatch(text, start, number_end):
        raise CompileError(
            "leading zeros in decimal numbers are not permitted",
            source.range(start, number_end),
            code=codes.INVALID_NUMBER,
            hint="an octal number is written with the prefix 0o",
        )


def unmatched_bracket(range: SourceRange) -> CompileError:
    return CompileError(
        f"unmatched {range.text!r}",
        range,
        code=codes.UNBALANCED_BRACKET,
        hint="delete it, or open a bracket before it",
    )


def wrong_bracket(range: SourceRange, opening: Token) -> CompileError:
    return CompileError(
        f"closing {range.text!r} does not match opening {opening.text!r}",
        range,
        code=codes.UNBALANCED_BRACKET,
        notes=[Note("opened here:", opening.range)],
    )


def unclosed_bracket(opening: Token) -> CompileError:
    closing = {"(": ")", "[": "]", "{": "}"}[opening.text]
    return CompileError(
        f"{opening.text!r} was never closed",
        opening.range,
        code=codes.UNBALANCED_BRACKET,
        hint=f"close it with {closing!r}",
    )
