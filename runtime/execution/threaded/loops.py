"""Loops in threaded code: tests before the first turn, the body, and at its end one instruction
that goes round.

What a loop carries stays in its registers. The counter of a loop over a range counts up together
with the element that is derived from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tsc.compiler.ir import MAX_TRIP_COUNT, LoopView, Node, Value, constant_value
from tsc.compiler.ir.symbols import aten
from tsc.runtime.execution.threaded.nodes import is_comparison
from tsc.runtime.execution.threaded.register_allocation import is_heavy
from tsc.runtime.execution.threaded.threaded_code import NEXT, OUT, Instruction, Op
from tsc.runtime.execution.threaded.trampoline import Steps

if TYPE_CHECKING:
    from tsc.runtime.execution.threaded.builder import Builder, Link


@dataclass(slots=True)
class Counter:
    """The registers of a loop's counter and of its limit; with a range, of its element and its
    step.
    """

    register: int
    limit: int
    element: int | None = None
    step: int | None = None


def build_loop(builder: Builder, node: Node) -> Steps:
    """The instructions of a prim::Loop."""
    view, registers = LoopView(node), builder.registers
    enclosing = registers.block
    dying = builder.dying_inputs(node)
    targets = _enter(builder, view, dying)
    exits = _first_condition(builder, view)
    limit = view.max_trip_count
    registers.bury(value for value in dying if value is not limit)
    counter = _start_counter(builder, view, exits)
    closing: Instruction = [None] * (NEXT + 1)
    builder.links.append((closing, NEXT if counter is None else OUT))
    yield builder.nodes(view.body_block)
    _end_turn(builder, view, targets, counter, closing, exits)
    builder.links = exits
    builder.finish(node, enclosing)
    registers.bury(value for value in dying if value is limit)
    for register in _registers(counter):
        registers.release(register)


def _enter(builder: Builder, view: LoopView, dying: list[Value]) -> list[int]:
    """The initial values go to the registers of what the loop carries, which are returned."""
    registers, limit = builder.registers, view.max_trip_count  # every turn reads the limit
    targets = [
        registers.place_carried(
            output, carried, initial, dies=initial in dying and initial is not limit
        )
        for output, carried, initial in zip(
            view.carried_outputs, view.body_carried_inputs, view.carried_inputs
        )
    ]
    moves = [(to, registers.of(v)) for to, v in zip(targets, view.carried_inputs)]
    held = [registers.of(value) for value in view.carried_inputs if _is_held(value, dying)]
    emptied = [register for register in held if register not in targets]
    _ask_before(builder, view.input_condition, moves, emptied)
    builder.move(moves)
    builder.empty(emptied)
    return targets


def _is_held(value: Value, dying: list[Value]) -> bool:
    return value in dying and is_heavy(value)


def _ask_before(
    builder: Builder, condition: Value, moves: list[tuple[int, int]], emptied: list[int]
) -> None:
    """Answer a question that was left to the branch now, if the moves would overwrite what it is
    about, or if that is let go of.
    """
    if not builder.is_pending(condition):
        return
    written = {to for to, origin in moves if to != origin}.union(emptied)
    if written.intersection(builder.registers_of(condition.node.inputs)):
        builder.computation(condition.node)


def _first_condition(builder: Builder, view: LoopView) -> list[Link]:
    """The test whether the loop runs at all; returns the ways out."""
    condition = view.input_condition
    if constant_value(condition) is True:
        return []
    branch, (when_true, when_false) = builder.branch(condition)
    builder.links = [(branch, when_true)]
    return [(branch, when_false)]


# -- Counting ----------------------------------------------------------------------------------


def _start_counter(builder: Builder, view: LoopView, exits: list[Link]) -> Counter | None:
    """Set the counter to zero, and leave when there is nothing to count. A mere while loop has
    none.
    """
    registers, trip = builder.registers, view.current_trip_count
    endless = constant_value(view.max_trip_count) == MAX_TRIP_COUNT
    if endless and not trip.has_uses:
        registers.pin(trip, 0)
        return None
    counter = Counter(registers.take(), registers.of(view.max_trip_count))
    registers.pin(trip, counter.register)
    enter = builder.emit(Op.FOR_ENTER, a=counter.register, b=counter.limit)
    exits.append((enter, OUT))
    derivation = _derivation(builder, view)
    if derivation is not None:
        _, start, step = derivation.inputs
        counter.element, counter.step = registers.take(), registers.of(step)
        registers.pin(derivation.output, counter.element)
        builder.computed_by_loop.add(derivation)
        builder.emit(Op.MOVE, out=counter.element, a=registers.of(start))
    return counter


def _derivation(builder: Builder, view: LoopView) -> Node | None:
    """The node that makes the element of a range out of the counter, if that is all the counter is
    for.
    """
    trip = view.current_trip_count
    if trip.use_count != 1:
        return None
    node = trip.uses[0].node
    if node.kind != aten.derive_index or node.block is not view.body_block:
        return None
    if node.inputs[0] is not trip or builder.registers.has_home(node.output):
        return None
    outside = all(builder.registers.is_placed(value) for value in node.inputs[1:])
    return node if outside else None


def _registers(counter: Counter | None) -> list[int]:
    """What was taken for a counter."""
    if counter is None:
        return []
    return [counter.register] if counter.element is None else [counter.register, counter.element]


# -- The end of a turn -------------------------------------------------------------------------


def _end_turn(
    builder: Builder,
    view: LoopView,
    targets: list[int],
    counter: Counter | None,
    closing: Instruction,
    exits: list[Link],
) -> None:
    """What is carried goes to its registers; then round again, or out."""
    condition = view.next_condition
    values = list(view.body_carried_outputs)
    moves = [(to, builder.registers.of(value)) for to, value in zip(targets, values)]
    leaving = builder.dying_inputs(view.body_block.return_node)
    held = {builder.registers.of(value) for value in leaving if is_heavy(value)}
    _ask_before(builder, condition, moves, sorted(held.difference(targets)))
    answer = _answer(builder, condition, moves)
    builder.leave(view.body_block, targets, values)
    builder.node = view.node
    if counter is None:
        _close_while(builder, condition, answer, closing)
        exits.append((closing, OUT))
        return
    if constant_value(condition) is not True:
        exits.append(_leave_unless(builder, condition, answer))
    _close_counted(builder, counter, closing)
    exits.append((closing, NEXT))


def _answer(builder: Builder, condition: Value, moves: list[tuple[int, int]]) -> int | None:
    """The register of the answer; saved if the moves would overwrite it. None if it is still to be
    asked.
    """
    if builder.is_pending(condition):
        return None
    register = builder.registers.of(condition)
    if any(to == register != origin for to, origin in moves):
        saved = builder.registers.new()
        builder.emit(Op.MOVE, out=saved, a=register)
        return saved
    return register


def _close_while(
    builder: Builder, condition: Value, answer: int | None, closing: Instruction
) -> None:
    if answer is None:
        assert is_comparison(condition.node)
        builder.comparison(Op.LOOP_BRANCH2, condition.node, closing)
    else:
        builder.emit(Op.LOOP_BRANCH, a=answer, into=closing)


def _leave_unless(builder: Builder, condition: Value, answer: int | None) -> Link:
    """A way out in front of the counting."""
    if answer is None:
        return builder.comparison(Op.BRANCH2, condition.node), OUT
    return builder.emit(Op.BRANCH, a=answer), OUT


def _close_counted(builder: Builder, counter: Counter, closing: Instruction) -> None:
    if counter.element is None:
        builder.emit(Op.FOR_NEXT, a=counter.register, b=counter.limit, into=closing)
        return
    builder.emit(
        Op.FOR_RANGE_NEXT,
        a=counter.register,
        b=counter.limit,
        c=counter.element,
        freed=counter.step,
        into=closing,
    )
