"""Finds the literal parts and the replacement fields of an f-string."""

from __future__ import annotations

import re

from tsc.compiler.source import CompileError, Source, codes
from tsc.compiler.value_classes import value_class

_DEEPEST_NESTING = 8
_OPENING = re.compile(r"([fFrR]*)('''|\"\"\"|'|\")")
_PLAIN_TEXT = re.compile(r"[^'\"{}\\\n]+")
_PLAIN_CODE = re.compile(r"[^\w'\"()\[\]{}!:=<>\n]+")
_WORD = re.compile(r"\w+")
_STRING = re.compile(
    r"'''(?:[^\\]|\\.)*?'''|\"{3}(?:[^\\]|\\.)*?\"{3}"
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"",
    re.DOTALL,
)
_COMPARISON = re.compile(r"[!=<>]=|[<>]")
_END_OF_DEBUG_FIELD = re.compile(r"=\s*[}!:]")
_CONVERSION = re.compile(r"!(\w*)")


@value_class
class LiteralPart:
    """Text between the fields, escapes and doubled braces as they are written."""

    start: int
    end: int


@value_class
class FieldPart:
    """``{expression}``; ``extra`` is what else it has: ``=``, ``!r`` or ``:spec``, else empty."""

    start: int
    expression_start: int
    expression_end: int
    end: int
    extra: str


@value_class
class FormatString:
    """An f-string, its offset behind the closing quote, and its parts in order."""

    end: int
    is_raw: bool
    parts: tuple[LiteralPart | FieldPart, ...]


def scan_format_string(source: Source, start: int, end: int, depth: int = 0) -> FormatString:
    """Reads the f-string whose prefix begins at ``start``; ``end`` is that of the text."""
    if depth == _DEEPEST_NESTING:
        raise CompileError(
            f"f-strings are nested more than {_DEEPEST_NESTING} deep",
            source.range(start, start + 2),
            code=codes.NESTED_TOO_DEEPLY,
            hint="give the inner strings names of their own first",
        )
    return _Scanner(source, start, end, depth).scan()


class _Scanner:
    """Reads one f-string from left to right; those in its fields get scanners of their own."""

    __slots__ = ("_depth", "_end", "_is_raw", "_position", "_quote", "_source", "_start", "_text")

    def __init__(self, source: Source, start: int, end: int, depth: int) -> None:
        self._source, self._text = source, source.text
        self._start, self._end, self._depth = start, end, depth
        opening = _OPENING.match(source.text, start, end)
        assert opening is not None
        self._is_raw = "r" in opening[1].lower()
        self._quote = opening[2]
        self._position = opening.end()

    def scan(self) -> FormatString:
        parts: list[LiteralPart | FieldPart] = []
        while True:
            start = self._position
            self._skip_literal()
            if self._position > start:
                parts.append(LiteralPart(start, self._position))
            if self._text.startswith(self._quote, self._position):
                end = self._position + len(self._quote)
                return FormatString(end, self._is_raw, tuple(parts))
            parts.append(self._field())

    def _skip_literal(self) -> None:
        """Moves to the closing quote or to the brace that opens a field."""
        while True:
            self._skip(_PLAIN_TEXT)
            letter = self._letter()
            following = self._text[self._position + 1 : self._position + 2]
            if self._text.startswith(self._quote, self._position):
                return
            if letter == "\\":
                self._skip_escape(following)
            elif letter in "{}" and following == letter:
                self._position += 2
            elif letter == "{":
                return
            elif letter == "}":
                raise self._error("single '}' in an f-string", "write '}}' for a brace")
            else:
                self._position += 1

    def _skip_escape(self, following: str) -> None:
        if following in ("'", '"', "\\", "\n"):
            self._position += 2
        elif following == "N" and not self._is_raw and self._text[self._position + 2] == "{":
            self._position = (
                max(self._text.find("}", self._position, self._end), self._position) + 1
            )
        else:
            self._position += 1

    def _field(self) -> FieldPart:
        start = self._position
        self._position += 1
        self._skip_expression()
        expression_end = self._position
        if self._letter() == "=":
            self._position = self._text.find("=", self._position) + 1
            self._skip(re.compile(r"\s+"))
        if conversion := _CONVERSION.match(self._text, self._position, self._end):
            if conversion[1] not in ("s", "r", "a"):
                raise self._error("an f-string has the conversions !s, !r and !a only", None)
            self._position = conversion.end()
            self._skip(re.compile(r"\s+"))
        if self._letter() == ":":
            self._skip_spec()
        if self._letter() != "}":
            raise self._error("expected '}' at the end of the field of an f-string", None)
        self._position += 1
        extra = self._text[expression_end : self._position - 1]
        return FieldPart(start, start + 1, expression_end, self._position, extra)

    def _skip_expression(self) -> None:
        """Moves to the ``}``, ``!``, ``:`` or ``=`` behind the expression of a field."""
        depth = 0
        while True:
            self._skip(_PLAIN_CODE)
            letter = self._letter()
            if depth == 0 and letter in "}:":
                return
            if self._skip(_COMPARISON):
                continue
            if depth == 0 and (
                letter == "!" or _END_OF_DEBUG_FIELD.match(self._text, self._position, self._end)
            ):
                return
            if letter in "'\"":
                self._skip_string()
                continue
            word = _WORD.match(self._text, self._position, self._end)
            if word is not None:
                self._skip_word(word[0], word.end())
                continue
            depth += (letter in "([{") - (letter in ")]}")
            self._position += 1

    def _skip_word(self, word: str, word_end: int) -> None:
        is_prefix = word.lower() in ("f", "fr", "rf")
        if is_prefix and self._text[word_end : word_end + 1] in ("'", '"'):
            inner = scan_format_string(self._source, self._position, self._end, self._depth + 1)
            self._position = inner.end
        else:
            self._position = word_end

    def _skip_string(self) -> None:
        if not self._skip(_STRING):
            raise self._error("the field of an f-string is not closed", "write '{{' for a brace")

    def _skip_spec(self) -> None:
        self._position += 1
        while True:
            self._skip(_PLAIN_TEXT)
            letter = self._letter()
            if letter == "}" or self._text.startswith(self._quote, self._position):
                return
            if letter == "{":
                if self._depth + 1 == _DEEPEST_NESTING:
                    raise self._error("the fields of an f-string are nested too deep", None)
                self._depth += 1
                self._field()
                self._depth -= 1
            else:
                self._position += 1

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self._text, self._position, self._end)
        if found is None:
            return False
        self._position = found.end()
        return True

    def _letter(self) -> str:
        """The current letter; the text must not end here, nor the line, between single quotes."""
        if self._position < self._end:
            letter = self._text[self._position]
            if letter != "\n" or len(self._quote) == 3:
                return letter
        line_end = self._text.find("\n", self._start, self._end)
        raise CompileError(
            f"unterminated {'triple-quoted ' if len(self._quote) == 3 else ''}f-string",
            self._source.range(self._start, self._end if line_end < 0 else line_end),
            code=codes.UNTERMINATED_STRING,
            hint=f"close it with {self._quote}",
        )

    def _error(self, message: str, hint: str | None) -> CompileError:
        range = self._source.range(self._position, self._position + 1)
        return CompileError(message, range, code=codes.INVALID_F_STRING, hint=hint)
