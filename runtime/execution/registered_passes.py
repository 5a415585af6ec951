"""Passes of users, which run on every graph after tsc's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tsc.compiler.ir import Graph

_passes: list[Callable[[Graph], Any]] = []


def register_pass(function: Callable[[Graph], Any]) -> Callable[[Graph], Any]:
    """Run `function` on every graph that is optimized from now on, after tsc's own passes."""
    _passes.append(function)
    return function


def registered_passes() -> tuple[Callable[[Graph], Any], ...]:
    """The passes of users, in the order of their registration."""
    return tuple(_passes)
