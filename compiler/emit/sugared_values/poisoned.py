"""A variable of which nothing is known, since the statement that sets it has been refused."""

from __future__ import annotations

from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.source import FollowUp


class PoisonedValue(SugaredValue):
    """Stands for any value; whoever uses it learns that there is nothing more to say."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        raise FollowUp


POISONED = PoisonedValue()
