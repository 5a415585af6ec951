"""Passes of users, which run after tsc's own on every graph that is optimized."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.ir import Graph, verify
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.passes.inline_functional_graphs import inline_functional_graphs
from tsc.compiler.pipelines import Pass
from tsc.compiler.source import Error

_passes: list[Pass] = []
_UNGROUPING: Final = Pass("inline_functional_graphs", inline_functional_graphs)


class PassError(Error):
    """What a pass of a user raised, which is the cause of this error, or how it left a graph."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.pass_name = name


def register_pass(
    function: Callable[[Graph], Any], name: str | None = None
) -> Callable[[Graph], Any]:
    """Run `function` on every graph that is optimized from now on, after tsc's own passes.

    `name`, which is the function's own unless given, is that of the pass in dumps and errors. The graph is
    verified after it; what the pass raises or breaks is a `tsc.Error` that names it.
    """
    known_as = name or getattr(function, "__name__", type(function).__name__)
    _passes.append(Pass(known_as, lambda graph: _run(function, known_as, graph)))
    return function


def registered_passes() -> tuple[Pass, ...]:
    """The passes of users, in the order of their registration."""
    return tuple(_passes)


def passes_of_users() -> tuple[Pass, ...]:
    """What runs after tsc's own passes. Groups that no plan runs are taken apart again."""
    return (*_passes, _UNGROUPING) if _passes else ()


def _run(function: Callable[[Graph], Any], name: str, graph: Graph) -> None:
    """Raises PassError if the pass raises anything, or breaks the graph."""
    try:
        function(graph)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise PassError(f"the registered pass '{name}' raised {reason}", name) from error
    try:
        verify(graph)
    except GraphError as error:
        message = f"the registered pass '{name}' left a graph that is not valid: {error}"
        raise PassError(message, name) from error
