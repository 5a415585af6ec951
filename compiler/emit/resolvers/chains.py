"""Names that stand for names: where a chain of them ends."""

from __future__ import annotations

from collections.abc import Callable


class Chains:
    """`next_of` gives what a name stands for, or None. Each link is followed once."""

    __slots__ = ("_ends", "_next_of")

    def __init__(self, next_of: Callable[[str], str | None]) -> None:
        self._next_of = next_of
        self._ends: dict[str, str | None] = {}

    def end_of(self, name: str) -> str | None:
        """The last name of the chain that begins behind `name`; None if there is none, or it is a circle."""
        walked: dict[str, None] = {}
        end, current = None, name
        while current not in walked:
            if current in self._ends:
                end = self._ends[current] or end
                break
            following = self._next_of(current)
            if following is None:
                break
            walked[current] = None
            end = current = following
        else:
            end = None
        self._ends.update(dict.fromkeys(walked, end))
        return end
