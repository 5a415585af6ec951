"""Finds ``# type:`` comments, the annotations of Python 2, and gives them to a definition."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from compiler.frontend.tree_views import Decl, Dots, Expr
from compiler.source import CompileError, SourceRange, codes

_COMMENT = re.compile(r"[^#\n]*(?:\n|#[ \t]*type:[ \t]*(?!ignore\b)([^#\n]*)|#[^\n]*)")

# Parses the text between two offsets by a start rule of the grammar.
PartParser = Callable[[int, int, str], Any]
Signature = tuple[SourceRange, list[Expr], Expr | None]
"""Where it stands, the types of the parameters, and that of the result if the comment tells it."""


def apply_type_comments(decl: Decl, gaps: Sequence[tuple[int, int]], parse: PartParser) -> None:
    """Notes the types that comments give to the parameters and the result.

    The gaps hold nothing but punctuation and comments: one gap behind each parameter, the first
    before them all, and the last between the head of the function and its body.
    """
    text = decl.range.source.text
    for param, gap in zip(decl.params, gaps[1:-1]):
        if found := _find(text, gap):
            param.type = parse(*_content(found), "expression")
    signature = _signature(text, gaps[-1], parse)
    if signature is not None:
        _merge(decl, signature)


def _signature(text: str, gap: tuple[int, int], parse: PartParser) -> Signature | None:
    found = _find(text, gap)
    if found is None or not found[1].startswith("("):
        return None
    return parse(*_content(found), "signature")


def _find(text: str, gap: tuple[int, int]) -> re.Match[str] | None:
    """The first type comment in a gap; ``#`` must begin it, not quote it in another comment."""
    comments = _COMMENT.finditer(text, *gap)
    return next((comment for comment in comments if comment[1] is not None), None)


def _content(found: re.Match[str]) -> tuple[int, int]:
    return found.start(1), found.start(1) + len(found[1].rstrip())


def _merge(decl: Decl, signature: Signature) -> None:
    range, types, return_type = signature
    decl.return_type = return_type
    if len(types) == 1 and isinstance(types[0], Dots):
        return
    params = list(decl.params)
    if len(types) == len(params) - 1 and params[0].name == "self":
        params = params[1:]
    if len(types) != len(params):
        raise CompileError(
            f"the number of types in the comment ({len(types)}) is not that of the parameters"
            f" ({len(params)})",
            range,
            code=codes.INVALID_TYPE_COMMENT,
        )
    for param, type in zip(params, types):
        param.type = type
