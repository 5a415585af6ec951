"""Functions that are called for the first times: what is called once is sooner done without much making.

To make a Python function takes about 30 µs more for a node than to make bytecode, and a node takes about 1 µs more
by bytecode: long functions without loops run by bytecode at first. To look for groups of operators takes several times
as long as to make the function: shorter ones run without groups when they are first called, and those with loops have
groups in these alone, if there is much beside.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from tsc.compiler.ir import CALLS, Graph, prim
from tsc.runtime.execution.fusion import makers_of_tensors

_FEWEST_NODES: Final = 200
"""Shorter functions are not worth to load the interpreter for."""
_FEWEST_MAKERS: Final = 32
"""Operators that make tensors outside of loops: fewer are not worth to make a function of several loops twice."""

Run = Callable[[Sequence[Any]], Any]


class FirstCalls(NamedTuple):
    """The plan of so many calls, before the best one is made; it may have groups of operators in loops alone."""

    plan: str
    calls: int
    in_loops: bool = False


def first_calls(graph: Graph, plan: str) -> FirstCalls | None:
    """How a graph runs at first whose best plan this is; None if by that plan."""
    nodes = [*graph.all_nodes()]
    makers = [*makers_of_tensors(graph.block)]
    if any(node.kind == prim.Loop or node.kind in CALLS for node in nodes):  # may repeat a node
        is_long = plan == "native" and makers.count(False) >= _FEWEST_MAKERS
        return FirstCalls(plan, 1, in_loops=True) if is_long else None
    if len(nodes) >= _FEWEST_NODES:
        return FirstCalls("bytecode", 8)
    if plan == "native" and makers:
        return FirstCalls("python", 1)
    return None


class ColdFunction:
    """Runs one way for some calls, then the other; at once where a debugger or profiler looks on."""

    __slots__ = ("_calls_left", "_for_good", "_meanwhile")

    def __init__(self, meanwhile: Run, calls: int, for_good: Callable[[], Run]) -> None:
        self._meanwhile = meanwhile
        self._for_good = for_good
        self._calls_left = calls

    def run(self, inputs: Sequence[Any]) -> Any:
        """The result of a call."""
        if self._calls_left > 0 and sys.gettrace() is None and sys.getprofile() is None:
            self._calls_left -= 1
            return self._meanwhile(inputs)
        return self._for_good()(inputs)
