"""Finds ``# type:`` comments, the annotations of Python 2, and gives them to what they stand behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.frontend.tree_views import Decl, Dots, Expr
from tsc.compiler.source import CompileError, SourceRange, codes

_COMMENT = re.compile(r"[^#\n]*(?:\n|#[ \t]*type:(?![ \t]*ignore\b)[ \t]*([^#\n]*)|#[^\n]*)")

# Parses the text between two offsets by a start rule of the grammar.
PartParser = Callable[[int, int, str], Any]
Signature = tuple[SourceRange, list[Expr], Expr | None]
"""Where it stands, the types of the parameters, and that of the result if the comment tells it."""


def apply_type_comments(
    decl: Decl, head: SourceRange, gaps: Sequence[tuple[int, int]], parse: PartParser
) -> None:
    """Notes the types that comments give to the parameters and the result.

    The gaps hold nothing but punctuation and comments: one gap behind each parameter, the first
    before them all, and the last between the head of the function and its body.
    """
    text = decl.range.source.text
    count = 0
    for param, gap in zip(decl.params, gaps[1:-1]):
        if found := _find(text, gap):
            param.type = parse(*_content(found), "expression")
            count += 1
    signature = _signature(text, gaps[-1], parse)
    if count and (signature is None or not _is_abbreviated(signature)):
        raise CompileError(
            "Return type line '# type: (...) -> ...' not found on multiline comments of types",
            head,
            code=codes.INVALID_TYPE_COMMENT,
            hint="put it below the parameters, before the body",
        )
    if signature is not None:
        _merge(decl, head, signature, count)


def variable_type(text: str, gap: tuple[int, int], parse: PartParser) -> Expr | None:
    """What a comment behind an assignment says; the gap reaches to the end of its line."""
    found = _find(text, gap)
    return None if found is None else parse(*_content(found), "expression")


def _is_abbreviated(signature: Signature) -> bool:
    """Whether it is ``(...) -> T``, which leaves the parameters to comments of their own."""
    types = signature[1]
    return len(types) == 1 and isinstance(types[0], Dots)


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


def _merge(decl: Decl, head: SourceRange, signature: Signature, count: int) -> None:
    """Take over a signature, with the ``count`` types that stand behind parameters."""
    _, types, decl.return_type = signature
    has_own_comments = count > 0
    count = count or len(types)
    params = list(decl.params)
    if count == len(params) - 1 and params[0].name == "self":
        params = params[1:]
    if count != len(params):
        raise CompileError(
            f"Number of type annotations ({count}) did not match the number of function "
            f"parameters ({len(params)})",
            head,
            code=codes.INVALID_TYPE_COMMENT,
        )
    if not has_own_comments:
        for param, type in zip(params, types):
            param.type = type
