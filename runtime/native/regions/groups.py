"""Running groups (`prim::NativeGroup`): as a Python function first, as native code once that pays.

A loop is handed over while it runs, after so many turns that making native code has paid by the time they took.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from types import FunctionType
from typing import Any, Final, Protocol

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.compiler.passes.create_native_groups import create_native_groups
from tsc.compiler.passes.subgraphs import subgraph_of
from tsc.compiler.types import TensorType, Type
from tsc.runtime.context.grad_mode import is_grad_enabled, is_inference_mode_enabled
from tsc.runtime.context.gradient_state import leaves, watched
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.execution.fusion import fused
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.python.plan import PythonPlan
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.regions.forms import NotNative
from tsc.runtime.native.regions.region_forms import RegionForms
from tsc.runtime.native.regions.regions import Region, known_region, made_region
from tsc.runtime.native.regions.resumable import Resumable
from tsc.runtime.native.regions.tensor_assumptions import assumptions, depth_of_rows
from tsc.runtime.native.regions.tensor_forms import TensorSpec
from tsc.runtime.native.regions.tensor_specs import (
    GuardFailed,
    may_make_tensors,
    specs_of,
    tensor_places,
)

_FIXED: Final = (prim.Constant, prim.Uninitialized)
_LOOKS: Final = 0.0005
"""Seconds in Python after which native code is looked for, in case it was made before: that takes about as long."""
_PLAIN: Final = PlanKey(optimized=False)
_MOST_KINDS: Final = 8
"""Of dtypes and ranks that code is made for."""
_LONGEST_ROW: Final = 1024
"""Elements of a row that is computed as a whole."""
_PAYS: Final = 0.02
"""Seconds in Python after which native code is made, which takes about as long."""
_PORTION: Final = 0.005
"""Seconds for which a loop runs in Python before it may be handed over."""


class Meter(Protocol):
    """Counts steps, for executions under limits."""

    def take(self) -> int: ...

    def give_back(self, steps: int) -> None: ...


def is_native(graph: Graph) -> bool:
    """Whether a graph has all it takes to be native code."""
    return any(_has_forms(graph, tensors) for tensors in assumptions(graph))


def _has_forms(graph: Graph, tensors: Mapping[Value, TensorSpec]) -> bool:
    try:
        RegionForms(graph, tensors)
    except NotNative:
        return False
    return True


def native_group(node: Node) -> Callable[..., Any]:
    """What runs a group: it takes the meter of an execution under limits, or None, and the inputs."""
    body = subgraph_of(node)
    function = node.string_attribute("function") if node.has_attribute("function") else "native"
    if _is_loop(body):
        return NativeLoop(Resumable(body), function).run
    return MadeWhenItPays(body, InPython(_with_native_loops(body, function), function)).run


def region_graph(body: Graph) -> Graph:
    """What becomes native code of the graph of a group: a loop is to go on from any turn."""
    return Resumable(body).graph if _is_loop(body) else body.copy()


def _is_loop(body: Graph) -> bool:
    """Whether a graph is a loop and nothing else, and gives what the loop gives."""
    nodes = [each for each in body.nodes() if each.kind not in _FIXED]
    return [each.kind for each in nodes] == [prim.Loop] and body.outputs == nodes[0].outputs


class InPython:
    """A graph as a Python function, and the time that was spent in it. Loops in it may be groups."""

    __slots__ = ("_function", "_functions", "_has_tensors", "_parameters", "_plain", "spent")

    def __init__(self, graph: Graph, function: str) -> None:
        self._has_tensors = bool(tensor_places(graph))
        self._parameters = len(graph.inputs)
        self._plain = function_of_graph(graph, function)
        self._function = function_of_graph(fused(self._plain, graph), function)
        self._functions: dict[tuple[PlanKey, bool], FunctionType] = {}
        self.spent = 0.0

    def run(self, meter: Meter | None, inputs: Sequence[Any]) -> Any:
        key = (_noting() if self._has_tensors else _PLAIN), meter is not None
        function = self._functions.get(key) or self._made(*key)
        started = perf_counter()
        try:
            if meter is None:
                return function(*inputs)
            meter.give_back(1)  # what it counts for being called: the program calls nothing here
            return function(meter, *inputs)
        finally:
            self.spent += perf_counter() - started

    def _made(self, key: PlanKey, is_metered: bool) -> FunctionType:
        plan = executor_of(self._plain if key.inference else self._function).plan(key)
        assert isinstance(plan, PythonPlan)
        made = plan.function(self._parameters, metered=is_metered)
        self._functions[key, is_metered] = made
        return made


def _noting() -> PlanKey:
    """The plan that notes what is done with tensors as it has to be noted now."""
    recording = bool(leaves) and (bool(watched) or is_grad_enabled())
    inference = is_inference_mode_enabled()
    if not recording and not inference:
        return _PLAIN
    return PlanKey(recording=recording and not inference, optimized=False, inference=inference)


class RegionInMaking:
    """The native code of a graph for tensors of some dtypes and ranks: looked for, then made in the background."""

    __slots__ = ("_graph", "_has_looked", "_hopeless", "_making", "_region", "_tensors")

    def __init__(self, graph: Graph, tensors: tuple[TensorSpec, ...]) -> None:
        self._graph, self._tensors = graph, tensors
        self._region: Region | None = None
        self._making: Making[Region] | None = None
        self._has_looked = self._hopeless = False

    @property
    def is_settled(self) -> bool:
        """Whether it is there, or will never be."""
        return self._region is not None or self._hopeless

    def region(self, spent: float) -> Region | None:
        """The code, if it is there after so many seconds in Python."""
        if self.is_settled:
            return self._region
        if self._making is None:
            self._begin(spent)
        if self._making is not None and self._region is None:
            try:
                self._region = self._making.made
            except NotNative:
                self._hopeless = True
        return self._region

    def _begin(self, spent: float) -> None:
        """Look for the code, or have it made, if it is time for that."""
        at_once = MODE.plan == "native"
        if spent > _LOOKS and not self._has_looked and not at_once:
            self._has_looked = True
            self._region = known_region(self._graph, self._tensors)
        elif spent > _PAYS or at_once:
            make = partial(made_region, self._graph, self._tensors)
            self._making = BACKGROUND.begin(make, at_once=at_once)


class MadeWhenItPays:
    """A graph that runs in Python until it has taken as long as it takes to make native code of it, and until that is
    there.
    """

    __slots__ = ("_graph", "_makes_tensors", "_python", "_regions", "_rows", "_tensors", "for_all")

    def __init__(self, graph: Graph, in_python: InPython) -> None:
        """`in_python` does the same as the graph."""
        self._graph, self._python = graph, in_python
        self._tensors = tensor_places(graph)
        self._rows = _depths_of_rows(graph)
        self._makes_tensors = any(map(_has_tensors, (value.type for value in graph.outputs)))
        self._regions: dict[tuple[TensorSpec, ...], RegionInMaking] = {}
        self.for_all: Region | None = None
        """The code, once it is there, of a graph without tensors: nothing is asked of inputs."""

    @property
    def is_settled(self) -> bool:
        """Whether it will run as it does now for good."""
        return any(each.is_settled for each in self._regions.values())

    @property
    def spent(self) -> float:
        """Seconds in Python."""
        return self._python.spent

    def run(self, meter: Meter | None, *inputs: Any) -> Any:
        """The single output, or a tuple of several."""
        if self.for_all is not None and meter is None:
            return self.for_all.run(*inputs)
        region = self._region(inputs)
        if region is None:
            return self._python.run(meter, inputs)
        try:
            if meter is None:
                return region.run(*inputs)
            return region.run_metered(meter.take, meter.give_back, *inputs)
        except GuardFailed:
            return self._python.run(meter, inputs)

    def _region(self, inputs: Sequence[Any]) -> Region | None:
        """The native code for these inputs, if it is there."""
        if self._makes_tensors and not may_make_tensors():
            return None
        specs = specs_of([inputs[place] for place in self._tensors]) if self._tensors else ()
        if specs is None or self._has_long_rows(inputs):
            return None
        making = self._regions.get(specs)
        if making is None:
            if len(self._regions) == _MOST_KINDS:
                return None
            making = self._regions[specs] = RegionInMaking(self._graph, specs)
        region = making.region(self.spent)
        if not self._tensors and not self._makes_tensors:
            self.for_all = region
        return region

    def _has_long_rows(self, inputs: Sequence[Any]) -> bool:
        """Whether operators are better at it: they have vectors and threads."""
        return any(
            math.prod(inputs[place].array.shape[depth:]) > _LONGEST_ROW
            for place, depth in self._rows.items()
        )


def _depths_of_rows(graph: Graph) -> dict[int, int]:
    """The inputs of which something is computed as wholes, or in rows after so many indices."""
    depths = {place: depth_of_rows(graph.inputs[place]) for place in tensor_places(graph)}
    return {place: depth for place, depth in depths.items() if depth is not None}


def _has_tensors(type: Type) -> bool:
    return isinstance(type, TensorType) or any(map(_has_tensors, type.contained))


def _with_native_loops(body: Graph, function: str) -> Graph:
    """The same graph, whose loops are groups of their own: each may be handed over while it runs."""
    graph = body.copy()
    create_native_groups(graph, is_native=is_native)
    for group in graph.find_all_nodes(prim.NativeGroup):
        group.set_attribute("function", function)
    return graph


class NativeLoop:
    """A loop, handed over while it runs when it pays to make native code of it."""

    __slots__ = ("_loop", "_portion", "_turns")

    def __init__(self, loop: Resumable, function: str) -> None:
        self._loop = loop
        self._portion = 2
        self._turns = MadeWhenItPays(loop.graph, InPython(loop.graph, function))

    def run(self, meter: Meter | None, *inputs: Any) -> Any:
        """The single thing that the loop carries, or a tuple of several, or None."""
        region = self._turns.for_all
        if region is not None and meter is None:
            return self._loop.carried_by(region.run(*self._loop.all_turns(inputs)))
        count, going, state = self._loop.begin(inputs)
        begun = 0
        while going and begun < count:
            before = self._turns.spent
            turns = min(count if self._turns.is_settled else self._portion, count - begun)
            results = self._turns.run(meter, turns, begun, going, *state, *inputs)
            going, *state = results if self._loop.carried else (results,)
            begun += turns
            if turns == self._portion:
                self._learn(self._turns.spent - before)
        return self._loop.carried_by((going, *state))

    def _learn(self, spent: float) -> None:
        """The next portion: one that takes the time of a portion, more or less."""
        if spent < _PORTION:
            self._portion *= 2
        elif spent > 4 * _PORTION:
            self._portion = max(self._portion // 2, 1)
