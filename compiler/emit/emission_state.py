"""What emission remembers of where it is: the loop, the definition, variables that are not there any more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from tsc.compiler.source import Code, CompileError, Note, SourceRange, codes
from tsc.compiler.types import Type
from tsc.compiler.value_classes import value_class

_MOST_LOOPS = 400  # one in the other: passes look at the inner ones again for each outer one


class LoopStatus(Enum):
    """Whether the statement being emitted is in a loop, and of what sort."""

    NOT_IN_LOOP = auto()
    IN_LOOP = auto()
    IN_UNROLLED_LOOP = auto()


@dataclass(slots=True)
class DefinitionContext:
    """The definition being emitted: the type it declares to return, and what it returned so far.

    Because of a problem it may be incomplete, so that a return may be missing among them, or it is
    unknown what one of them returns.
    """

    declared_return_type: Type | None
    merged_return_type: Type | None = None
    is_incomplete: bool = False
    is_unknown: bool = False


@value_class
class UnusableVariable:
    """Why a variable set in a block is not there after it."""

    message: str
    range: SourceRange
    hint: str
    code: Code = codes.POSSIBLY_UNDEFINED_NAME

    def error(self, use: SourceRange) -> CompileError:
        notes = [Note("because of this statement:", self.range)]
        return CompileError(
            self.message,
            use,
            code=self.code,
            notes=notes,
            hint=self.hint,
            subject=(self.range.start, use.text),
        )


def check_loops(count: int, range: SourceRange) -> None:
    """Refuse a loop in too many others. Statements cannot nest so deep, but comprehensions can."""
    if count > _MOST_LOOPS:
        raise CompileError(
            f"loops are nested more than {_MOST_LOOPS} deep",
            range,
            code=codes.NESTED_TOO_DEEPLY,
            hint="split the innermost loops off into functions of their own",
        )
