"""Which sums, differences and products of ints may leave 64 bits, and have to be wrapped around.

Bounds follow from what nodes compute: lengths are bounded by memory, counters of loops by time. So are variables
that loops only change by small steps: it would take centuries to take them from where they may start to where they
would leave 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir import Block, Graph, LoopView, Node, Value, constant_value
from tsc.compiler.ir.symbols import aten, prim
from tsc.compiler.schema import Promotion, sole_operator
from tsc.compiler.types import TypeKind

LARGEST: Final = 2**63 - 1
_UNBOUNDED: Final = 2**63
_SLOW: Final = LARGEST
"""The bound of what grows by small steps only."""
_SMALL_START: Final = 2**62
_SMALL_STEP: Final = 2**8
MOST_TURNS: Final = 2**54
"""No loop runs more often: at ten nanoseconds a turn that is five years."""
_LENGTH: Final = 2**47
_ROUNDS: Final = 4

_RINGS: Final = frozenset({"add", "sub", "mul"})


def ring_operator(node: Node) -> str | None:
    """``add``, ``sub`` or ``mul`` if that is all that a node does, with two ints."""
    if node.operator is None or len(node.inputs) != 2 or not _is_one_int(node):
        return None
    expression = node.operator.expression
    if expression is None or expression.promotion is not Promotion.NUMBERS:
        return None
    name = sole_operator(expression.term)
    return name if name in _RINGS else None


def is_int(value: Value) -> bool:
    return value.type.kind is TypeKind.IntType


def _is_one_int(node: Node) -> bool:
    return len(node.outputs) == 1 and is_int(node.output)


def find_wrapping(graph: Graph) -> set[Node]:
    """The nodes whose result may be more than 64 bits hold."""
    return _Bounds(graph).wrapping


class _Bounds:
    """Absolute bounds of ints. `_growing` are the variables of loops that are assumed to grow slowly."""

    def __init__(self, graph: Graph) -> None:
        self.wrapping: set[Node] = set()
        self._bounds: dict[Value, int] = {}
        self._growing: set[Value] = _carried_ints(graph.block)
        self._refuted: set[Value] = set()
        for _ in range(_ROUNDS):
            self._start_again(graph)
            if not self._refuted:
                return
            self._growing -= self._refuted
        self._growing.clear()
        self._start_again(graph)

    def _start_again(self, graph: Graph) -> None:
        self._refuted.clear()
        self.wrapping.clear()
        self._bounds.clear()
        self._visit(graph.block)

    def _visit(self, block: Block) -> None:
        for node in block.nodes():
            if node.kind == prim.Loop:
                self._visit_loop(LoopView(node))
            elif node.kind == prim.If:
                self._visit_if(node)
            elif node.kind != prim.Constant and _is_one_int(node):
                self._bounds[node.output] = self._bound_of(node)

    def _visit_if(self, node: Node) -> None:
        for block in node.blocks:
            self._visit(block)
        for output, *results in zip(node.outputs, *(block.outputs for block in node.blocks)):
            self._bounds[output] = max(map(self._of, results))

    def _visit_loop(self, view: LoopView) -> None:
        self._bounds[view.current_trip_count] = MOST_TURNS
        for carried in view.body_carried_inputs:
            self._bounds[carried] = _SLOW if carried in self._growing else _UNBOUNDED
        self._visit(view.body_block)
        for output, carried, initial, following in zip(
            view.carried_outputs,
            view.body_carried_inputs,
            view.carried_inputs,
            view.body_carried_outputs,
        ):
            self._bounds[output] = self._bounds[carried]
            if carried in self._growing and not (self._starts(initial) and self._starts(following)):
                self._refuted.add(carried)

    def _starts(self, value: Value) -> bool:
        bound = self._of(value)
        return bound <= _SMALL_START or bound == _SLOW

    def _of(self, value: Value) -> int:
        known = self._bounds.get(value)
        if known is None:
            constant = constant_value(value)
            known = _certain(abs(constant)) if isinstance(constant, int) else _UNBOUNDED
            self._bounds[value] = known
        return known

    def _bound_of(self, node: Node) -> int:
        operator = ring_operator(node)
        if operator is not None:
            bound = self._ring_bound(operator, *map(self._of, node.inputs))
            if bound > LARGEST:
                self.wrapping.add(node)
            return bound if bound == _SLOW else _certain(bound)
        find = _BOUNDS.get(node.kind)
        return _UNBOUNDED if find is None else _certain(find(self._of, node))

    @staticmethod
    def _ring_bound(operator: str, a: int, b: int) -> int:
        if operator == "mul":
            return _larger(a * b)
        slow, step = max(a, b), min(a, b)
        if slow == _SLOW and step <= _SMALL_STEP:
            return _SLOW
        return _larger(a + b)


def _certain(bound: int) -> int:
    """A bound that is not taken for that of a slow variable."""
    return bound if bound < _SLOW else _UNBOUNDED


def _larger(bound: int) -> int:
    return bound if bound != _SLOW else _UNBOUNDED


def _carried_ints(block: Block) -> set[Value]:
    found: set[Value] = set()
    for node in block.nodes():
        if node.kind == prim.Loop:
            found.update(value for value in LoopView(node).body_carried_inputs if is_int(value))
        for nested in node.blocks:
            found |= _carried_ints(nested)
    return found


_Find = Callable[[Callable[[Value], int], Node], int]


def _length(_of: Callable[[Value], int], _node: Node) -> int:
    return _LENGTH


def _element_of_range(of: Callable[[Value], int], node: Node) -> int:
    counter, start, step = map(of, node.inputs)
    return start + counter * step


def _remainder(of: Callable[[Value], int], node: Node) -> int:
    return of(node.inputs[1])


def _quotient(of: Callable[[Value], int], node: Node) -> int:
    divisor = constant_value(node.inputs[1])
    return of(node.inputs[0]) if isinstance(divisor, int) and divisor > 0 else _UNBOUNDED


def _common_bits(of: Callable[[Value], int], node: Node) -> int:
    masks = [constant_value(value) for value in node.inputs]
    known = [mask for mask in masks if isinstance(mask, int) and mask >= 0]
    return min(known, default=_UNBOUNDED)


_BOUNDS: Final[dict[str, _Find]] = {
    "aten::len": _length,
    "aten::dim": _length,
    "aten::ord": _length,
    aten.derive_index: _element_of_range,
    "aten::remainder": _remainder,
    "aten::floordiv": _quotient,
    "aten::__and__": _common_bits,
}
