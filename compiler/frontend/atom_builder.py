"""Makes the trees of atoms: names, numbers, strings and f-strings; and what all rules build with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from tsc.compiler.frontend.parsing import parse
from tsc.compiler.frontend.string_literals import string_value, unescaped
from tsc.compiler.frontend.tokens import Token
from tsc.compiler.frontend.tree_views import (
    Apply,
    Const,
    Dots,
    Expr,
    FalseLiteral,
    Ident,
    NoneLiteral,
    Select,
    StringLiteral,
    Tree,
    TrueLiteral,
    UnsupportedExpr,
    Var,
    WithItem,
)
from tsc.compiler.source import Code, CompileError, Source, SourceRange, codes

T = TypeVar("T")

_MOST_DIGITS = 4000
_FIELD = "{}"
_DOUBLED_BRACE = re.compile(r"\{\{|\}\}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class AtomBuilder:
    """What all rules build with; ``refusals`` collects what Python has and TorchScript has not."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.refusals: list[CompileError] = []
        self._loose_with_items: list[WithItem] = []

    # Lists ------------------------------------------------------------------------------------

    def one(self, item: T) -> list[T]:
        return [item]

    def pair(self, first: T, second: T) -> list[T]:
        return [first, second]

    def appended(self, items: list[T], item: T) -> list[T]:
        items.append(item)
        return items

    def joined(self, items: list[T], more: list[T]) -> list[T]:
        items.extend(more)
        return items

    def inside(self, content: T) -> T:
        return content

    def first(self, first: T, rest: object) -> T:
        return first

    # Atoms ------------------------------------------------------------------------------------

    def ident(self, name: Token) -> Ident:
        return Ident(name.range, name.text)

    def variable(self, name: Token) -> Expr:
        range = name.range
        return Dots(range) if name.text == "Ellipsis" else Var(range, Ident(range, name.text))

    def number(self, token: Token) -> Expr:
        if len(token.text) > _MOST_DIGITS:
            raise CompileError(
                "a number with too many digits", token.range, code=codes.INVALID_NUMBER
            )
        return Const(token.range, token.text)

    def true(self, token: Token) -> Expr:
        return TrueLiteral(token.range)

    def false(self, token: Token) -> Expr:
        return FalseLiteral(token.range)

    def none(self, token: Token) -> Expr:
        return NoneLiteral(token.range)

    def ellipsis(self, token: Token) -> Expr:
        return Dots(token.range)

    def string(self, literals: list[Token]) -> Expr:
        """Adjacent literals are one; if an f-string is among them, it is a call of ``format``."""
        range = self._between(literals[0].start, literals[-1].end)
        for literal in literals:
            if "b" in _prefix(literal):
                hint = "drop the prefix 'b': strings are Unicode"
                return UnsupportedExpr(
                    range, self._refuse("bytes", literal.range, hint, code=codes.NO_BYTES)
                )
        if not any("f" in _prefix(literal) for literal in literals):
            values = [string_value(self.source, token.start, token.end) for token in literals]
            return self._string_literal(range, "".join(values))
        parts: list[str | Expr] = []
        for literal in literals:
            if "f" in _prefix(literal):
                self._format_string(literal, parts)
            else:
                parts.append(string_value(self.source, literal.start, literal.end))
        return self._call_of_format(range, parts)

    def _call_of_format(self, range: SourceRange, parts: list[str | Expr]) -> Expr:
        """``"...{}...".format(...)``, to which all other braces are plain text. Braces like a field's
        are put in as a value.
        """
        texts, inputs = [""], list[Expr]()
        for part in parts:
            if isinstance(part, str):
                texts[-1] += part
            else:
                texts.append("")
                inputs.append(part)
        template = texts[0]
        values: list[Expr] = [StringLiteral(range, _FIELD)] * template.count(_FIELD)
        for value, text in zip(inputs, texts[1:]):
            template += _FIELD + text
            values += [value, *[StringLiteral(range, _FIELD)] * text.count(_FIELD)]
        callee = Select(range, self._string_literal(range, template), Ident(range, "format"))
        return Apply(range, callee, values)

    def _string_literal(self, range: SourceRange, text: str) -> Expr:
        if not text.isascii() and _SURROGATE.search(text):
            hint = "a code from D800 to DFFF is half of a character"
            return UnsupportedExpr(
                range, self._refuse("lone surrogates", range, hint, code=codes.NO_SURROGATE)
            )
        return StringLiteral(range, text)

    def _format_string(self, literal: Token, parts: list[str | Expr]) -> None:
        from tsc.compiler.frontend.format_strings import LiteralPart, scan_format_string

        format_string = scan_format_string(self.source, literal.start, literal.end)
        for part in format_string.parts:
            if isinstance(part, LiteralPart):
                parts += self._plain_text(part.start, part.end, is_raw=format_string.is_raw)
                continue
            if part.extra.strip():
                self._refuse(
                    f"{part.extra.strip()!r} in the field of an f-string",
                    self._between(part.start, part.end),
                    "only plain fields like {x} are formatted; convert or round the value before",
                    code=codes.NO_FORMAT_SPECIFICATION,
                    verb="isn't",
                )
            parts.append(self.part(part.expression_start, part.expression_end, "expression"))

    def _plain_text(self, start: int, end: int, *, is_raw: bool) -> Iterator[str]:
        """The text between the fields of an f-string, in which braces are doubled."""
        text = self.source.text
        while start < end:
            brace = _DOUBLED_BRACE.search(text, start, end)
            stop = end if brace is None else brace.start()
            is_plain = is_raw or "\\" not in text[start:stop]
            yield text[start:stop] if is_plain else unescaped(self.source, start, stop)
            if brace is not None:
                yield brace[0][0]
            start = end if brace is None else brace.end()

    def part(self, start: int, end: int, start_rule: str) -> Any:
        """Parses a part of the source on its own."""
        tree = parse(self, self.source, start_rule, start, end)
        self.check_with_items()
        return tree

    # What several rules need ------------------------------------------------------------------

    def check_with_items(self) -> None:
        """Refuses ``(a as b)`` where no ``with`` has taken it."""
        if self._loose_with_items:
            raise CompileError(
                "'as' names a value only in with statements and imports",
                self._loose_with_items[0].range,
                code=codes.MISPLACED_AS,
                hint="assign it in a line of its own: name = value",
            )

    def forget_loose_items(self) -> None:
        """What was read of a statement that is dropped needs no ``with``."""
        self._loose_with_items.clear()

    def _between(self, start: int, end: int) -> SourceRange:
        return SourceRange(self.source, start, end)

    def _across(self, first: Tree, last: Tree) -> SourceRange:
        return SourceRange(self.source, first.range.start, last.range.end)

    def _refuse(
        self,
        construct: str,
        range: SourceRange,
        hint: str,
        verb: str = "aren't",
        *,
        code: Code,
    ) -> CompileError:
        error = CompileError(f"{construct} {verb} supported", range, code=code, hint=hint)
        self.refusals.append(error)
        return error


def _prefix(literal: Token) -> str:
    text = literal.text
    return text[: min(text.find(quote) for quote in "'\"" if quote in text)].lower()
