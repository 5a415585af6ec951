"""The executors by name: one plan for all inputs, or plans for the inputs that a function is called with."""

from __future__ import annotations

from typing import Final

from tsc.compiler.source import UsageError
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.execution.profiling_executor import ProfilingExecutor

EXECUTORS: Final = {"simple": None, "profiling": ProfilingExecutor}


def set_executor(name: str) -> None:
    """Run functions by the executor of this name from now on: ``"simple"``, the default, or ``"profiling"``.

    The first makes one plan of a function, for all inputs. The second makes plans for the dtypes and ranks that a
    function is called with, looks at what tensors go through its first run, and assumes that they stay alike.
    Results are the same. Raises `UsageError` for another name.
    """
    if name not in EXECUTORS:
        raise UsageError(f"there is no executor {name!r}; there are {' and '.join(EXECUTORS)}")
    MODE.change(specializing=EXECUTORS[name])
