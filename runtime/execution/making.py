"""The circumstances under which what runs is made of graphs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tsc.compiler.ir import DEFINING, Function
from tsc.compiler.pipelines import nested_too_deeply
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection


@contextmanager
def making(function: Function) -> Generator[None]:
    """For work on graphs, which may be large and deeply nested; other threads wait for what comes of it."""
    with DEFINING, deep_recursion(), rare_garbage_collection():
        try:
            yield
        except RecursionError:
            raise nested_too_deeply(function) from None
