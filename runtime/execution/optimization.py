"""The graphs that are made of a function's graph by passes: the one that runs, and the one with nothing
called in it. Which passes those are, and in which order, is told in `compiler.pipelines`.
"""

from __future__ import annotations

from tsc.compiler.ir import CALLS, Function, Graph, callee_of
from tsc.compiler.passes.inline_fork_wait import inline_fork_wait
from tsc.compiler.passes.inline_small_calls import Optimized
from tsc.compiler.pipelines import (
    BEFORE_RUNNING,
    INLINED,
    Given,
    Observe,
    ignore,
    passes,
    run_passes,
)
from tsc.compiler.process_settings import deep_recursion
from tsc.runtime.execution.constant_evaluation import evaluate
from tsc.runtime.execution.registered_passes import passes_of_users
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor


def optimize(function: Function, optimized: Optimized, observe: Observe = ignore) -> Graph:
    """The graph to run in place of that of `function`, which is left as it is.

    `optimized` gives the graphs of callees that were optimized before.
    """
    graph = function.graph.copy()
    given = Given(load(), evaluate, number_of, optimized)
    run_passes([*passes(BEFORE_RUNNING, given), *passes_of_users()], function, graph, observe)
    return graph


@deep_recursion()
def inlined(function: Function, observe: Observe = ignore) -> Graph:
    """A copy of a function's graph with the bodies of what it calls in the place of the calls, however deep.

    `observe` hears of the bodies, too.
    """
    graph = function.graph.copy()
    given = Given(load(), evaluate, observe=observe)
    run_passes(passes(INLINED, given), function, graph, observe)
    return graph


def inlined_with_tasks(function: Function) -> Graph:
    """The same, in which tasks run where they begin if they are waited for."""
    graph = inlined(function)
    given = Given(load(), evaluate)
    while inline_fork_wait(graph):
        run_passes(passes(INLINED, given), function, graph, ignore)
    return graph


def number_of(constant: object) -> complex | None:
    """The number in a tensor of no dimensions."""
    if not isinstance(constant, Tensor) or constant.array.ndim != 0:
        return None
    return constant.item()


def callees(graph: Graph) -> list[Function]:
    """The functions that a graph calls, each once, in the order of the calls."""
    called = (callee_of(node) for node in graph.all_nodes() if node.kind in CALLS)
    return list(dict.fromkeys(function for function in called if function is not None))
