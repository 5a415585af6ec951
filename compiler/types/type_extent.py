"""How deep and how large types may get: they are compared and printed in full."""

from __future__ import annotations

from typing import Final

from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types.base import Type

_DEEPEST: Final = 100  # as deep as annotations may be
_LARGEST: Final = 50_000  # parts; `x = (x, x)` doubles them each time
MOST_ALTERNATIVES: Final = 128
"""Of a Union: each is compared with each."""


def check_extent(type: Type, range: SourceRange, *, of_value: bool = False) -> None:
    """Refuse a type that is too deep or too large, written as one or that of a value."""
    depth, size = _extent(type, {})
    subject = "a value whose type" if of_value else "a type"
    if depth > _DEEPEST:
        raise CompileError(
            f"{subject} {'is ' if of_value else ''}nested more than {_DEEPEST} deep",
            range,
            code=codes.NESTED_TOO_DEEPLY,
            hint="keep the items in one list, and their places in another",
        )
    if size > _LARGEST:
        raise CompileError(
            f"{subject} {'has' if of_value else 'of'} more than {_LARGEST:,} parts",
            range,
            code=codes.TYPE_TOO_LARGE,
            hint="a list has one type for all of its items, a tuple has one for each",
        )


def check_alternatives(count: int, range: SourceRange) -> None:
    """Refuse a Union of too many types, before they are compared."""
    if count > MOST_ALTERNATIVES:
        raise CompileError(
            f"a Union of {count:,} types, of which it may have {MOST_ALTERNATIVES}",
            range,
            code=codes.TYPE_TOO_LARGE,
            hint="Any holds values of all types",
        )


def _extent(type: Type, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """The depth of a type and the number of its parts. A part that occurs again is known."""
    parts = type.contained
    if not parts:
        return 0, 1
    found = known.get(id(type))
    if found is None:
        extents = [_extent(part, known) for part in parts]
        found = 1 + max(depth for depth, _ in extents), 1 + sum(size for _, size in extents)
        known[id(type)] = found
    return found
