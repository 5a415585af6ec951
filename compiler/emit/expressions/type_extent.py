"""How deep and how large the types of literals may get: they are compared and printed in full."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Value
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import Type

_DEEPEST: Final = 100  # as deep as annotations may be
_LARGEST: Final = 50_000  # parts; `x = (x, x)` doubles them each time


def check_extent(value: Value, range: SourceRange) -> Value:
    """The value, if its type is neither too deep nor too large."""
    depth, size = _extent(value.type, {})
    if depth > _DEEPEST:
        raise CompileError(
            f"a value whose type is nested more than {_DEEPEST} deep",
            range,
            code=codes.NESTED_TOO_DEEPLY,
            hint="keep the items in one list, and their places in another",
        )
    if size > _LARGEST:
        raise CompileError(
            f"a value whose type has more than {_LARGEST:,} parts",
            range,
            code=codes.TYPE_TOO_LARGE,
            hint="a list has one type for all of its items, a tuple has one for each",
        )
    return value


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
