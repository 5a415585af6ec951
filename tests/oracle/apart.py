"""Calls in a process of their own: PyTorch's compiler is made to forget there what it has compiled.

What other tests of the process compiled would not survive that.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@cache
def _process() -> ProcessPoolExecutor:
    """One for all calls, started anew rather than forked: forks inherit what PyTorch has compiled."""
    return ProcessPoolExecutor(1, get_context("spawn"))


def apart(
    function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Result:
    """The result of a function of a module, called in the other process."""
    return _process().submit(function, *args, **kwargs).result()
