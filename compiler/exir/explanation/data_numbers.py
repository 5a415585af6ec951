"""Numbers and truth values of a graph that are in tensors: what reads them, and all that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from tsc.compiler.exir.explanation.sized_tensors import (
    begins,
    begins_with,
    goes_on,
    reads_size,
)
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
        self._sized: set[Value] = set()
        self._open: list[Value] = []
        for node in graph.all_nodes():
            reads = node.kind in READERS or node.kind in TRUTHS or node.kind == prim.tolist
            if reads and constants.reads_others(node):
                self._mark(node.outputs)
            elif begins(node) and constants.reads_others(node):
                self._mark_sizes(node.outputs)
        while self._open:
            value = self._open.pop()
            for use in value.uses:
                if value in self._sized:
                    self._follow_size(use.node, use.offset)
                if value in self._known:
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

    def _mark_sizes(self, values: Iterable[Value]) -> None:
        """Of tensors, and of lists of them, whose first size data decides."""
        found = [each for each in values if each not in self._sized and holds_tensors(each.type)]
        self._sized.update(found)
        self._open.extend(found)

    def _follow_size(self, node: Node, offset: int) -> None:
        """What follows from the first size of a tensor."""
        self._mark_sizes(_handed_on(node, offset))
        if reads_size(node) and holds_tensors(node.inputs[0].type):
            self._mark(node.outputs)
        elif goes_on(node, offset):
            self._mark_sizes(node.outputs)

    def _follow(self, node: Node, offset: int) -> None:
        """What follows from a number."""
        if begins_with(node, offset):
            self._mark_sizes(node.outputs)
        elif node.kind in _COMPUTED and not _is_list(node):
            self._mark([each for each in node.outputs if each.type.kind in _NUMBERS])
        elif node.kind in _HOLDING:
            self._mark(node.inputs[:1] if node.kind in _FILLING else _held(node))
        elif node.kind == prim.If:
            self._mark(_decided(node))
        elif (loop := _turning(node, offset)) is not None:
            self._turned(loop, counts=node is loop and offset == 0)
        else:
            self._mark(_handed_on(node, offset))

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


def _turning(node: Node, offset: int) -> Node | None:
    """The loop of which an input is how often it turns, or whether it turns once more."""
    if node.kind == prim.Loop and offset < 2:
        return node
    owner = node.owning_block.owning_node if node.kind == prim.Return and offset == 0 else None
    return owner if owner is not None and owner.kind == prim.Loop else None


def _handed_on(node: Node, offset: int) -> Sequence[Value]:
    """What a result of a block is afterwards, or what a loop begins with: for a loop, also what the next turn has."""
    loop, offset = (node, offset - 1) if node.kind == prim.Loop else (None, offset)
    if node.kind == prim.Return:
        owner = node.owning_block.owning_node
        if owner is not None and owner.kind == prim.If:
            return owner.outputs[offset : offset + 1]
        loop = owner
    if loop is None or loop.kind != prim.Loop:
        return ()
    return (loop.blocks[0].inputs[offset], loop.outputs[offset - 1])


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
