"""The ways to run a program, each of which must give the same: by plan, by executor, and with guards that fail."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from zlib import crc32

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.profiling import random_failures

CALLS = 3
"""The first is looked at, the others rely on it."""
FAILURES = (0.0, 0.05, 0.3, 1.0)
"""How likely each guard is to fail; a program has one of these for all its ways."""
PLANS = ("python", "bytecode", "native")
EXECUTORS = ("simple", "profiling")


def all_ways(source: str) -> Iterator[str]:
    """Each way in turn, by its name: until the next is asked for, what is compiled anew and called runs in it.

    How often guards fail, and which, the text of the program decides.
    """
    number = crc32(source.encode())
    failures = FAILURES[number % len(FAILURES)]
    try:
        for plan, executor in product(PLANS, EXECUTORS):
            tsc.set_executor(executor)
            with chosen_plan(plan), random_failures(number, failures):
                yield f"{plan}, {executor}, {failures:.0%} of the guards fail"
    finally:
        tsc.set_executor("simple")
