"""Graphs without blocks, run node by node as they stand: for what may never run often enough for a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tsc.compiler.ir import Graph, Node, Value, constant_value
from tsc.compiler.ir.symbols import prim

FIRST_CALLS: Final = 8
"""So often a plan costs more than it saves."""


class StraightLine:
    """`kernels` gives what the nodes run. Where in the program an error arose is not told."""

    __slots__ = ("_outputs", "_places", "_steps")

    def __init__(self, graph: Graph, kernels: Callable[[Node], Callable[..., Any]]) -> None:
        places: dict[Value, int] = {}
        self._places: list[Any] = []
        self._steps: list[tuple[Callable[..., Any], list[int], list[int]]] = []
        for value in graph.inputs:
            self._place(places, value)
        for node in graph.nodes():
            if node.kind == prim.Constant:
                self._place(places, node.output, constant_value(node.output))
                continue
            inputs = [places[value] for value in node.inputs]
            outputs = [self._place(places, value) for value in node.outputs]
            self._steps.append((kernels(node), inputs, outputs))
        self._outputs = [places[value] for value in graph.outputs]

    def _place(self, places: dict[Value, int], value: Value, known: Any = None) -> int:
        places[value] = len(self._places)
        self._places.append(known)
        return places[value]

    def run(self, inputs: Sequence[Any]) -> Any:
        """The single output, or a tuple of several."""
        values = [*inputs, *self._places[len(inputs) :]]
        for kernel, taken, made in self._steps:
            result = kernel(*[values[place] for place in taken])
            if len(made) == 1:
                values[made[0]] = result
            else:
                for place, each in zip(made, result or ()):
                    values[place] = each
        results = tuple(values[place] for place in self._outputs)
        return results[0] if len(results) == 1 else results
