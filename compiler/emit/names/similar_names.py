"""Finds names that are spelled like another one, among many, for suggestions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

_NEIGHBOURS = 20  # on each side


class NameIndex:
    """Names sorted by their beginnings and by their ends: a misspelt one has neighbours there."""

    __slots__ = ("_backwards", "_forwards")

    def __init__(self, names: Iterable[str]) -> None:
        known = set(names)
        self._forwards = sorted(known)
        self._backwards = sorted(name[::-1] for name in known)

    def near(self, name: str) -> list[str]:
        """Names that begin or end like ``name``: a number of them that does not grow."""
        backwards = _neighbours(self._backwards, name[::-1])
        return [*_neighbours(self._forwards, name), *(each[::-1] for each in backwards)]


def _neighbours(names: Sequence[str], name: str) -> Sequence[str]:
    position = bisect_left(names, name)
    return names[max(position - _NEIGHBOURS, 0) : position + _NEIGHBOURS]
