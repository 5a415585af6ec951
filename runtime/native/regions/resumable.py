"""A loop that goes on from any turn: all that it carries are inputs and outputs, so that another way of running it can
take over in the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from operator import itemgetter
from typing import Any, Final

from tsc.compiler.ir import Graph, LoopView, Node, Value, aten, constant_value, is_constant, prim
from tsc.compiler.types import BOOL, INT
from tsc.runtime.execution.python.integers import MOST_TURNS
from tsc.runtime.execution.python.ranges import element_of_range

FIRST_INPUTS: Final = 3
"""Before what the loop carries: how many turns, the number of the first, whether there is to be a turn."""


class Resumable:
    """The loop of a graph that has nothing else.

    ``graph`` takes the number of turns, the first of them, whether there is to be one, what the loop carries, and the
    inputs of the loop's own graph. It gives whether there is to be another turn, and what the loop carries then.
    """

    def __init__(self, body: Graph) -> None:
        self.graph = body.copy()
        loop = _loop_of(self.graph)
        view = LoopView(loop)
        places = {value: place for place, value in enumerate(self.graph.inputs)}
        starts = [view.max_trip_count, view.input_condition, *view.carried_inputs]
        self._constants = (0, *(_content(value) for value in starts if value not in places))
        """What `graph` is given that is no input: the number of the first turn, and what is known."""
        self._arguments = itemgetter(*_argument_places(starts, places))
        self.carried = len(loop.outputs)
        self._cut(view)

    def all_turns(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        """What `graph` takes for all turns of the loop, from the first one on."""
        return self._arguments((*inputs, *self._constants))

    def begin(self, inputs: Sequence[Any]) -> tuple[int, bool, list[Any]]:
        """The most turns there may be, whether there is a first one, and what the loop carries into it."""
        count, _, going, *carried = self.all_turns(inputs)
        return count, going, carried[: self.carried]

    def carried_by(self, results: Any) -> Any:
        """The single thing that the loop carries, or a tuple of several, or None, of what `graph` gives."""
        if self.carried == 1:
            return results[1]
        return results[1:] if self.carried else None

    def _cut(self, view: LoopView) -> None:
        graph, loop = self.graph, view.node
        types = [value.type for value in view.body_carried_inputs]
        new: list[Value] = []
        for place, type in enumerate([INT, INT, BOOL, *types]):
            new.append(graph.insert_input(place, None, type))
        turns, begin, going, *carried = new
        for place, value in enumerate([turns, going, *carried]):
            loop.replace_input(place, value)
        self._count_from(view, begin)
        results = list(loop.outputs)
        if constant_value(view.next_condition) is True:
            results.insert(0, going)
        else:
            view.add_carried(going).set_type(BOOL)
            view.body_block.register_output(view.next_condition)
            results.insert(0, loop.outputs[-1])
        while graph.outputs:
            graph.erase_output(0)
        for output in results:
            graph.register_output(output)

    def _count_from(self, view: LoopView, begin: Value) -> None:
        """Turns are counted from the first one on; what goes through a range still does."""
        counter = view.current_trip_count
        if not counter.has_uses:
            return
        element = element_of_range(view)
        with self.graph.insert_at(view.node):
            begin = self._bounded(begin)
            if element is not None:
                element.replace_input(1, self._element(begin, *element.inputs[1:]))
                return
            one = self.graph.insert_constant(1)
        node = self.graph.create(aten.derive_index, [begin, begin, one])
        view.body_block.prepend_node(node)
        counter.replace_all_uses_with(node.output)
        node.replace_input(0, counter)

    def _bounded(self, turn: Value) -> Value:
        """The same number, with bounds that whoever computes with it can tell."""
        mask = self.graph.insert_constant(MOST_TURNS - 1)
        return self.graph.insert_node(self.graph.create("aten::__and__", [turn, mask])).output

    def _element(self, turn: Value, start: Value, step: Value) -> Value:
        node = self.graph.create(aten.derive_index, [turn, start, step])
        return self.graph.insert_node(node).output


def _loop_of(graph: Graph) -> Node:
    return next(node for node in graph.nodes() if node.kind == prim.Loop)


def _argument_places(starts: Sequence[Value], places: dict[Value, int]) -> list[int]:
    """Where the arguments of the graph are among the inputs and, behind these, what is known."""
    known = count(len(places))
    turn = next(known)
    turns, *others = [places[each] if each in places else next(known) for each in starts]
    return [turns, turn, *others, *range(len(places))]


def _content(value: Value) -> Any:
    """That of a constant; None for what is not set."""
    return constant_value(value) if is_constant(value) else None
