"""The executor that makes plans for the inputs a function is called with, and for what it saw in their first run.

For each `ArgumentSpec`, the graph goes through the phases of `phases`: its inputs are specialized; profile nodes
note what tensors go through a first run; guards make sure of that in all others. Where a guard does not hold, the
rest of the program runs without assumptions; after too many of them, the plan for all inputs stays.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.pipelines import Observe, ignore
from tsc.compiler.source import CompileError
from tsc.runtime.execution.argument_spec import ArgumentSpec, ArgumentSpecCreator
from tsc.runtime.execution.cold_functions import Run
from tsc.runtime.execution.counters import COUNTING
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.graph_executor import (
    ExecutionPlan,
    GraphExecutor,
    bytecode_plan_of,
    python_plan_of,
)
from tsc.runtime.execution.making import making
from tsc.runtime.execution.node_kernels import Kernel, kernel_of
from tsc.runtime.execution.phases import Phases
from tsc.runtime.execution.plan_cache import PlanCache
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.profiling import ProfilingRecord, guard_of
from tsc.runtime.execution.recording_kernels import kernels_for

PROFILED_RUNS: Final = 1
"""Before guards are made of what was seen."""
MOST_BAILOUTS: Final = 20
"""Of one plan, before the one for all inputs takes its place."""

Kernels = Callable[[Node], Kernel]


class ProfilingExecutor:
    """Runs one function. `key` says by which kind of plans."""

    __slots__ = ("_executor", "_last", "_run", "general_plan", "key", "phases")

    def __init__(self, executor: GraphExecutor, key: PlanKey, observe: Observe = ignore) -> None:
        self._executor = executor
        self.key = key._replace(with_types=key.with_types or executor.keeps_types)
        self.phases = Phases(executor.function, observe)
        self.general_plan = GeneralPlan(executor, self.key)
        self._last: GeneralPlan | SpecializedPlan = self.general_plan
        self._run: Run = self._first_run

    @property
    def graph(self) -> Graph:
        """The graph that ran last."""
        return self._last.graph

    def run(self, inputs: Sequence[Any]) -> Any:
        """The single output, or a tuple of several."""
        return self._run(inputs)

    def _first_run(self, inputs: Sequence[Any]) -> Any:
        with making(self._executor.function):
            general = self.phases.general()
        self._run = self.general_plan.run if general is None else self._run_specialized_of(general)
        return self._run(inputs)

    def _run_specialized_of(self, general: Graph) -> Run:
        def make(spec: ArgumentSpec) -> GeneralPlan | SpecializedPlan:
            try:
                return SpecializedPlan(self, general, spec)
            except CompileError:  # it is nested too deeply for the passes
                return self.general_plan

        spec_of = ArgumentSpecCreator(general).spec_of
        find = PlanCache[GeneralPlan | SpecializedPlan](make, self.general_plan).find

        def run(inputs: Sequence[Any]) -> Any:
            plan = self._last = find(spec_of(inputs))
            return plan.run(inputs)

        return run

    def making(self) -> Any:
        """For work on graphs of the function."""
        return making(self._executor.function)

    def plan_of(self, graph: Graph, own: dict[str, Kernels]) -> ExecutionPlan:
        """A plan for a graph, whose nodes run the kernels of their kind in `own`, or else those that they always do."""
        key, executor = self.key, self._executor

        def kernels(usual: Kernels) -> Kernels:
            chosen = kernels_for(key, usual)
            return lambda node: own.get(node.kind, chosen)(node)

        @cache
        def by_bytecode() -> ExecutionPlan:
            with self.making():
                return bytecode_plan_of(key, executor.code_of(graph, kernels(kernel_of)))

        if key.plan == "bytecode":
            return by_bytecode()
        return python_plan_of(executor, key, lambda: graph, kernels(fast_kernel), by_bytecode)


@contextmanager
def observed_phases(observe: Observe) -> Generator[None]:
    """Run functions by profiling executors within the ``with`` statement; `observe` hears of passes and phases."""
    before = MODE.specializing
    MODE.change(specializing=partial(ProfilingExecutor, observe=observe))
    try:
        yield
    finally:
        MODE.change(specializing=before)


class GeneralPlan:
    """The plan for all inputs, made when it is first to run."""

    __slots__ = ("_executor", "_key")

    def __init__(self, executor: GraphExecutor, key: PlanKey) -> None:
        self._executor = executor
        self._key = key

    @property
    def graph(self) -> Graph:
        return self._executor.graph_to_run(self._key)

    def run(self, inputs: Sequence[Any]) -> Any:
        """The result of a call."""
        return self._executor.plan(self._key).run(inputs)


class SpecializedPlan:
    """For inputs of one spec. `run` is another function in each of its times: profiling, guarded, given up."""

    __slots__ = ("_bailouts", "_owner", "_runs", "graph", "run")

    def __init__(self, owner: ProfilingExecutor, general: Graph, spec: ArgumentSpec) -> None:
        self._owner = owner
        self._runs = 0
        self._bailouts = 0
        with owner.making():
            specialized = owner.phases.specialized(general, spec, owner.key)
            self.graph = owner.phases.profiled(specialized)
            record = ProfilingRecord(self.graph, with_gradients=not owner.key.recording)
            plan = owner.plan_of(self.graph, {prim.profile: record.kernel})
        self.run: Run = self._profiling(plan.run, record)

    def _profiling(self, run: Run, record: ProfilingRecord) -> Run:
        def run_and_look(inputs: Sequence[Any]) -> Any:
            try:
                return run(inputs)
            finally:
                self._runs += 1
                if self._runs == PROFILED_RUNS:
                    self._guard(record)

        return run_and_look

    def _guard(self, record: ProfilingRecord) -> None:
        owner = self._owner
        try:
            with owner.making():
                guarded = owner.phases.guarded(record.finish())
                self.graph = owner.phases.optimized(guarded, recording=owner.key.recording)
                self.run = owner.plan_of(self.graph, {prim.BailOut: self._guard_of}).run
        except CompileError:  # it is nested too deeply for the passes
            self._give_up()

    def _guard_of(self, node: Node) -> Kernel:
        return guard_of(node, self._note_bailout)

    def _note_bailout(self) -> None:
        COUNTING.bailouts += 1
        self._bailouts += 1
        if self._bailouts == MOST_BAILOUTS:
            self._give_up()

    def _give_up(self) -> None:
        self.graph = self._owner.general_plan.graph
        self.run = self._owner.general_plan.run
