"""A `prim::Guard` becomes a `prim::BailOut`: where its tensor is not of the type, the program goes on without guards.

A `prim::BailoutTemplate` holds the graph without assumptions, in which the places of the bailouts are marked. Each
bailout captures what the rest of that graph needs, which `build_bailout_graph_from` makes when it is first to run.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.live_values import LiveValues
from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.passes.erase_shape_information import erase_shape_information
from tsc.compiler.types import INT

MOST_CAPTURES: Final = 200_000
"""Of all bailouts together; where there would be more, guards just go."""


def insert_bailouts(graph: Graph) -> bool:
    """Returns whether there was a guard."""
    guards = [node for node in graph.all_nodes() if node.kind == prim.Guard]
    captures = LiveValues(graph, set(guards), MOST_CAPTURES).at
    if captures is None:
        for guard in guards:
            _replace(guard, guard.input)
        erase_shape_information(graph)
        return True
    bailouts = [_bailout(graph, guard, captures[guard]) for guard in guards]
    for index, (guard, bailout) in enumerate(zip(guards, bailouts)):
        bailout.set_attribute("index", index)
        _replace(guard, bailout.output)
    if bailouts:
        _add_template(graph, bailouts)
    return bool(bailouts)


def _bailout(graph: Graph, guard: Node, captures: list[Value]) -> Node:
    bailout = graph.create(prim.BailOut, [guard.input, *captures], range=guard.range)
    bailout.output.set_type(guard.output.type)
    bailout.call_stack = guard.call_stack
    return bailout.insert_before(guard)


def _replace(guard: Node, value: Value) -> None:
    guard.output.replace_all_uses_with(value)
    guard.destroy()


def _add_template(graph: Graph, bailouts: list[Node]) -> None:
    """Its output is an int, which is never computed: it only leads from a bailout to the template."""
    rest = graph.copy()
    erase_shape_information(rest)
    template = graph.prepend_node(graph.create(prim.BailoutTemplate))
    template.set_attribute("Subgraph", rest)
    template.output.set_type(INT)
    for bailout in bailouts:
        bailout.insert_input(0, template.output)
