"""Functions that are called for the first times: long ones without loops run by bytecode then.

To make a Python function takes about 30 µs more for a node than to make bytecode, and a node takes about 1 µs more
by bytecode. So what is called once or twice, and does each thing once, is sooner done without.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from tsc.compiler.ir import CALLS, Graph
from tsc.compiler.ir.symbols import prim

_FIRST_CALLS: Final = 8
_FEWEST_NODES: Final = 200
"""Shorter functions are not worth to load the interpreter for."""

Run = Callable[[Sequence[Any]], Any]


def is_long_and_straight(graph: Graph) -> bool:
    """Whether a graph is long, and whatever it does is done once."""
    count = 0
    for node in graph.all_nodes():
        if node.kind == prim.Loop or node.kind in CALLS:
            return False
        count += 1
    return count >= _FEWEST_NODES


class ColdFunction:
    """Runs by bytecode for some calls, then the other way; at once where a debugger or profiler looks on."""

    __slots__ = ("_calls_left", "_for_good", "_meanwhile")

    def __init__(self, meanwhile: Run, for_good: Callable[[], Run]) -> None:
        self._meanwhile = meanwhile
        self._for_good = for_good
        self._calls_left = _FIRST_CALLS

    def run(self, inputs: Sequence[Any]) -> Any:
        """The result of a call."""
        if self._calls_left > 0 and sys.gettrace() is None and sys.getprofile() is None:
            self._calls_left -= 1
            return self._meanwhile(inputs)
        return self._for_good()(inputs)
