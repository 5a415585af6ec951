"""A scanner over one text, shared by the type, schema and IR parsers.

It skips blanks before every token, never looks back, and fails with the exception class it was
given, so that each parser reports its own kind of error.
"""

from __future__ import annotations

import ast
import re

from tsc.compiler.source import Error

_BLANKS = re.compile(r"[ \t\r\n]*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTTED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?:inf|nan)(?=j?\b))j?"
)
_INTEGER = re.compile(r"-?[0-9]+")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|' r"'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_LARGEST_INTEGER_TEXT = 4000  # Python refuses to convert longer ones


class ScanError(Error):
    """A text that is not of the expected form. ``position`` is an offset into ``text``."""

    def __init__(self, message: str, text: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position

    def __str__(self) -> str:
        start = self.text.rfind("\n", 0, self.position) + 1
        end = self.text.find("\n", self.position)
        line = self.text[start : end if end >= 0 else len(self.text)]
        return f"{self.message}:\n{line}\n{' ' * (self.position - start)}~ <--- HERE"


class Scanner:
    """Takes tokens from ``text``, one at a time, from ``position`` on."""

    __slots__ = ("error", "position", "text")

    def __init__(self, text: str, position: int = 0, error: type[ScanError] = ScanError) -> None:
        self.text = text
        self.position = position
        self.error = error

    def fail(self, message: str, position: int | None = None) -> ScanError:
        """The error to raise, at ``position`` or here."""
        return self.error(message, self.text, self.position if position is None else position)

    def skip_blanks(self) -> None:
        match = _BLANKS.match(self.text, self.position)
        assert match is not None
        self.position = match.end()

    def at_end(self) -> bool:
        self.skip_blanks()
        return self.position == len(self.text)

    def found(self) -> str:
        """What stands here, for messages."""
        self.skip_blanks()
        if self.position >= len(self.text):
            return "the end of the text"
        for pattern in (_IDENTIFIER, _NUMBER):
            if match := pattern.match(self.text, self.position):
                return f"'{match.group()}'"
        return f"'{self.text[self.position]}'"

    def looking_at(self, token: str) -> bool:
        """Whether ``token`` comes next. A word must end where an identifier would."""
        self.skip_blanks()
        if not self.text.startswith(token, self.position):
            return False
        end = self.position + len(token)
        return not (_is_word(token[-1]) and end < len(self.text) and _is_word(self.text[end]))

    def take_if(self, token: str) -> bool:
        if not self.looking_at(token):
            return False
        self.position += len(token)
        return True

    def expect(self, token: str) -> None:
        if not self.take_if(token):
            raise self.fail(f"expected '{token}' but found {self.found()}")

    def take_match(self, pattern: re.Pattern[str]) -> str | None:
        """The text that ``pattern`` matches here, if it does."""
        self.skip_blanks()
        match = pattern.match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return match.group()

    def take_identifier(self) -> str | None:
        return self.take_match(_IDENTIFIER)

    def expect_identifier(self, what: str = "an identifier") -> str:
        identifier = self.take_identifier()
        if identifier is None:
            raise self.fail(f"expected {what} but found {self.found()}")
        return identifier

    def expect_dotted_name(self, what: str = "a name") -> str:
        name = self.take_match(_DOTTED_NAME)
        if name is None:
            raise self.fail(f"expected {what} but found {self.found()}")
        return name

    def take_integer(self) -> int | None:
        self.skip_blanks()
        start = self.position
        digits = self.take_match(_INTEGER)
        if digits is None:
            return None
        if len(digits) > _LARGEST_INTEGER_TEXT:
            raise self.fail("this integer is too long", start)
        return int(digits)

    def expect_integer(self) -> int:
        integer = self.take_integer()
        if integer is None:
            raise self.fail(f"expected an integer but found {self.found()}")
        return integer

    def take_number(self) -> int | float | complex | None:
        """An integer, a float (``1e-05``, ``inf``, ``1.``) or an imaginary number (``2j``)."""
        self.skip_blanks()
        start = self.position
        text = self.take_match(_NUMBER)
        if text is None:
            return None
        if len(text) > _LARGEST_INTEGER_TEXT:
            raise self.fail("this number is too long", start)
        return _number(text)

    def expect_number(self) -> int | float | complex:
        number = self.take_number()
        if number is None:
            raise self.fail(f"expected a number but found {self.found()}")
        return number

    def take_string(self) -> str | None:
        """A quoted string, its escapes resolved."""
        self.skip_blanks()
        start = self.position
        text = self.take_match(_STRING)
        if text is None:
            return None
        try:
            return str(ast.literal_eval(text.replace("\n", "\\n")))
        except (SyntaxError, ValueError) as error:
            raise self.fail("this string has a broken escape", start) from error

    def expect_string(self) -> str:
        string = self.take_string()
        if string is None:
            raise self.fail(f"expected a string but found {self.found()}")
        return string


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _number(text: str) -> int | float | complex:
    if text[-1] == "j":
        return complex(0, float(text[:-1]))
    lowered = text.lower()
    if "0x" in lowered:
        return int(text, 16)
    if any(mark in lowered for mark in (".", "e", "inf", "nan")):
        return float(text)
    return int(text)
