"""The ways to run a program, each of which must give the same: by plan, by executor, and with guards that fail."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from itertools import product
from zlib import crc32

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.profiling import random_failures

CALLS = 3
"""The first is looked at, the others rely on it."""
FAILURES = (0.0, 0.05, 0.3, 1.0)
PLANS = ("python", "bytecode", "native")
WAYS = (
    *product((*PLANS, "native"), ("simple",), (0.0,)),
    *product(PLANS, ("profiling",), FAILURES),
)
"""Native code is what runs by default, and so it is tried twice as often."""


@contextmanager
def some_way(source: str) -> Generator[None]:
    """Run what is called within the ``with`` statement in a way that the text of the program decides."""
    number = crc32(source.encode())
    plan, executor, failures = WAYS[number % len(WAYS)]
    tsc.set_executor(executor)
    try:
        with chosen_plan(plan), random_failures(number, failures):
            yield
    finally:
        tsc.set_executor("simple")
