"""What a condition tells about the types of variables, where it holds and where it does not."""

from __future__ import annotations

from tsc.compiler.ir import Value
from tsc.compiler.types import Type
from tsc.compiler.value_classes import value_class


@value_class
class Refinement:
    """The variable ``name`` has the narrower ``type`` here."""

    name: str
    type: Type


@value_class
class RefinementSet:
    """What is known if a condition is true, and what if it is false."""

    if_true: tuple[Refinement, ...] = ()
    if_false: tuple[Refinement, ...] = ()

    def negated(self) -> RefinementSet:
        """What ``not condition`` tells."""
        return RefinementSet(self.if_false, self.if_true)

    def both(self, other: RefinementSet) -> RefinementSet:
        """What ``this and other`` tells: if it is false, only what both say of that case."""
        return RefinementSet(
            _all_of(self.if_true, other.if_true), _common_to(self.if_false, other.if_false)
        )

    def either(self, other: RefinementSet) -> RefinementSet:
        """What ``this or other`` tells: if it is true, only what both say of that case."""
        return RefinementSet(
            _common_to(self.if_true, other.if_true), _all_of(self.if_false, other.if_false)
        )


NOTHING_KNOWN = RefinementSet()


@value_class
class Condition:
    """A condition: its value, what it tells, and whether it is decided at compile time."""

    value: Value
    refinements: RefinementSet = NOTHING_KNOWN
    static: bool | None = None


def _all_of(
    first: tuple[Refinement, ...], second: tuple[Refinement, ...]
) -> tuple[Refinement, ...]:
    """Both together. Where they disagree on a variable, nothing is said of it."""
    known = {refinement.name: refinement for refinement in first}
    for refinement in second:
        if known.setdefault(refinement.name, refinement).type != refinement.type:
            del known[refinement.name]
    return tuple(known.values())


def _common_to(
    first: tuple[Refinement, ...], second: tuple[Refinement, ...]
) -> tuple[Refinement, ...]:
    return tuple(refinement for refinement in first if refinement in second)
