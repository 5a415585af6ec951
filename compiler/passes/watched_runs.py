"""Runs of passes that are logged, or that may rewrite no more than so much."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial

from tsc.compiler.ir import Graph
from tsc.compiler.source.jit_log import LOG, Level
from tsc.compiler.source.rewritings import LIMITS


def is_watched() -> bool:
    """Whether runs of passes are to be watched at all."""
    return LOG.active or bool(LIMITS.left)


def watched_run(name: str, run: Callable[[Graph], object], graph: Graph) -> object:
    """Run a pass. One that does not count its rewritings makes one whenever it changes a graph."""
    line = _first_line(run)
    left = LIMITS.left.get(name)
    if left == 0:
        LOG.write(name, Level.UPDATE, f"{name} is not run: it has come to its limit", line)
        return False
    if LOG.wants(name, Level.DEBUG):
        LOG.write(name, Level.DEBUG, f"Before {name}:\n{graph}", line)
    before = "" if left is None else str(graph)
    changed = run(graph)
    if left is not None and LIMITS.left[name] == left and str(graph) != before:
        LIMITS.take(name)
    if LOG.wants(name, Level.DUMP):
        LOG.write(name, Level.DUMP, f"After {name}:\n{graph}", line)
    return changed


def _first_line(run: Callable[[Graph], object]) -> int:
    """Where a pass is defined in its file."""
    while isinstance(run, partial):
        run = run.func
    code = getattr(inspect.unwrap(run), "__code__", None)
    return 0 if code is None else code.co_firstlineno
