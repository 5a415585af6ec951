"""The values of string literals: prefixes, quotes and escapes."""

from __future__ import annotations

import re
import unicodedata

from tsc.compiler.source import CompileError, Source, codes

_LITERAL = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]*)\}|(.))",
    re.DOTALL,
)
_SIMPLE_ESCAPES = {
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_DIGITS = {"x": "two", "u": "four", "U": "eight"}


def string_value(source: Source, start: int, end: int) -> str:
    """The value of the literal between two offsets, which has no ``f`` among its prefixes."""
    opening = _LITERAL.match(source.text, start, end)
    assert opening is not None
    text_start, text_end = opening.end(), end - len(opening[2])
    if "r" in opening[1].lower():
        return source.text[text_start:text_end]
    return unescaped(source, text_start, text_end)


def unescaped(source: Source, start: int, end: int) -> str:
    """The text between two offsets with its escapes replaced by what they mean."""
    text = source.text
    if text.find("\\", start, end) < 0:
        return text[start:end]
    parts: list[str] = []
    position = start
    for escape in _ESCAPE.finditer(text, start, end):
        parts.append(text[position : escape.start()])
        parts.append(_meaning(escape, source))
        position = escape.end()
    parts.append(text[position:end])
    return "".join(parts)


def _meaning(escape: re.Match[str], source: Source) -> str:
    octal, *hexadecimal, name, letter = escape.groups()
    if octal is not None:
        return chr(int(octal, 8))
    for digits in hexadecimal:
        if digits is not None:
            return _code_point(int(digits, 16), escape, source)
    if name is not None:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise _error("unknown name of a Unicode character", escape, source) from None
    if letter in _DIGITS:
        raise _error(f"'\\{letter}' needs {_DIGITS[letter]} hexadecimal digits", escape, source)
    if letter == "N":
        raise _error("'\\N' needs the name of a character in braces", escape, source)
    return _SIMPLE_ESCAPES.get(letter, "\\" + letter)


def _code_point(code: int, escape: re.Match[str], source: Source) -> str:
    if code > 0x10FFFF:
        raise _error("not a Unicode character", escape, source)
    return chr(code)


def _error(message: str, escape: re.Match[str], source: Source) -> CompileError:
    return CompileError(
        message,
        source.range(escape.start(), escape.end()),
        code=codes.INVALID_ESCAPE,
        hint="a backslash is written '\\\\', or the string gets the prefix 'r'",
    )
