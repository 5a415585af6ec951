"""Parses a text to its end, whatever is wrong with it: each error is reported, and then left behind.

After an error, what has been read of the statement is dropped, and with it the rest of its line,
the deeper lines below, and the branches (``else``, ``except``) that belong to it. The parser goes
on with the next line. A `BrokenStmt` stands for what is missing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from tsc.compiler.frontend import lalr
from tsc.compiler.frontend.grammar import END, load_tables
from tsc.compiler.frontend.indenter import Indenter, Level
from tsc.compiler.frontend.lexer import Lexer
from tsc.compiler.frontend.possible_names import possibly_bound_names
from tsc.compiler.frontend.syntax_errors import syntax_error
from tsc.compiler.frontend.text_pieces import PIECE
from tsc.compiler.frontend.tokens import DEDENT, INDENT, NEWLINE, Token
from tsc.compiler.frontend.tree_builder import Block, TreeBuilder
from tsc.compiler.frontend.tree_views import BrokenStmt, Module
from tsc.compiler.source import CompileError, Source, Stage, codes

_STATEMENTS = "statements"  # the rule of the grammar at whose beginning the parser goes on
_MARGIN = re.compile(r"[ \t\f]*")
_BRANCH = re.compile(r"(?:else|elif|except|finally)\b")
_SURE_STATEMENT = re.compile(
    r"[ \t]*(?:def|class|return|import|while|with|try|raise|assert|del|pass|break|continue)\b"
)
_TRIPLE_QUOTE = re.compile(r"[a-zA-Z]{0,2}('''|\"\"\")")
_OPEN_ENDED = (codes.UNBALANCED_BRACKET, codes.UNTERMINATED_STRING)


def parse_whole(source: Source, report: Callable[[CompileError], None]) -> Module:
    """The tree of a whole text, as far as it can be made; ``report`` hears of every error."""
    with Stage("parsing", source.filename):
        return _RecoveringParser(source, report).parse()


class _RecoveringParser:
    """Starts the lexer anew behind each error, on the same stack of the parser.

    ``_lines`` are the beginnings of the last two lines, with the blocks that are open there;
    ``_resumed`` is where the lexer started.
    """

    def __init__(self, source: Source, report: Callable[[CompileError], None]) -> None:
        self._source = source
        self._text = source.text
        self._report = report
        self._builder = TreeBuilder(source)
        self._stack = lalr.new_stack("module")
        self._lines: deque[tuple[int, Sequence[Level]]] = deque([(0, ())], maxlen=2)
        self._margin: Level | None = None
        self._resumed = -1
        self._lexer = Lexer(source)
        self._before: Token | None = None
        self._token: Token | None = None
        self._is_lexical = False

    def parse(self) -> Module:
        while True:
            try:
                return lalr.run(self._builder, self._recorded(), "module", self._stack)
            except lalr.UnexpectedToken as unexpected:
                error = self._explained(unexpected)
            except CompileError as found:
                error = found
            self._report(error)
            self._resume(error)

    def _recorded(self) -> Iterator[Token]:
        """The tokens of the lexer, remembering where the parser is."""
        is_new_line = True
        try:
            for token in self._lexer.statements():
                self._before, self._token = self._token, token
                if is_new_line and token.kind not in (INDENT, DEDENT):
                    self._lines.append((self._line_start(token), self._lexer.levels))
                    is_new_line = False
                is_new_line = is_new_line or token.kind == NEWLINE
                yield token
        except CompileError:
            self._is_lexical = True
            self._before = self._token
            raise

    def _explained(self, unexpected: lalr.UnexpectedToken) -> CompileError:
        """The error for an unexpected token; only the lines around it are read once more."""
        start, levels = self._lines[0]
        again = Lexer(self._source, start, levels=levels)
        return syntax_error(unexpected, again, again.statements())

    # -- Going on ----------------------------------------------------------------------------

    def _resume(self, error: CompileError) -> None:
        is_at_line_start = self._before is None or self._before.kind in (NEWLINE, INDENT, DEDENT)
        if is_at_line_start:
            self._finish_statement()
        statements, opened = self._unwind()
        levels = self._levels_around(opened)
        position = self._next_position(error, is_at_line_start, levels)
        begin = statements[-1].range.end if statements else opened[-1].end if opened else 0
        broken = self._source.range(min(begin, position), position)
        statements.append(BrokenStmt(broken, possibly_bound_names(broken.text)))
        self._resumed = position
        self._lexer = Lexer(self._source, position, levels=levels)
        self._lines = deque([(position, levels)], maxlen=2)
        self._before = self._token = None
        self._is_lexical = False
        self._builder.forget_loose_items()

    def _finish_statement(self) -> None:
        """Put together what was complete before the error, which is another statement's."""
        try:
            lalr.settle(self._builder, self._stack, Token("PASS", "pass", self._source, 0, 0))
        except lalr.UnexpectedToken:
            pass
        except CompileError as error:
            self._report(error)

    def _unwind(self) -> tuple[Block, list[Token]]:
        """Drop what was read of a statement. The statements before it, and the INDENTs around."""
        states, values = self._stack.states, self._stack.values
        lists, gotos = _states_after_statements(), load_tables().gotos
        top = len(states) - 1
        while states[top] not in lists and _STATEMENTS not in gotos[states[top]]:
            top -= 1
        del states[top + 1 :], values[top:]
        if states[top] not in lists:
            states.append(gotos[states[top]][_STATEMENTS])
            values.append([])
        opened = [each for each in values if isinstance(each, Token) and each.kind == INDENT]
        return values[-1], opened

    def _levels_around(self, opened: list[Token]) -> list[Level]:
        if self._margin is None:
            known = self._lexer.levels
            self._margin = known[0] if known else Level(0, 0, 0, 0)
        indenter = Indenter(self._source)
        return [self._margin, *(indenter.level(each.start, each.end) for each in opened)]

    def _next_position(
        self, error: CompileError, is_at_line_start: bool, levels: list[Level]
    ) -> int:
        """The beginning of the line with which the parser goes on."""
        columns = levels[-1].columns
        token = self._token
        if token is not None and is_at_line_start and not self._is_lexical and token.kind != INDENT:
            position = self._line_start(token)
            if position > self._resumed:
                return self._behind_branches(position, columns)
        position, depth = self._error_end(error)
        return self._next_line(self._logical_end(position, depth), columns)

    def _error_end(self, error: CompileError) -> tuple[int, int]:
        """An offset behind what is wrong, and how many brackets are open there."""
        if error.code in _OPEN_ENDED:  # no bracket or quote can be trusted
            is_rest = _TRIPLE_QUOTE.match(error.range.text) is not None
            return len(self._text) if is_rest else error.range.end, 0
        depth = len(self._lexer.brackets)
        token = self._token
        if token is None or (self._is_lexical and token.kind in (NEWLINE, INDENT, DEDENT)):
            return max(error.range.end, self._resumed), depth
        return (token.start if token.kind in (NEWLINE, END) else token.end), depth

    def _next_line(self, position: int, columns: int) -> int:
        """The first line from an offset that is not deeper than some columns."""
        indenter = Indenter(self._source)
        while position < len(self._text):
            end = _end(_MARGIN.match(self._text, position))
            is_blank = self._text[end : end + 1] in ("\n", "#", "")
            if not is_blank and indenter.level(position, end).columns <= columns:
                return self._behind_branches(position, columns)
            position = self._logical_end(position, 0)
        return position

    def _behind_branches(self, position: int, columns: int) -> int:
        """Skip the ``else`` of an ``if`` that was skipped."""
        end = _end(_MARGIN.match(self._text, position))
        if Indenter(self._source).level(position, end).columns < columns:
            return position
        if not _BRANCH.match(self._text, end):
            return position
        return self._next_line(self._logical_end(position, 0), columns)

    def _logical_end(self, position: int, depth: int) -> int:
        """The end of the logical line that goes on at an offset, within some open brackets."""
        for piece in PIECE.finditer(self._text, position):
            if piece.lastgroup == "opening":
                depth += 1
            elif piece.lastgroup == "closing":
                depth = max(depth - 1, 0)
            elif piece.lastgroup == "newline" and (
                depth == 0 or _SURE_STATEMENT.match(self._text, piece.end())
            ):
                return piece.end()
        return len(self._text)

    def _line_start(self, token: Token) -> int:
        return self._text.rfind("\n", 0, token.start) + 1


@cache
def _states_after_statements() -> frozenset[int]:
    """The parser's states in which a list of statements has just been read."""
    gotos = load_tables().gotos
    return frozenset(row[_STATEMENTS] for row in gotos if _STATEMENTS in row)


def _end(found: re.Match[str] | None) -> int:
    assert found is not None  # a pattern that fits the empty text always matches
    return found.end()
