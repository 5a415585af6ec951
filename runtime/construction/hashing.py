"""Values that a program uses as keys, or asks for their hash.

Python's hash of a tuple calls itself for tuples in it, on the stack of C, without looking how much of that is
left. And the hash of a text or an object is a number of the process, not of the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from types import UnionType
from typing import Any, Final, Protocol, runtime_checkable

from tsc.compiler.budget import charge_step, reserve

_DEEPEST: Final = 1000
_INT64: Final = 1 << 63
_SIZE: Final = 8  # bytes of an element
_LARGEST: Final = 1_000_000


def hashable(value: Any) -> Any:
    """The value itself. Raises RecursionError for a tuple that is nested too deep to have a hash."""
    if isinstance(value, tuple | frozenset) and value and not _ends(value, tuple | frozenset):
        raise RecursionError(
            "maximum recursion depth exceeded: tuples are nested too deep for a hash"
        )
    if isinstance(value, tuple | frozenset | complex) or _is_long(value):
        charge_step()  # the hashes of many can be made equal, and equal ones cost quadratic time
    return value


def _is_long(value: Any) -> bool:
    """Whether it is an int of more than 64 bits."""
    return type(value) is int and not -_INT64 <= value < _INT64


def comparable(value: Any) -> Any:
    """The value itself. Raises MemoryError for containers that hold too many others to be compared."""
    if isinstance(value, list | tuple):
        reserve(_SIZE * len(value))  # which looks at the clock when much was compared
        _ends(value, list | tuple)
    return value


def all_hashable(values: Iterable[Any]) -> Iterable[Any]:
    """The values one by one, each as `hashable` gives it."""
    return map(hashable, values)


def hashable_keys(pairs: Any) -> Any:
    """What ``dict`` is made of: a dictionary as it is, pairs with keys that are `hashable`."""
    if isinstance(pairs, dict):
        return pairs
    return map(_with_hashable_key, pairs)


def _with_hashable_key(pair: Any) -> Any:
    if isinstance(pair, tuple | list) and pair:
        hashable(pair[0])
    return pair


def _ends(value: Iterable[Any], kinds: type | UnionType) -> bool:
    """Whether containers of these kinds are nested at most so deep. Raises MemoryError where they are too many.

    It goes level by level. What several places share is looked at once in each level, but counted for each.
    """
    level = {id(value): (value, 1)}
    for _ in range(_DEEPEST):
        inner: dict[int, tuple[Iterable[Any], int]] = {}
        for outer, places in level.values():
            for each in outer:
                if isinstance(each, kinds):
                    inner[id(each)] = each, places + inner.get(id(each), (each, 0))[1]
        if not inner:
            return True
        if sum(places for _, places in inner.values()) > _LARGEST:
            raise MemoryError("a container holds too many others to be hashed or compared")
        level = inner
    return False


@runtime_checkable
class HashedByParts(Protocol):
    """A value that may be equal to another one, and then has the same parts."""

    def hash_parts(self) -> Any:
        """What the hash is made of; None for a value that is equal to itself only."""
        ...


class Identities:
    """What ``id`` and ``hash`` give: the same in every process, and no addresses of it."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[int, Any]] = {}

    def of(self, value: Any) -> int:
        """A number that no other value has. The value is kept, so that it stays the only one."""
        known = self._numbers.get(id(value))
        if known is None:
            known = self._numbers[id(value)] = (_FIRST + _STEP * len(self._numbers), value)
        return known[0]

    def hash_of(self, value: Any) -> int:
        """The same number for values that are equal. Raises TypeError for what has no hash."""
        own = hash(hashable(value))
        if value is None:
            return self.of(None)
        if isinstance(value, str):
            digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=7)
            return int.from_bytes(digest.digest(), "little")
        if isinstance(value, int | float | complex):
            return own
        if isinstance(value, tuple):
            return hash(tuple([self.hash_of(each) for each in value]))
        if isinstance(value, frozenset):
            return hash(frozenset([self.hash_of(each) for each in value]))
        parts = value.hash_parts() if isinstance(value, HashedByParts) else None
        return self.of(value) if parts is None else self.hash_of(parts)


_FIRST: Final = 0x10000
_STEP: Final = 16
