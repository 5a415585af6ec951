"""What programs warn of, at which lines."""

from __future__ import annotations

import warnings

import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

SOURCE = """
def own(x):
    warnings.warn("look out")
    return x

def of_the_library(x):
    return torch.nn.functional.softmax(x)
"""


@pytest.mark.parametrize("plan", ["bytecode", "python"])
@pytest.mark.parametrize(("name", "line"), [("own", 3), ("of_the_library", 7)])
def test_a_warning_has_the_line_of_the_program(name: str, line: int, plan: str) -> None:
    unit = tsc.CompilationUnit(SOURCE, filename="program.py")
    with chosen_plan(plan), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(unit, name)(tsc.ones(2, 2))
    (found,) = caught
    assert (found.filename, found.lineno) == ("program.py", line)


def test_a_line_warns_once() -> None:
    unit = tsc.CompilationUnit(SOURCE, filename="warns_once.py")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            unit.own(tsc.ones(2))
    assert len(caught) == 1
