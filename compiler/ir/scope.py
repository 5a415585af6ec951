"""What names stand for in nested blocks: looking one up does not depend on how deep they nest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Scope(Generic[T]):
    """What the names set in one block stand for; other names are looked up outside.

    Scopes are opened one inside of the other. One that has ended can still be asked, as long as the
    scope around it is open and the innermost one.
    """

    __slots__ = ("_depth", "_here", "_open", "_outer")

    def __init__(self, outer: Scope[T] | None = None) -> None:
        self._outer = outer
        self._depth = 0 if outer is None else outer._depth + 1
        self._here: dict[str, T] = {}
        # What each name stands for in the open scopes, with their depths, the innermost last.
        self._open: dict[str, list[tuple[int, T]]] = {} if outer is None else outer._open

    def end(self) -> None:
        """Nothing is set here any more, and scopes opened from now on do not see this one."""
        for name in self._here:
            self._forget(name)

    def set(self, name: str, meaning: T) -> None:
        if name in self._here:
            self._forget(name)
        self._here[name] = meaning
        meanings = self._open.setdefault(name, [])
        assert not meanings or meanings[-1][0] < self._depth, "an inner scope is open"
        meanings.append((self._depth, meaning))

    def remove(self, name: str) -> None:
        """Let the name stand for nothing, here and outside."""
        scope: Scope[T] | None = self
        while scope is not None:
            if scope._here.pop(name, None) is not None:
                scope._forget(name)
            scope = scope._outer

    def find_here(self, name: str) -> T | None:
        return self._here.get(name)

    def find(self, name: str) -> T | None:
        """What ``name`` stands for in this scope or the nearest one around it."""
        if name in self._here:
            return self._here[name]
        for depth, meaning in reversed(self._open.get(name, ())):
            if depth < self._depth:
                return meaning
        return None

    def names(self) -> list[str]:
        """The names set here, in the order in which they were first set."""
        return list(self._here)

    def all_names(self) -> Iterator[str]:
        """The names set here, then those set outside."""
        scope: Scope[T] | None = self
        while scope is not None:
            yield from scope._here
            scope = scope._outer

    def _forget(self, name: str) -> None:
        meanings = self._open[name]
        if meanings and meanings[-1][0] == self._depth:
            meanings.pop()
