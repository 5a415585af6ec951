"""``for`` loops that ``break`` or ``return`` may end: the exit transform makes them ``while`` loops with a counter."""

from __future__ import annotations

from tsc.compiler.ir import Node, Value, constant_value, prim
from tsc.runtime.exporting.frames import Frame


def counted_turns(frame: Frame, node: Node) -> int | None:
    """How often such a loop turns at most; None of other loops, and where the count is not known.

    It goes on while ``counter + 1 < bound`` and something else hold; the counter is carried.
    """
    goes_on = node.blocks[0].outputs[0].node
    if goes_on.kind != "aten::__and__":
        return None
    for each in goes_on.inputs:
        if each.node.kind == "aten::lt":
            counted, bound = each.node.inputs
            first, end = _known(frame, node, _start(node, counted)), _known(frame, node, bound)
            if first is not None and end is not None:
                return max(end - first, 1)
    return None


def _start(node: Node, counted: Value) -> Value | None:
    """What a counter begins with that each turn makes greater by one."""
    block = node.blocks[0]
    for given, following, first in zip(block.inputs[1:], block.outputs[1:], node.inputs[2:]):
        if following is counted and counted.node.kind == "aten::add":
            former, step = counted.node.inputs[:2]
            if former is given and step.node.kind == prim.Constant and constant_value(step) == 1:
                return first
    return None


def _known(frame: Frame, node: Node, value: Value | None) -> int | None:
    """The integer that a value from outside of the loop is in this run, if nothing but the program decides it."""
    if value is None or value.node.owning_block is node.blocks[0]:
        return None
    found = frame.values.get(value)
    return found if type(found) is int else None
