"""Forked tasks: a function that runs on a thread of its own turn, and goes away while it waits for another.

A task owns an execution. Where that waits for a future that is not done, its thread takes up other work, and the end
of the future puts the task into the queue again; so any number of tasks get along with one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any, Protocol, cast

from numpy import errstate

from tsc.compiler.ir import CALLS, Function, Graph, Node, callee_of, prim
from tsc.compiler.ir.symbols import aten
from tsc.compiler.types import Type
from tsc.runtime.context.limits import current_limits, share_meter
from tsc.runtime.context.task_threads import TASK_THREADS
from tsc.runtime.values.futures import Await, Future


def may_wait(node: Node) -> bool:
    """Whether a node may wait for a future; the methods of an interface may do anything."""
    return node.kind == aten.wait or (node.kind in CALLS and callee_of(node) is None)


class Execution(Protocol):
    """A call that goes on until it waits."""

    def resume(self) -> Future[Any] | None:
        """Go on to the end, or to a future that is not done. Raises what the program raises."""
        ...

    def result(self) -> Any:
        """What came out, after the end."""
        ...


class _Executable(Protocol):
    def begin(self, inputs: Sequence[Any]) -> Execution:
        """A call that has not begun to run."""
        ...


class WholeCall:
    """A call that never waits, as an execution: it ends when it is resumed first."""

    __slots__ = ("_inputs", "_result", "_run")

    def __init__(self, run: Callable[[Sequence[Any]], Any], inputs: Sequence[Any]) -> None:
        self._run = run
        self._inputs = inputs
        self._result: Any = None

    def resume(self) -> Future[Any] | None:
        self._result = self._run(self._inputs)
        self._inputs = ()
        return None

    def result(self) -> Any:
        return self._result


class _Task:
    """An execution on its way to its future, in a copy of the context of who forked it: grad mode, limits."""

    __slots__ = ("_context", "_execution", "_future")

    def __init__(self, execution: Execution, future: Future[Any]) -> None:
        self._execution = execution
        self._future = future
        self._context = copy_context()
        self._context.run(share_meter)

    def schedule(self, _awaited: Future[Any] | None = None) -> None:
        TASK_THREADS.submit(self._go_on)

    def _go_on(self) -> None:
        try:
            awaited = self._context.run(self._resume)
        except BaseException as error:  # noqa: BLE001  whoever waits gets it
            self._future.set_exception(error)
            return
        if awaited is None:
            self._future.set_result(self._execution.result())
        else:
            awaited.add_done_callback(self.schedule)

    def _resume(self) -> Future[Any] | None:
        with errstate(all="ignore"):
            return self._execution.resume()


class ForkKernel:
    """Starts the graph of a ``prim::fork`` and gives its future at once.

    What nobody asked to run starts no threads: under a budget the graph runs then and there.
    """

    __slots__ = ("_type", "function")

    def __init__(self, node: Node) -> None:
        self.function = forked_function(node)
        self._type = node.output.type

    def __call__(self, *inputs: Any) -> Future[Any]:
        if current_limits().budget is not None:
            return _ended(self._type, lambda: self.function.run(inputs))
        future: Future[Any] = Future(self._type)
        executable = cast("_Executable", self.function.executable)
        _Task(executable.begin(inputs), future).schedule()
        return future


class AwaitableKernel:
    """Keeps the inputs for the graph of a ``prim::awaitable``."""

    __slots__ = ("_type", "function")

    def __init__(self, node: Node) -> None:
        self.function = forked_function(node)
        self._type = node.output.type

    def __call__(self, *inputs: Any) -> Await:
        return Await(self._type, lambda: self.function.run(inputs))


def _ended(type: Type, run: Callable[[], Any]) -> Future[Any]:
    future: Future[Any] = Future(type)
    try:
        future.set_result(run())
    except Exception as error:  # noqa: BLE001  whoever waits gets it
        future.set_exception(error)
    return future


def forked_function(node: Node) -> Function:
    """What runs in a ``prim::fork`` or ``prim::awaitable``."""
    name = "<forked function>" if node.kind == prim.fork else "<awaitable function>"
    graph = node.attribute("Subgraph")
    assert isinstance(graph, Graph)
    return Function(name, graph=graph, range=node.range)
