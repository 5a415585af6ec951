"""What the lines of text say that protocol 0 writes its values in. ValueError for those that say nothing."""

from __future__ import annotations

import re

_MOST_DIGITS = 78
_ESCAPE = re.compile(rb"\\(?:x[0-9a-fA-F]{2}|.|$)")
_ESCAPED = {b"\\": b"\\", b"'": b"'", b'"': b'"', b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def text_of(content: memoryview | bytes) -> str:
    """Text; bytes that are no UTF-8 come back as they were when it is written."""
    return str(content, "utf-8", "surrogateescape")


def integer_of_line(line: bytes) -> int | bool:
    """An integer, long or not, or a bool."""
    if line in (b"00", b"01"):  # how protocol 1 writes False and True
        return line == b"01"
    if len(line) > _MOST_DIGITS:
        raise ValueError
    return int(line.removesuffix(b"L"))


def string_of_line(line: bytes) -> str:
    """A quoted string of Python 2."""
    if len(line) < 2 or line[:1] != line[-1:] or line[:1] not in (b"'", b'"'):
        raise ValueError
    return text_of(_ESCAPE.sub(_unescaped, line[1:-1]))


def _unescaped(escape: re.Match[bytes]) -> bytes:
    letter = escape[0][1:]
    if letter in _ESCAPED:
        return _ESCAPED[letter]
    if len(letter) != 3:
        raise ValueError
    return bytes.fromhex(letter[1:].decode("ascii"))


def unicode_of_line(line: bytes) -> str:
    """A text, with escapes for what is not Latin-1."""
    return str(line, "raw-unicode-escape")


def float_of_line(line: bytes) -> float:
    """A float, as ``repr`` writes it."""
    return float(line)
