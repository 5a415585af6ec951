"""Futures: what ``fork`` gives. The forked function runs at once; ``wait`` tells how it ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compiler.ir import Function, Graph, Node
from compiler.types import Type
from runtime.errors import ScriptError


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


def fork_kernel(node: Node) -> Callable[..., Future]:
    """Runs the graph of a ``prim::fork``."""
    from runtime.graph_executor import executor_of  # which gets its kernels from here

    graph = node.attribute("Subgraph")
    assert isinstance(graph, Graph)
    executor = executor_of(Function("fork", graph=graph, range=node.range))
    return lambda *inputs: Future(node.output.type, lambda: executor.run(inputs))
