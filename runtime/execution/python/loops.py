"""Loops: a ``for`` over a range where turns are counted, else ``while``. What a loop carries stays in its variables.

The question whether to go on is asked at the end of a turn, as the graph has it; before the first turn it is asked
apart. An element of a range that the program derives from the counter is counted itself.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tsc.compiler.ir import MAX_TRIP_COUNT, LoopView, Node, constant_value
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.block_end import End
from tsc.runtime.execution.python.calls import on_meter
from tsc.runtime.execution.python.meter import Meter
from tsc.runtime.execution.python.ranges import element_of_range, is_python_range
from tsc.runtime.execution.python.syntax import Place
from tsc.runtime.execution.python.weight import is_heavy

if TYPE_CHECKING:
    from tsc.runtime.execution.python.function_writer import Writer

_GOING_ON: Final = "going on"
"""A local variable: whether there is to be another turn."""


def write_loop(writer: Writer, node: Node) -> None:
    """The statements of a prim::Loop. Nothing waits on the stack."""
    view, place = LoopView(node), writer.places.of(node)
    carried = _enter(writer, view, place)
    header = _Header(writer, view, place)
    first = [on_meter(writer, place, Meter.turn)] if writer.metered else []
    body, end = writer.nested(view.body_block, first, header.variable)
    outer, writer.body = writer.body, body
    _end_turn(writer, place, carried, end)
    writer.body = outer
    loop = header.around(body)
    condition = view.input_condition
    if constant_value(condition) is True:
        writer.body.append(loop)
    else:
        test = writer.operand(condition, place)
        writer.body.append(syntax.branch(place, test, [loop], []))
    _leave(writer, view, place, carried)


def _enter(writer: Writer, view: LoopView, place: Place) -> list[str]:
    """The initial values go to the variables of what the loop carries, which are returned."""
    for carried, output, following in zip(
        view.body_carried_inputs, view.carried_outputs, view.body_carried_outputs
    ):
        writer.variables.wish(carried, output)
        writer.variables.wish(following, carried)
    dying = writer.dying(view.node)
    initial = [writer.operand(value, place) for value in view.carried_inputs]
    start = writer.lifetimes.start[view.node]
    names = writer.variables.place_together(view.body_carried_inputs, start)
    writer.move(place, names, End(initial, [False] * len(initial), dying))
    return names


class _Header:
    """What counts the turns: nothing, a counter, or the element of a range."""

    def __init__(self, writer: Writer, view: LoopView, place: Place) -> None:
        self._place = place
        self._writer = writer
        self._values: ast.expr | None = None
        self.variable = ""
        """That of the counter; it may have been that of something which nobody needs any more."""
        counter = view.current_trip_count
        if constant_value(view.max_trip_count) == MAX_TRIP_COUNT and not counter.has_uses:
            return
        element = element_of_range(view)
        self._values = self._counts(view) if element is None else self._elements(view, element)
        counted = counter if element is None else element.output
        if element is not None:
            writer.computed_by_loop.add(element)
        at = writer.lifetimes.start[view.node] + 1
        self.variable = writer.variables.place(counted, at)

    def around(self, body: list[ast.stmt]) -> ast.stmt:
        """The loop with its body."""
        body = body or [syntax.nothing(self._place)]
        if self._values is None:
            return syntax.forever(self._place, body)
        return syntax.for_each(self._place, self.variable, self._values, body)

    def _range(self, *bounds: ast.expr) -> ast.expr:
        place = self._place
        name = self._writer.expressions.constant_name("range", range)
        return syntax.call(place, syntax.name(place, name), bounds)

    def _counts(self, view: LoopView) -> ast.expr:
        return self._range(self._writer.operand(view.max_trip_count, self._place))

    def _elements(self, view: LoopView, element: Node) -> ast.expr:
        """The range from the first element on, by steps."""
        place, operand = self._place, self._writer.operand
        _, start, step = element.inputs
        length = view.max_trip_count.node
        if is_python_range(length):
            end = operand(length.inputs[1], place)
        else:
            count = operand(view.max_trip_count, place)
            width = syntax.binary(place, syntax.MULT, count, operand(step, place))
            end = syntax.binary(place, syntax.ADD, operand(start, place), width)
        return self._range(operand(start, place), end, operand(step, place))


def _end_turn(writer: Writer, place: Place, carried: list[str], end: End) -> None:
    """What is carried goes to its variables; then round again, or out."""
    condition = writer.narrow(place, end)[0]
    moved = _changed(carried, end)
    is_always = isinstance(condition, ast.Constant) and condition.value is True
    if moved and not is_always and _may_change(condition, moved):
        writer.body.append(syntax.assign_all(place, [_GOING_ON], condition))
        condition = syntax.name(place, _GOING_ON)
    writer.move(place, carried, end, offset=1)
    if not is_always:
        stop = syntax.negation(place, condition)
        writer.body.append(syntax.branch(place, stop, [syntax.leave_loop(place)], []))


def _changed(carried: list[str], end: End) -> list[str]:
    pairs = zip(carried, end.expressions[1:])
    return [to for to, value in pairs if not (isinstance(value, ast.Name) and value.id == to)]


def _may_change(condition: ast.expr, moved: list[str]) -> bool:
    return not isinstance(condition, ast.Name) or condition.id in moved


def _leave(writer: Writer, view: LoopView, place: Place, carried: list[str]) -> None:
    """What the loop carried goes to the variables of its outputs; what nobody needs any more is deleted."""
    outputs = view.carried_outputs
    wanted = [output for output in outputs if output.has_uses]
    writer.variables.place_together(wanted, writer.lifetimes.end[view.node])
    targets = [writer.variables.of(each) if each.has_uses else None for each in outputs]
    held = [name for name, output in zip(carried, outputs) if is_heavy(output)]
    unneeded = writer.heavy(writer.liveness.dead_after(view.node))
    values: list[ast.expr] = [syntax.name(place, name) for name in carried]
    writer.move(place, targets, End(values, [False] * len(values), [*held, *unneeded]))
