"""How functions are to be run: by which executor and plan, optimized or not. It may change while a process runs.

An executor that has chosen how to run its function is told when that is to be chosen anew, so that calls ask for
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol
from weakref import WeakSet

from tsc.compiler.ir import Graph
from tsc.runtime.execution.plan_keys import PlanKey


class ChoosingExecutor(Protocol):
    """What runs a function, in a way that it chooses when the function is first called."""

    @property
    def executed_graph(self) -> Graph:
        """The graph that ran last."""
        ...

    def choose_again(self) -> None:
        """Forget the choice; the next call makes a new one."""
        ...


class SpecializingExecutor(Protocol):
    """Runs one function by plans that are made for the inputs it is called with."""

    @property
    def graph(self) -> Graph:
        """The graph that ran last."""
        ...

    def run(self, inputs: Sequence[Any]) -> Any:
        """The single output, or a tuple of several."""
        ...


class Mode:
    """What is wanted; of `plan`, None leaves it to each function. Where plans are to be made for inputs,
    `specializing` makes what does so. `chosen` are those who have chosen accordingly, `last` the one whose function
    was called last from outside of a program.
    """

    __slots__ = ("chosen", "counts", "is_optimized", "last", "plan", "specializing")

    def __init__(self) -> None:
        self.specializing: Callable[[Any, PlanKey], SpecializingExecutor] | None = None
        self.is_optimized = True
        self.counts = False
        self.plan: str | None = None
        self.chosen: WeakSet[ChoosingExecutor] = WeakSet()
        self.last: ChoosingExecutor | None = None

    def change(self, **wanted: object) -> None:
        """Have the mode changed, and everything chosen anew."""
        for name, value in wanted.items():
            setattr(self, name, value)
        for each in list(self.chosen):
            each.choose_again()


MODE: Final = Mode()


@contextmanager
def optimized_execution(should_optimize: bool) -> Generator[None]:
    """Within the ``with`` statement, functions run as they were compiled, unless optimizing is wanted."""
    before = MODE.is_optimized
    MODE.change(is_optimized=should_optimize)
    try:
        yield
    finally:
        MODE.change(is_optimized=before)


@contextmanager
def chosen_plan(name: str) -> Generator[None]:
    """Let functions that are first called within the ``with`` statement run by a plan of this name, then and later."""
    before, MODE.plan = MODE.plan, name
    try:
        yield
    finally:
        MODE.plan = before


def last_executed_optimized_graph() -> Graph | None:
    """The graph that ran in the last call of a function; None before the first."""
    return None if MODE.last is None else MODE.last.executed_graph
