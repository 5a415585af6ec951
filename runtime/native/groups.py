"""Running groups (`prim::NativeGroup`): as a Python function first, as native code once that pays.

A loop is handed over while it runs, after so many turns that making native code has paid by the time they took.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final, Protocol

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.compiler.passes.create_native_groups import create_native_groups
from tsc.compiler.passes.subgraphs import subgraph_of
from tsc.runtime.context.hooks import native_regions
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.python.plan import PythonPlan
from tsc.runtime.native.forms import NotNative
from tsc.runtime.native.region_forms import RegionForms
from tsc.runtime.native.resumable import Resumable

_FIXED: Final = (prim.Constant, prim.Uninitialized)
_PAYS: Final = 0.02
"""Seconds in Python after which native code is made, which takes about as long."""


class Meter(Protocol):
    """Counts steps, for executions under limits."""

    def take(self) -> int: ...

    def give_back(self, steps: int) -> None: ...


def is_native(graph: Graph) -> bool:
    """Whether a graph has all it takes to be native code."""
    try:
        RegionForms(graph)
    except NotNative:
        return False
    return True


def native_group(node: Node) -> Callable[..., Any]:
    """What runs a group: it takes the meter of an execution under limits, or None, and the inputs."""
    body = subgraph_of(node)
    function = node.string_attribute("function") if node.has_attribute("function") else "native"
    if _is_loop(body):
        return NativeLoop(Resumable(body), function).run
    return NativeFunction(body, function).run


def _is_loop(body: Graph) -> bool:
    """Whether a graph is a loop and nothing else, and gives what the loop gives."""
    nodes = [each for each in body.nodes() if each.kind not in _FIXED]
    return [each.kind for each in nodes] == [prim.Loop] and body.outputs == nodes[0].outputs


class InPython:
    """A graph as a Python function, and the time that was spent in it. Loops in it may be groups."""

    __slots__ = ("_function", "_graph", "_plan", "spent")

    def __init__(self, graph: Graph, function: str) -> None:
        self._graph, self._function = graph, function
        self._plan: PythonPlan | None = None
        self.spent = 0.0

    @property
    def pays(self) -> bool:
        """Whether it is time for native code."""
        return self.spent > _PAYS or MODE.plan == "native"

    def run(self, meter: Meter | None, inputs: Sequence[Any]) -> Any:
        started = perf_counter()
        try:
            return self._run(meter, inputs)
        finally:
            self.spent += perf_counter() - started

    def _run(self, meter: Meter | None, inputs: Sequence[Any]) -> Any:
        if self._plan is None:
            self._plan = self._made()
        function = self._plan.function(len(inputs), metered=meter is not None)
        if meter is None:
            return function(*inputs)
        meter.give_back(1)  # what it counts for being called: the program calls nothing here
        return function(meter, *inputs)

    def _made(self) -> PythonPlan:
        executor = executor_of(function_of_graph(self._graph, self._function))
        plan = executor.plan(PlanKey(optimized=False))
        assert isinstance(plan, PythonPlan)
        return plan


class NativeFunction:
    """A whole function, in Python until it has taken as long as it takes to make native code of it."""

    __slots__ = ("_body", "_hopeless", "_python", "_region")

    def __init__(self, body: Graph, function: str) -> None:
        self._body = body
        self._python = InPython(_with_native_loops(body, function), function)
        self._region: Any = None
        self._hopeless = False

    def run(self, meter: Meter | None, *inputs: Any) -> Any:
        """The single output, or a tuple of several."""
        if self._region is None:
            if self._hopeless or not self._python.pays:
                return self._python.run(meter, inputs)
            self._make()
            return self.run(meter, *inputs)
        if meter is None:
            return self._region.run(*inputs)
        return self._region.run_metered(meter.take, meter.give_back, *inputs)

    def _make(self) -> None:
        try:
            self._region = native_regions().Region(self._body)
        except NotNative:
            self._hopeless = True


def _with_native_loops(body: Graph, function: str) -> Graph:
    """The same graph, whose loops are groups of their own: each may be handed over while it runs."""
    graph = body.copy()
    create_native_groups(graph, is_native=is_native)
    for group in graph.find_all_nodes(prim.NativeGroup):
        group.set_attribute("function", function)
    return graph


class NativeLoop:
    """A loop, in Python until it pays to make native code of it."""

    __slots__ = ("_hopeless", "_loop", "_python", "_region")

    def __init__(self, loop: Resumable, function: str) -> None:
        self._loop = loop
        self._python = InPython(loop.graph, function)
        self._region: Any = None
        self._hopeless = False

    def run(self, meter: Meter | None, *inputs: Any) -> Any:
        """The single thing that the loop carries, or a tuple of several, or None."""
        count, going, state = self._loop.begin(inputs)
        begun, turns = 0, 1
        while going and begun < count:
            if self._region is None and self._pays():
                self._make()
            turns = count if self._is_settled else turns * 2
            turns = min(turns, count - begun)
            going, *state = self._turns(meter, [turns, begun, going, *state, *inputs])
            begun += turns
        return state[0] if len(state) == 1 else tuple(state) or None

    @property
    def _is_settled(self) -> bool:
        return self._region is not None or self._hopeless

    def _pays(self) -> bool:
        return not self._hopeless and self._python.pays

    def _make(self) -> None:
        try:
            self._region = native_regions().Region(self._loop.graph)
        except NotNative:
            self._hopeless = True

    def _turns(self, meter: Meter | None, inputs: Sequence[Any]) -> Sequence[Any]:
        if self._region is None:
            results = self._python.run(meter, inputs)
        elif meter is None:
            results = self._region.run(*inputs)
        else:
            results = self._region.run_metered(meter.take, meter.give_back, *inputs)
        return results if self._loop.carried else (results,)
