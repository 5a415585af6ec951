"""The order in which classes are searched: C3 linearization (Barrett et al., 1996), as in Python."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def merged(orders: Sequence[Sequence[T]], identity: Callable[[T], Hashable]) -> list[T] | None:
    """The orders as one, in which each class comes before those below it; None if they disagree.

    ``identity`` tells whether two entries are the same class.
    """
    pending = [list(order) for order in orders if order]
    result: list[T] = []
    while pending:
        below = {identity(each) for order in pending for each in order[1:]}
        first = next((order[0] for order in pending if identity(order[0]) not in below), None)
        if first is None:
            return None
        result.append(first)
        for order in pending:
            if identity(order[0]) == identity(first):
                del order[0]
        pending = [order for order in pending if order]
    return result
