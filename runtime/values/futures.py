"""Futures, which ``fork`` gives: the function runs at once, and ``wait`` tells how it ended; and
awaits, which ``_awaitable`` gives: the function runs when its result is first waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tsc.compiler.ir import Function, Graph, Node
from tsc.compiler.types import Type
from tsc.runtime.context.errors import ScriptError


class Future:
    """A result, or the error that came instead of it."""

    __slots__ = ("_error", "_value", "script_type")

    def __init__(self, script_type: Type, run: Callable[[], Any]) -> None:
        self.script_type = script_type
        self._value: Any = None
        self._error: ScriptError | None = None
        try:
            self._value = run()
        except ScriptError as error:
            self._error = error

    def wait(self) -> Any:
        """The result; what the forked function raised is raised here."""
        if self._error is not None:
            raise self._error
        return self._value


class Await:
    """A result that is not there before it is waited for."""

    __slots__ = ("_run", "_value", "script_type")

    def __init__(self, script_type: Type, run: Callable[[], Any]) -> None:
        self.script_type = script_type
        self._run: Callable[[], Any] | None = run
        self._value: Any = None

    def wait(self) -> Any:
        if self._run is not None:
            self._value = self._run()
            self._run = None
        return self._value


def awaitable_kernel(node: Node) -> Callable[..., Await]:
    """Keeps the inputs for the graph of a ``prim::awaitable``."""
    run = _graph_of(node, "awaitable")
    return lambda *inputs: Await(node.output.type, lambda: run(inputs))


def fork_kernel(node: Node) -> Callable[..., Future]:
    """Runs the graph of a ``prim::fork``."""
    run = _graph_of(node, "fork")
    return lambda *inputs: Future(node.output.type, lambda: run(inputs))


def _graph_of(node: Node, name: str) -> Callable[[tuple[Any, ...]], Any]:
    graph = node.attribute("Subgraph")
    assert isinstance(graph, Graph)
    return Function(name, graph=graph, range=node.range).run
