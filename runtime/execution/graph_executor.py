"""How functions are run: a graph executor chooses an execution plan for its function, and the plan
runs it.

A plan is anything that turns inputs into outputs. The interpreter of bytecode is one; faster ones
stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from tsc.compiler.ir import DEFINING, Function, Graph, Node, set_executable_maker
from tsc.compiler.pipelines import Observe, run_passes, stage
from tsc.compiler.source.jit_log import LOG, Level
from tsc.runtime.context.array_memory import watch_allocations
from tsc.runtime.context.grad_mode import is_grad_enabled, is_inference_mode_enabled
from tsc.runtime.context.gradient_state import leaves, watched
from tsc.runtime.execution.call_depth import depth_of_calls
from tsc.runtime.execution.cold_functions import ColdFunction, Run, first_calls
from tsc.runtime.execution.counters import counted
from tsc.runtime.execution.executor_mode import MODE, SpecializingExecutor
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.making import making
from tsc.runtime.execution.native_groups import best_plan, native_graph
from tsc.runtime.execution.node_kernels import Kernel, kernel_of
from tsc.runtime.execution.optimization import callees, inlined, optimize
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.python.plan import PlanSource, PythonPlan
from tsc.runtime.execution.python.weight import has_tensors
from tsc.runtime.execution.reached_functions import Asks, reached_without
from tsc.runtime.execution.recording_kernels import (
    begins_recording,
    hands_out_views,
    kernels_for,
)
from tsc.runtime.execution.tasks import Execution, WholeCall, may_wait
from tsc.runtime.execution.type_keeping import KEEP_TYPES, asks_for_types

if TYPE_CHECKING:
    from tsc.runtime.execution.bytecode.code import Code
    from tsc.runtime.execution.bytecode.plan import BytecodePlan


class ExecutionPlan(Protocol):
    """A way to run one function."""

    def run(self, inputs: Sequence[Any]) -> Any:
        """The result: the single output, or a tuple of several."""
        ...


class GraphExecutor:
    """Runs one function; what is made from its graph for that is made once, and kept by what it is for."""

    __slots__ = (
        "__weakref__",
        "_call_depth",
        "_codes",
        "_optimized",
        "_plans",
        "_reaches",
        "_noting",
        "_run",
        "_specializing",
        "_typed",
        "function",
    )

    def __init__(self, function: Function) -> None:
        self.function = function
        self._optimized: Graph | None = None
        self._call_depth: int | None = None
        self._typed: Graph | None = None
        self._reaches: dict[Asks, bool] = {}
        self._codes: dict[PlanKey, Code] = {}
        self._plans: dict[PlanKey, ExecutionPlan] = {}
        self._run: Run | None = None
        self._noting: dict[str, Run] = {}
        self._specializing: SpecializingExecutor | None = None

    def inlined_graph(self) -> Graph:
        """A copy of the function's graph without calls of functions."""
        return inlined(self.function)

    def reaches(self, asks: Asks) -> bool:
        """Whether the function, or one that it calls, has a node of which `asks` holds; found out once."""
        known = self._reaches.get(asks)
        if known is not None:
            return known
        with DEFINING:
            reached = reached_without(
                asks, self.function, lambda each: executor_of(each).known_to_reach(asks)
            )
            self._reaches[asks] = reached is None
            for callee in reached or ():
                executor_of(callee)._reaches[asks] = False
        return reached is None

    def known_to_reach(self, asks: Asks) -> bool | None:
        """The same as far as it was found out."""
        return self._reaches.get(asks)

    @property
    def keeps_types(self) -> bool:
        """Whether the function, or one that it calls, asks what its lists and dictionaries hold."""
        return self.reaches(asks_for_types)

    @property
    def begins_recording(self) -> bool:
        """Whether a call may make tensors that require gradients of such that do not."""
        return self.reaches(begins_recording)

    @property
    def calls_deeply(self) -> bool:
        """Whether calls may go deeper in the function than Python's do."""
        if self._call_depth is None:
            with making(self.function):
                known: dict[Function, int] = {}
                depth_of_calls(
                    self.function, lambda each: executor_of(each).simplified_graph, known
                )
                for function, depth in known.items():
                    executor_of(function)._call_depth = depth
        assert self._call_depth is not None
        return self._call_depth > _SHALLOW

    @property
    def optimized_graph(self) -> Graph:
        """The graph that is run, whatever the inputs."""
        return self.graph_to_run(PlanKey(with_types=self.keeps_types))

    @property
    def executed_graph(self) -> Graph:
        """The graph that ran last, if the function was called."""
        if self._specializing is not None:
            return self._specializing.graph
        return self.graph_to_run(PlanKey(with_types=self.keeps_types, optimized=MODE.is_optimized))

    def graph_to_run(self, key: PlanKey) -> Graph:
        """The graph that plans of this key run."""
        graph = self.simplified_graph if key.optimized else self.function.graph
        if not key.with_types:
            return graph
        with making(self.function):
            if not key.optimized:
                return self.with_types(graph)
            if self._typed is None:
                self._typed = self.with_types(graph)
            return self._typed

    def with_types(self, graph: Graph) -> Graph:
        """A copy of a graph of the function, whose lists and dictionaries are typed."""
        typed = graph.copy()
        run_passes([KEEP_TYPES], self.function, typed)
        return typed

    @property
    def simplified_graph(self) -> Graph:
        """The graph that is run, or inlined into those of callers, but for what keeps types."""
        if self._optimized is None:
            with making(self.function):
                _optimize_with_callees(self.function)
        assert self._optimized is not None
        return self._optimized

    @property
    def is_optimized(self) -> bool:
        return self._optimized is not None

    def optimize(self) -> None:
        """Make the graph to run; the callees whose bodies may be inlined are optimized already."""
        self._optimized = optimize(self.function, _optimized_graph)

    @property
    def code(self) -> Code:
        """The bytecode of the graph that is run."""
        return self.code_to_run(PlanKey(with_types=self.keeps_types))

    def code_to_run(self, key: PlanKey) -> Code:
        """The bytecode of the graph that plans of this key run."""
        key = key._replace(plan="bytecode")
        if key not in self._codes:
            kernels = kernels_for(key, kernel_of)
            with making(self.function):
                self._codes[key] = self.code_of(self.graph_to_run(key), kernels)
        return self._codes[key]

    def code_of(self, graph: Graph, kernels: Callable[[Node], Kernel]) -> Code:
        """Bytecode of a graph of the function, whose nodes run `kernels`."""
        from tsc.runtime.execution.bytecode.code_emitter import (
            emit_code,  # most programs never have bytecode
        )

        with stage("bytecode emission", self.function):
            return emit_code(graph, self.function.name, kernels)

    def plan(self, key: PlanKey) -> ExecutionPlan:
        """A way to run the function. All of them lead to the same result."""
        known = self._plans.get(key)
        return self._made(key) if known is None else known

    def _made(self, key: PlanKey) -> ExecutionPlan:
        with making(self.function), stage(f"{key.plan} plan", self.function):
            made_for = key._replace(with_types=key.with_types or self.keeps_types)
            if made_for not in self._plans:
                self._plans[made_for] = PLANS[key.plan](self, made_for)
                if LOG.active:
                    self._log(made_for)
            return self._plans.setdefault(key, self._plans[made_for])

    def _log(self, key: PlanKey) -> None:
        text = f"{key.plan} plan of function '{self.function.name}':\n{self.graph_to_run(key)}"
        LOG.write("graph_executor", Level.DUMP, text, self._made.__code__.co_firstlineno)

    def run(self, inputs: Sequence[Any]) -> Any:
        """Call the function, by the plan that was chosen when it was first called, or else by the best."""
        MODE.last = self
        if leaves:
            return self._noting_run()(inputs)
        run = self._run
        return self._usual_run()(inputs) if run is None else run(inputs)

    def _usual_run(self) -> Run:
        """How to run the function where nothing is noted."""
        if self._run is None:
            choose = self._warm_run if MODE.plan else self._best_run
            self._run = self._chosen(choose, recording=self.begins_recording)
        return self._run

    def _noting_run(self) -> Run:
        """The same where something is noted, or may be later: how tensors come about, or how views do."""
        if watched or is_grad_enabled():
            noted = "inference" if is_inference_mode_enabled() else "recording"
        elif self.reaches(hands_out_views):
            noted = "unrecorded"
        else:
            return self._usual_run()
        known = self._noting.get(noted)
        if known is None:
            known = self._noting[noted] = self._chosen(self._warm_run, **{noted: True})
        return known

    def _chosen(self, choose: Callable[[PlanKey], Run], **noted: bool) -> Run:
        """How to run the function, as it is wanted now; `choose` says how if nothing is wanted.

        `noted` are fields of the key.
        """
        MODE.chosen.add(self)
        key = PlanKey(MODE.plan or best_plan(), optimized=MODE.is_optimized, **noted)
        if not MODE.is_optimized:
            return counted(self._warm_run(key))
        if MODE.specializing is not None:
            self._specializing = MODE.specializing(self, key)
            return counted(self._specializing.run)
        return counted(choose(key))

    def _warm_run(self, key: PlanKey) -> Run:
        return self.plan(key).run

    def choose_again(self) -> None:
        """For the next call, choose how to run the function."""
        self._run = self._specializing = None
        self._noting.clear()

    def _best_run(self, key: PlanKey) -> Run:
        """By the best plan, unless that is not worth its making yet."""
        with stage(f"{key.plan} plan", self.function):
            first = first_calls(self.simplified_graph, key.plan)
        if first is None:
            return self.plan(key).run

        def for_good() -> Run:
            self._run = counted(self._warm_run(key))
            return self._run

        meanwhile = self.plan(key._replace(plan=first.plan, in_loops=first.in_loops)).run
        return ColdFunction(meanwhile, first.calls, for_good).run

    def begin(self, inputs: Sequence[Any]) -> Execution:
        """A call that has not begun to run, and that can be put away where it waits."""
        if not self.reaches(may_wait):
            return WholeCall(self.run, inputs)
        inference = is_inference_mode_enabled()
        records = not inference and (bool(leaves) or self.begins_recording)
        key = PlanKey("bytecode", recording=records, inference=inference)
        return cast("BytecodePlan", self.plan(key)).begin(inputs)


set_executable_maker(GraphExecutor)
watch_allocations()


def _bytecode_plan(executor: GraphExecutor, key: PlanKey) -> BytecodePlan:
    return bytecode_plan_of(key, executor.code_to_run(key))


def bytecode_plan_of(key: PlanKey, code: Code) -> BytecodePlan:
    """A plan of bytecode, whose calls are of plans of this key."""
    from tsc.runtime.execution.bytecode.plan import BytecodePlan  # most programs run by another

    return BytecodePlan(code, partial(_code_of, key))


def _python_plan(executor: GraphExecutor, key: PlanKey) -> PythonPlan:
    kernels = kernels_for(key, fast_kernel)
    by_bytecode = partial(executor.plan, key._replace(plan="bytecode", in_loops=False))
    graph = native_graph(executor.function, key, partial(executor.graph_to_run, key))
    return python_plan_of(executor, key, graph, kernels, by_bytecode)


def python_plan_of(
    executor: GraphExecutor,
    key: PlanKey,
    graph: Callable[[], Graph],
    kernels: Callable[[Node], Kernel],
    by_bytecode: Callable[[], ExecutionPlan],
) -> PythonPlan:
    """A plan of Python for a graph of the executor's function, whose calls are of plans of this key.

    `by_bytecode` gives the plan of bytecode for the same graph.
    """
    source = PlanSource(
        executor.function,
        graph,
        partial(_python_plan_of, key._replace(in_loops=False)),  # a loop may call them
        lambda: cast("BytecodePlan", by_bytecode()),
        lambda: executor.calls_deeply,
        lambda: has_tensors(graph()),
        kernels,
    )
    return PythonPlan(source)


def _python_plan_of(key: PlanKey, function: Function) -> PythonPlan:
    plan = executor_of(function).plan(key)
    assert isinstance(plan, PythonPlan)
    return plan


PLANS: dict[str, Callable[[GraphExecutor, PlanKey], ExecutionPlan]] = {
    "native": _python_plan,
    "python": _python_plan,
    "bytecode": _bytecode_plan,
}
"""By name. Native code is called by a Python function."""


_SHALLOW = 100
"""Calls that may be open at one time, without a thought of Python's limit of a thousand."""


def executor_of(function: Function) -> GraphExecutor:
    """The executor of a function, which is made when it is first called."""
    executor = function.executable
    assert isinstance(executor, GraphExecutor)
    return executor


def _optimize_with_callees(function: Function) -> None:
    """A function and all that it calls, directly or not, the callees first."""
    opened: set[Function] = set()
    pending = [function]
    while pending:
        current = pending[-1]
        executor = executor_of(current)
        if current in opened or executor.is_optimized:
            pending.pop()
            if not executor.is_optimized:
                executor.optimize()
            continue
        opened.add(current)
        pending += [callee for callee in callees(current.graph) if callee not in opened]


def _optimized_graph(function: Function) -> Graph | None:
    """The optimized graph of a callee; None for one that is still waiting for its own callees."""
    executor = executor_of(function)
    return executor.simplified_graph if executor.is_optimized else None


def optimize_again(function: Function, observe: Observe) -> Graph:
    """The graph that is run, made once more for one who wants to see how."""
    executor = executor_of(function)
    with making(function):
        passes = [KEEP_TYPES] if executor.keeps_types else []
        _optimize_with_callees(function)
        graph = optimize(function, _optimized_graph, observe)
        run_passes(passes, function, graph, observe)
    return graph


def _code_of(key: PlanKey, function: Function) -> Code:
    """The same for a call from a function whose plan has this key."""
    executor = executor_of(function)
    return executor.code_to_run(key._replace(with_types=key.with_types or executor.keeps_types))
