"""Outlines: the tree of a text whose functions keep their bodies as text, until one of them is needed.

An archive holds a class for each layer of a model, with methods of which few are called. Finding where a body
ends is a search for brackets, quotes and margins, many times faster than parsing it. Texts in which that
is not plain (f-strings, brackets that do not match) are parsed at once, so that both ways agree.
"""

from __future__ import annotations

import re
import threading
import warnings
from ast import PyCF_ONLY_AST
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import ClassVar, TypeVar, overload

from tsc.compiler.frontend import lalr
from tsc.compiler.frontend.indenter import Indenter, Level
from tsc.compiler.frontend.lexer import Lexer
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.parsing import parse
from tsc.compiler.frontend.tokens import NEWLINE, Token
from tsc.compiler.frontend.tree import Stmt
from tsc.compiler.frontend.tree_builder import Block, TreeBuilder
from tsc.compiler.frontend.tree_views import Decl, Def, Expr, Ident, Module
from tsc.compiler.source import CompileError, Source, SourceRange, Stage, codes

_Item = TypeVar("_Item")
_SHORT = 8000
"""Characters of a text that is parsed in no time."""

_STACK = 256 << 20
"""Bytes of addresses; memory is taken as it is used."""

_BODY = "PASS"
"""What stands for a body among the tokens: a statement, wherever a body may be."""

_WIDEST_MARGIN = 16
"""Of the functions whose bodies are gone through fastest: each margin has a pattern of its own."""

_LINE_END = re.compile(r"[ \t\f]*+(?:#[^\n]*+)?+\n")
_WORDS = (
    r"""[^"'#()\[\]{}\\\n]++|\([^"'#()\[\]{}\\\n]*+\)|#[^\n]*+|\\\n"""
    r"""|(?<![fF])(?<![fF][rR])(?:"(?!"")(?:[^"\\\n]|\\.)*+"|'(?!'')(?:[^'\\\n]|\\.)*+'"""
    r"""|\"\"\"(?:[^"\\]|\\.|"(?!""))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+''')"""
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ENCLOSED = re.compile(rf"(?:{_WORDS}|\n)*+", re.DOTALL)


class Postponed(Sequence[_Item]):
    """What is parsed when somebody first asks for an item, which raises `CompileError` if there is a mistake."""

    __slots__ = ("_items", "_parse")

    def __init__(self, parse: Callable[[], Sequence[_Item]]) -> None:
        self._parse = parse
        self._items: Sequence[_Item] | None = None

    @property
    def is_parsed(self) -> bool:
        """Whether somebody asked."""
        return self._items is not None

    def _all(self) -> Sequence[_Item]:
        if self._items is None:
            self._items = self._parse()
        return self._items

    @overload
    def __getitem__(self, index: int) -> _Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Item]: ...
    def __getitem__(self, index: int | slice) -> _Item | Sequence[_Item]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())


def parse_outline(source: Source) -> Module:
    """The tree of a whole text, in which the statements of functions may be `Postponed`."""
    with Stage("parsing", source.filename):
        try:
            return lalr.run(_OutlineBuilder(source), _tokens(source), "module")
        except (lalr.UnexpectedToken, CompileError):
            return parse_source(source)


def parse_on_demand(source: Source) -> Module:
    """The outline of a long text, if Python finds no mistake in all of it; the whole tree of any other."""
    if len(source.text) > _SHORT and _is_python(source.text):
        return parse_outline(source)
    return parse_source(source)


def _is_python(text: str) -> bool:
    """Whether Python takes a text for a program.

    Its compiler calls itself as deep as an expression is, so it gets a thread of its own with a stack for that.
    """
    answers: list[bool] = []
    before = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=lambda: answers.append(_compiles(text)))
        thread.start()
    except RuntimeError:  # there are no addresses left for such a stack
        return False
    finally:
        threading.stack_size(before)
    thread.join()
    return answers == [True]


def _compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<text>", "exec", PyCF_ONLY_AST, dont_inherit=True)
        except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
            return False
    return True


def _parsed(head: SourceRange, body: SourceRange) -> Def:
    """The definition with this head and this body. Raises `CompileError`."""
    source = head.source
    start = source.text.rfind("\n", 0, head.start) + 1
    module: Module = parse(TreeBuilder(source, start, body.end), source, "module", start, body.end)
    if len(module.statements) != 1 or not isinstance(module.statements[0], Def):
        message = "expected a single function definition"
        raise CompileError(message, head, code=codes.UNEXPECTED_TOKEN)
    return module.statements[0]


@dataclass(slots=True, eq=False, repr=False)
class _Body(Stmt):
    """Stands for a body that is still text."""

    KIND: ClassVar[str] = "postponed"


class _OutlineBuilder(TreeBuilder):
    def pass_statement(self, word: Token) -> Stmt:
        return super().pass_statement(word) if word.text == "pass" else _Body(word.range)

    def definition(
        self,
        word: Token,
        name: Ident,
        decl: Decl,
        return_type: Expr | None,
        colon: Token,
        body: Block,
    ) -> Def:
        made = super().definition(word, name, decl, return_type, colon, body)
        postponed = body[0]
        if isinstance(postponed, _Body):
            parsed = cache(partial(_parsed, made.head, postponed.range))
            made.statements = Postponed(lambda: parsed().statements)
            made.refusals = Postponed(lambda: parsed().refusals)
        return made


def _tokens(source: Source) -> Iterator[Token]:
    """The tokens of a text, with one in the place of each body."""
    position: int | None = 0
    levels: tuple[Level, ...] = ()
    while position is not None:
        lexer = Lexer(source, position, levels=levels)
        position, is_head = None, False
        for token in lexer.statements():
            yield token
            if token.kind == "DEF":
                is_head = True
            elif is_head and token.kind == "COLON" and not lexer.brackets:
                is_head, levels = False, lexer.levels
                body = _body(source, token.end, levels[-1])
                if body is not None:
                    yield Token(_BODY, body.text, source, body.start, body.end)
                    yield Token(NEWLINE, "", source, body.end, body.end)
                    position = body.end
                    break


def _body(source: Source, start: int, level: Level) -> SourceRange | None:
    """The lines behind a head that are deeper than it; None if they had better be parsed."""
    opening = _LINE_END.match(source.text, start)
    if opening is None:
        return None
    first = _deeper_line(source, opening.end(), level)
    end = None if first is None else _block_end(source, first, level)
    return None if first is None or end is None else source.range(first, end)


def _block_end(source: Source, start: int, level: Level) -> int | None:
    """Where the last line ends before one that is no deeper than a level."""
    text, position, expected = source.text, start, list[str]()
    free = _free(min(level.columns, _WIDEST_MARGIN + 1))
    while True:
        found = (_ENCLOSED if expected else free).match(text, position)
        assert found is not None  # both fit the empty text
        end = found.end()
        letter, position = text[end : end + 1], end + 1
        if letter in _CLOSING:
            expected.append(_CLOSING[letter])
        elif expected and letter == expected[-1]:
            expected.pop()
        elif expected or letter not in ("\n", ""):
            return None
        else:
            following = _deeper_line(source, min(position, len(text)), level)
            if following is None:
                return end
            position = following


def _deeper_line(source: Source, position: int, level: Level) -> int | None:
    """Where the words of the next line begin that is not blank, if it is deeper than a level."""
    indenter, end = Indenter(source), len(source.text)
    start, margin_end = indenter.margin_after(position, end)
    if margin_end == end or indenter.level(start, margin_end).columns <= level.columns:
        return None
    return margin_end


@cache
def _free(columns: int) -> re.Pattern[str]:
    """What is of no interest outside of brackets: words, and lines that are plainly deeper."""
    deeper = rf"|\n {{{columns + 1},}}+(?=[^ \t\f\n#])" if columns <= _WIDEST_MARGIN else ""
    return re.compile(rf"(?:{_WORDS}{deeper})*+", re.DOTALL)
