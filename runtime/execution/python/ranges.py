"""Which loops go through a range as Python's own loops do."""

from __future__ import annotations

from tsc.compiler.ir import LoopView, Node, Value, constant_value
from tsc.compiler.ir.symbols import aten, prim


def element_of_range(view: LoopView) -> Node | None:
    """The node that makes the element of a range out of the counter, if that is all the counter is for."""
    counter = view.current_trip_count
    if counter.use_count != 1:
        return None
    node = counter.uses[0].node
    if node.kind != aten.derive_index or node.block is not view.body_block:
        return None
    inside = any(_is_computed_in(view, value) for value in node.inputs[1:])
    return None if inside or node.inputs[0] is not counter else node


def is_python_range(node: Node) -> bool:
    """Whether a node is the length of a range that a loop goes through as Python's own."""
    if node.kind != aten.range_length or node.output.use_count != 1:
        return False
    start, step = constant_value(node.inputs[0]), constant_value(node.inputs[2])
    if not isinstance(start, int) or start < 0 or not isinstance(step, int) or step <= 0:
        return False  # its length may leave 64 bits, or there is none
    loop = node.output.uses[0].node
    element = element_of_range(LoopView(loop)) if loop.kind == prim.Loop else None
    return element is not None and list(element.inputs[1:]) == [node.inputs[0], node.inputs[2]]


def _is_computed_in(view: LoopView, value: Value) -> bool:
    return value.node.kind != prim.Constant and value.node.owning_block is view.body_block
