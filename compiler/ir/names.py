"""The debug names of one graph's values: each belongs to one value at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsc.compiler.ir.errors import GraphError

if TYPE_CHECKING:
    from tsc.compiler.ir.value import Value


def split_suffix(name: str) -> tuple[str, int | None]:
    """``x.12`` into ``("x", 12)``; a name without a numeric suffix keeps its whole."""
    base, dot, suffix = name.rpartition(".")
    if not dot or not _is_number(suffix):
        return name, None
    return base, int(suffix)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


class NameTable:
    """Who owns which name, and the next free suffix of every base name."""

    __slots__ = ("_next_suffix", "_owners")

    def __init__(self) -> None:
        self._owners: dict[str, Value] = {}
        self._next_suffix: dict[str, int] = {}

    def owner(self, name: str) -> Value | None:
        return self._owners.get(name)

    def claim(self, name: str, value: Value) -> None:
        """Gives ``name`` to ``value``; whoever had it is renamed with the next free suffix."""
        if _is_number(name):
            raise GraphError(f"a value's name must not be a number: '{name}'")
        previous = self._owners.get(name)
        if previous is not None and previous is not value:
            replacement = self._unused(name)
            self._owners[replacement] = previous
            previous.rename(replacement)
        self._owners[name] = value

    def release(self, name: str) -> None:
        del self._owners[name]

    def _unused(self, name: str) -> str:
        base, given = split_suffix(name)
        suffix = 1 if given is None else given
        if base in self._next_suffix:
            suffix = max(suffix, self._next_suffix[base] + 1)
        while (candidate := f"{base}.{suffix}") in self._owners:
            suffix += 1
        self._next_suffix[base] = suffix + 1
        return candidate
