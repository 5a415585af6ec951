"""What functions give or raise under a plan, for tests that compare native code with bytecode."""

from __future__ import annotations

import copy
from typing import Any

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan


def outcomes(source: str, name: str, plan: str, calls: list[Any]) -> list[str]:
    """What a function of a source gives or raises for each of several arguments, and what becomes of these."""
    function = getattr(tsc.CompilationUnit(source), name)
    found: list[str] = []
    with chosen_plan(plan):
        for given in copy.deepcopy(calls):
            try:
                result = repr(function(*given))
            except tsc.ScriptError as error:
                result = str(error)
            found.append(result + repr(given))
    return found
