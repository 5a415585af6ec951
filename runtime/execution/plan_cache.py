"""A bounded number of plans by the inputs that they were made for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tsc.runtime.execution.argument_spec import ArgumentSpec
from tsc.runtime.execution.counters import COUNTING

MOST_PLANS: Final = 16
"""Of one function. What else it is called with runs by the plan for all inputs."""

Plan = TypeVar("Plan")


class PlanCache(Generic[Plan]):
    """`make` gives the plan for inputs that were not seen before, `general` is the one for all inputs."""

    __slots__ = ("_general", "_make", "_plans")

    def __init__(self, make: Callable[[ArgumentSpec], Plan], general: Plan) -> None:
        self._make = make
        self._general = general
        self._plans: dict[ArgumentSpec, Plan] = {}

    def find(self, spec: ArgumentSpec) -> Plan:
        """The plan to run."""
        known = self._plans.get(spec)
        if known is not None:
            COUNTING.cache_hits += 1
            return known
        COUNTING.cache_misses += 1
        if len(self._plans) >= MOST_PLANS:
            return self._general
        return self._plans.setdefault(spec, self._make(spec))
