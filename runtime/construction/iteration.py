"""Iterators of a program: each element costs a step, and they are not nested without end.

Python's own iterators call each other on the stack of C, which has an end that Python does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.runtime.construction.values.protocol import Evaluator

_DEEPEST = 200
MOST_ELEMENTS = 20_000_000


class Elements(Iterator[Any]):
    """The elements of `source`, an iterator that takes its own from `inputs`."""

    __slots__ = ("_evaluator", "_left", "_source", "depth")

    def __init__(self, evaluator: Evaluator, source: Iterator[Any], *inputs: Any) -> None:
        self._evaluator = evaluator
        self._source = source
        self._left = MOST_ELEMENTS
        self.depth: int = 1 + max(getattr(each, "depth", 0) for each in (source, *inputs))
        if self.depth > _DEEPEST:
            raise RecursionError("maximum recursion depth exceeded: iterators are nested too deep")

    def __next__(self) -> Any:
        self._evaluator.step()
        self._left -= 1
        if self._left < 0:
            raise MemoryError(f"an iterator gave more than {MOST_ELEMENTS} elements")
        return next(self._source)
