"""Which extensions of PyTorch's language a definition may use, and which it did use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeVar

from tsc.compiler.source import CompileError, Extension, ExtensionUse, SourceRange, codes
from tsc.compiler.source.extension_errors import naming

Emitted = TypeVar("Emitted")


class Reading(IntEnum):
    """How much is accepted. ``GENEROUS`` is for what does not compile otherwise."""

    STRICT = 0
    USUAL = 1
    GENEROUS = 2


@dataclass(slots=True)
class Acceptance:
    """The reading of one definition. ``used`` grows as it is emitted; ``missed`` holds the
    extensions that this reading has not, but a more generous one would have taken.
    """

    reading: Reading
    used: dict[ExtensionUse, None] = field(default_factory=dict[ExtensionUse, None])
    missed: list[ExtensionUse] = field(default_factory=list[ExtensionUse])

    def use(self, extension: Extension, range: SourceRange, refusal: str) -> None:
        """A program can only mean an extension here. In strict mode, ``refusal`` is the error."""
        if self.reading is Reading.STRICT:
            error = CompileError(refusal, range, code=codes.ONLY_IN_TSC)
            raise naming([extension], error)
        self.used[ExtensionUse(extension, range)] = None

    def allows(self, extension: Extension, range: SourceRange) -> bool:
        """Whether to take the way of an extension, where there is another way as well."""
        needed = Reading.GENEROUS if extension.changes_types else Reading.USUAL
        if self.reading < needed:
            self.missed.append(ExtensionUse(extension, range))
        return self.reading >= needed


def emit_as_accepted(emit: Callable[[Acceptance], Emitted], reading: Reading) -> Emitted:
    """What ``emit`` makes under a reading; what does not compile is tried with extensions that
    change types. In strict mode this only serves to name the extensions that would have helped.
    """
    acceptance = Acceptance(reading)
    try:
        return emit(acceptance)
    except CompileError as error:
        missed = [use.extension for use in acceptance.missed]
        if not missed or error.code == codes.ONLY_IN_TSC:
            raise
        if reading is Reading.STRICT:
            raise (naming(missed, error) if _compiles(emit) else error) from None
    return emit(Acceptance(Reading.GENEROUS))


def _compiles(emit: Callable[[Acceptance], object]) -> bool:
    try:
        emit(Acceptance(Reading.GENEROUS))
    except CompileError:
        return False
    return True
