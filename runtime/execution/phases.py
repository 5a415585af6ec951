"""The graphs that the profiling executor makes of one function, phase by phase, each of the one before."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.ir import Function, Graph
from tsc.compiler.ir.symbols import aten
from tsc.compiler.pipelines import (
    BATCHING,
    BEFORE_RUNNING,
    DERIVATIVE_PRESERVING,
    DIFFERENTIATION,
    GUARDING,
    PROFILING,
    PROPAGATION,
    REQUIRED,
    Observe,
    ignore,
    run_passes,
)
from tsc.compiler.source import CompileError
from tsc.compiler.types import NONE
from tsc.runtime.execution.argument_spec import ArgumentSpec, ArgumentSpecCreator
from tsc.runtime.execution.optimization import inlined
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.registered_passes import passes_of_users
from tsc.runtime.execution.run_pass import find_pass
from tsc.runtime.execution.type_keeping import KEEP_TYPES

_MERGING = ("eliminate_common_subexpressions", "pool_constants")
"""Passes that make one of two things that are equal."""


class Phases:
    """`observe` hears of every pass, and of every phase by its name."""

    __slots__ = ("_function", "_observe")

    def __init__(self, function: Function, observe: Observe = ignore) -> None:
        self._function = function
        self._observe = observe

    def general(self) -> Graph | None:
        """What all others begin with: what can be inlined is. None for a function that cannot be specialized."""
        try:
            graph = inlined(self._function)
            self._run(BEFORE_RUNNING, graph)
        except CompileError:  # it would be too large, or is nested too deeply
            return None
        return graph

    def specialized(self, general: Graph, spec: ArgumentSpec, key: PlanKey) -> Graph:
        """For inputs of one spec, with what follows from it; containers are typed from then on, if they are to be."""
        graph = general.copy()
        ArgumentSpecCreator(general).specialize(graph, spec, with_gradients=not key.recording)
        self._observe("specialize_types", self._function, graph)
        self._run((*REQUIRED, *PROPAGATION, *BATCHING), graph)
        if key.with_types:
            run_passes([KEEP_TYPES], self._function, graph, self._observe)
        self._observe("specialized", self._function, graph)
        return graph

    def profiled(self, specialized: Graph) -> Graph:
        """The same with nodes that note what tensors there are."""
        graph = specialized.copy()
        self._run(PROFILING, graph)
        return graph

    def guarded(self, profiled: Graph) -> Graph:
        """The same where profile nodes, which have noted it, give way to bailouts."""
        self._observe("profiled", self._function, profiled)
        graph = profiled.copy()
        self._run(GUARDING, graph)
        self._observe("guarded", self._function, graph)
        return graph

    def optimized(self, guarded: Graph, *, recording: bool) -> Graph:
        """What runs: the passes of users come last."""
        graph = guarded.copy()
        merge = not _asks_for_identity(graph)
        preserving = [name for name in DERIVATIVE_PRESERVING if merge or name not in _MERGING]
        self._run((*PROPAGATION, *preserving), graph)
        if recording:
            differentiation = [find_pass(name, {"merge": merge}) for name in DIFFERENTIATION]
            run_passes(differentiation, self._function, graph, self._observe)
            self._observe("differentiable", self._function, graph)
        run_passes(passes_of_users(), self._function, graph, self._observe)
        self._observe("optimized", self._function, graph)
        return graph

    def _run(self, names: Sequence[str], graph: Graph) -> None:
        run_passes(map(find_pass, names), self._function, graph, self._observe)


def _asks_for_identity(graph: Graph) -> bool:
    """Whether a program asks if two things, none of them None, are the same."""
    asking = (node for node in graph.all_nodes() if node.kind in (aten.is_, aten.isnot))
    return any(all(value.type != NONE for value in node.inputs) for node in asking)
