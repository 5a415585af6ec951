"""What is done to a function's graph before it runs: small callees are inlined, then the result is
simplified.

Callees come first, so that what is inlined is simple already. A large callee stays called, and so
does one into which calls were inlined through many others: so code, and the time to make it, grow in
proportion to the number of calls, however deep they go.
"""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir import CALLS, Function, Graph, Node, callee_of, inline_function_call
from tsc.compiler.passes.canonicalize_ops import canonicalize_ops
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.peephole import peephole
from tsc.compiler.passes.propagate_constants import propagate_constants
from tsc.runtime.execution.constant_evaluation import evaluate
from tsc.runtime.execution.registered_passes import registered_passes
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

_LARGEST_INLINED = 200  # nodes
_DEEPEST_INLINED = 8  # calls, one in the other

Optimized = Callable[[Function], Graph | None]


def optimize(graph: Graph, optimized: Optimized) -> Graph:
    """The graph to run in place of `graph`, which is left as it is.

    `optimized` gives the graphs of callees that were optimized before.
    """
    copy = graph.copy()
    _inline_small_calls(copy, optimized)
    canonicalize_ops(copy, operators=load(), number_of=_number_of)
    propagate_constants(copy, evaluate=evaluate)
    peephole(copy)
    eliminate_dead_code(copy)
    for run in registered_passes():
        run(copy)
    return copy


def _number_of(constant: object) -> complex | None:
    """The number in a tensor of no dimensions."""
    is_number = isinstance(constant, Tensor) and constant.array.ndim == 0
    return constant.item() if is_number else None


def callees(graph: Graph) -> list[Function]:
    """The functions that a graph calls, each once, in the order of the calls."""
    called = map(callee_of, _calls(graph))
    return list(dict.fromkeys(function for function in called if function is not None))


def _calls(graph: Graph) -> list[Node]:
    return [node for node in graph.all_nodes() if node.kind in CALLS]


def _inline_small_calls(graph: Graph, optimized: Optimized) -> None:
    bodies: dict[Function, Function | None] = {}
    for call in _calls(graph):
        callee = callee_of(call)
        if callee is None:
            continue
        if callee not in bodies:
            bodies[callee] = _body(callee, optimized(callee))
        body = bodies[callee]
        if body is not None:
            inline_function_call(call, body)


def _body(callee: Function, graph: Graph | None) -> Function | None:
    """A function in the form in which it is inlined, or None if it is not."""
    if graph is None or not _is_small(graph):
        return None
    return Function(callee.qualified_name, graph=graph, range=callee.range)


def _is_small(graph: Graph) -> bool:
    for count, node in enumerate(graph.all_nodes()):
        stack = node.call_stack
        if count >= _LARGEST_INLINED or (stack is not None and stack.depth >= _DEEPEST_INLINED):
            return False
    return True
