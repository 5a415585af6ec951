"""Makes the trees of imports."""

from __future__ import annotations

from tsc.compiler.frontend.expression_builder import ExpressionBuilder
from tsc.compiler.frontend.tokens import Token
from tsc.compiler.frontend.tree_views import (
    Alias,
    Ident,
    Import,
    ImportFrom,
    Stmt,
    Tree,
)
from tsc.compiler.source import SourceRange


class ImportBuilder(ExpressionBuilder):
    """The rules of ``import a.b as c`` and ``from ..a import b``."""

    def dotted(self, path: Ident, name: Token) -> Ident:
        return Ident(self._between(path.range.start, name.end), f"{path.name}.{name.text}")

    def alias(self, name: Ident, asname: Token | None) -> Alias:
        if asname is None:
            return Alias(name.range, name)
        return Alias(self._between(name.range.start, asname.end), name, self.ident(asname))

    def import_statement(self, word: Token, aliases: list[Alias]) -> Stmt:
        return Import(self._from(word, aliases[-1]), aliases)

    def import_all(self, star: Token) -> list[Alias]:
        return [Alias(star.range, self.ident(star))]

    def dot(self, dots: Token) -> Token:
        return dots

    def absolute(self, path: Ident) -> tuple[Ident, int]:
        return path, 0

    def relative(self, dots: list[Token], path: Ident | None) -> tuple[Ident, int]:
        level = sum(len(dot.text) for dot in dots)
        return path or Ident(dots[0].range, ""), level

    def import_from(self, word: Token, path: tuple[Ident, int], names: list[Alias]) -> Stmt:
        return ImportFrom(self._from(word, names[-1]), path[0], names, path[1])

    def _from(self, word: Token, last: Tree) -> SourceRange:
        return self._between(word.start, last.range.end)
