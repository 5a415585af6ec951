"""Moves between registers that are meant to happen all at once, put into an order for one after the
other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Move = tuple[int, int]
"""To a register, from a register."""


def in_sequence(moves: Sequence[Move], spare: Callable[[], int]) -> list[Move]:
    """Moves that do one by one what `moves` do together; `spare` gives a register to break a circle
    with.
    """
    source = {to: origin for to, origin in moves if to != origin}
    readers: dict[int, int] = {}
    for origin in source.values():
        readers[origin] = readers.get(origin, 0) + 1
    ready = [to for to in source if to not in readers]
    result: list[Move] = []
    while source:
        if not ready:
            ready.append(_open_circle(source, readers, result, spare()))
        to = ready.pop()
        origin = source.pop(to)
        result.append((to, origin))
        readers[origin] -= 1
        if not readers[origin] and origin in source:
            ready.append(origin)
    return result


def _open_circle(
    source: dict[int, int], readers: dict[int, int], result: list[Move], spare: int
) -> int:
    """Save a register that is still to be read; what reads it then reads the saved value. Returns
    the register.
    """
    saved = next(iter(source))
    result.append((spare, saved))
    for to, origin in source.items():
        if origin == saved:
            source[to] = spare
    readers[spare] = readers.pop(saved)
    return saved
