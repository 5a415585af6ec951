"""Statements that never run, since those before them always leave the block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import (
    Break,
    Continue,
    For,
    If,
    Raise,
    Return,
    Stmt,
    While,
    With,
)
from tsc.compiler.source import CompileError, Note, Source, codes

Block = Sequence[Stmt]

_LEAVING = (Return, Raise, Break, Continue)


def unreachable_statements(source: Source) -> Iterator[CompileError]:
    """A warning for the first of the statements that never run, in each block.

    None if the text does not parse.
    """
    try:
        module = parse_source(source)
    except CompileError:
        return
    blocks = list(_all_blocks([each.statements for each in module.definitions]))
    leaving = _leaving_statements(blocks)
    for block in blocks:
        for statement, following in pairwise(block):
            if id(statement) in leaving:
                yield _warning(statement, following)
                break


def _all_blocks(outermost: Sequence[Block]) -> Iterator[Block]:
    """The blocks and all blocks in them; each comes before those that it contains."""
    pending = list(outermost)
    while pending:
        block = pending.pop()
        yield block
        for statement in block:
            pending.extend(_blocks(statement))


def _leaving_statements(blocks: Sequence[Block]) -> set[int]:
    """The statements, by identity, behind which nothing runs."""
    leaving: set[int] = set()
    for block in reversed(blocks):
        for statement in block:
            inner = _blocks(statement) if isinstance(statement, If | With) else ()
            is_left = bool(inner) and all(each and id(each[-1]) in leaving for each in inner)
            if is_left or isinstance(statement, _LEAVING):
                leaving.add(id(statement))
    return leaving


def _warning(leaving: Stmt, following: Stmt) -> CompileError:
    return CompileError(
        "this statement never runs",
        following.range,
        code=codes.UNREACHABLE_CODE,
        notes=[Note("because of this one:", leaving.range)],
    )


def _blocks(statement: Stmt) -> Sequence[Block]:
    match statement:
        case If():
            return statement.true_branch, statement.false_branch
        case For() | While():
            return statement.body, statement.or_else
        case With():
            return (statement.body,)
        case _:
            return ()
