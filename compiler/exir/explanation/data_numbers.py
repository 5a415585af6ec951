"""Numbers and truth values of a graph that are in tensors: what reads them, and all that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tsc.compiler.exir.data_numbers import (
    ARITHMETIC,
    ASKED,
    FUNCTIONS,
    HOLDERS,
    INDEXED,
    LOGIC,
    MOVED,
    READERS,
    TESTS,
    TRUTHS,
)
from tsc.compiler.exir.explanation.constants import ConstantTensors
from tsc.compiler.exir.exportable_types import holds_tensors
from tsc.compiler.ir import Graph, Node, Value, constant_value, prim
from tsc.compiler.types import TypeKind

_COMPUTED: Final = ARITHMETIC | FUNCTIONS | TESTS | ASKED | LOGIC | TRUTHS | READERS.keys()
_HOLDING: Final = HOLDERS | INDEXED | MOVED
_NUMBERS: Final = frozenset(
    {TypeKind.IntType, TypeKind.FloatType, TypeKind.BoolType, TypeKind.NumberType}
)
_FILLING: Final = frozenset({"aten::append", "aten::extend", "aten::_set_item", "aten::insert"})
_ENDLESS: Final = 1 << 62
"""The turns of a `while` loop."""


class DataNumbers:
    """The values that are, or hold, numbers which are known when the program runs. Found once, use by use."""

    def __init__(self, graph: Graph, constants: ConstantTensors) -> None:
        self._known: set[Value] = set()
        self._open: list[Value] = []
        for node in graph.all_nodes():
            reads = node.kind in READERS or node.kind in TRUTHS or node.kind == prim.tolist
            if reads and constants.reads_others(node):
                self._mark(node.outputs)
        while self._open:
            for use in self._open.pop().uses:
                self._follow(use.node, use.offset)

    def __contains__(self, value: Value) -> bool:
        return value in self._known

    def of(self, node: Node) -> list[Value]:
        """Those among the inputs of a node."""
        return [each for each in node.inputs if each in self._known]

    def _mark(self, values: Iterable[Value]) -> None:
        found = [each for each in values if each not in self._known]
        self._known.update(found)
        self._open.extend(found)

    def _follow(self, node: Node, offset: int) -> None:
        if node.kind in _COMPUTED and not _is_list(node):
            self._mark([each for each in node.outputs if each.type.kind in _NUMBERS])
        elif node.kind in _HOLDING:
            self._mark(node.inputs[:1] if node.kind in _FILLING else _held(node))
        elif node.kind == prim.Return:
            self._leave(node, offset)
        elif node.kind == prim.If:
            self._mark(_decided(node))
        elif node.kind == prim.Loop and offset > 1:
            self._mark((node.blocks[0].inputs[offset - 1], node.outputs[offset - 2]))
        elif node.kind == prim.Loop:
            self._turned(node, counts=offset == 0)

    def _leave(self, node: Node, offset: int) -> None:
        """A result of a block is that of the branch or loop, and what the loop's next turn begins with."""
        owner = node.owning_block.owning_node
        if owner is None or owner.kind not in (prim.If, prim.Loop):
            return
        if owner.kind == prim.If:
            self._mark((owner.outputs[offset],))
        elif offset == 0:
            self._turned(owner, counts=False)
        else:
            self._mark((owner.blocks[0].inputs[offset], owner.outputs[offset - 1]))

    def _turned(self, loop: Node, *, counts: bool) -> None:
        """Data decides how often a loop turns: so it does what turns change. Known turns may be written out."""
        trips = loop.inputs[0]
        count = constant_value(trips) if trips.node.kind == prim.Constant else None
        if not counts and not (isinstance(count, int) and count > _ENDLESS):
            return
        block = loop.blocks[0]
        self._mark(block.inputs[:1])
        for start, end, result in zip(block.inputs[1:], block.outputs[1:], loop.outputs):
            if end is not start and result.type.kind in _NUMBERS:
                self._mark((start, result))


def _is_list(node: Node) -> bool:
    """Whether a node gives a list, as a sum of lists does."""
    return any(each.type.kind is TypeKind.ListType for each in node.outputs)


def _held(node: Node) -> Iterator[Value]:
    """What is taken out of a container with such numbers, or a container that gets one; no lengths, no tensors."""
    if node.kind in ("aten::len", "aten::__is__", "aten::__isnot__"):
        return
    for each in node.outputs:
        if each.type.kind in _NUMBERS or not holds_tensors(each.type):
            yield each


def _decided(node: Node) -> Iterator[Value]:
    """The numbers that two branches give and that are not the same."""
    first, second = node.blocks
    for a, b, result in zip(first.outputs, second.outputs, node.outputs):
        if result.type.kind in _NUMBERS and a is not b and not _same_constant(a, b):
            yield result


def _same_constant(a: Value, b: Value) -> bool:
    if prim.Uninitialized in (a.node.kind, b.node.kind):
        return True
    if a.node.kind != prim.Constant or b.node.kind != prim.Constant:
        return False
    first, second = constant_value(a), constant_value(b)
    return type(first) is type(second) and first == second
