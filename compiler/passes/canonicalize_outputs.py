"""The outputs of Ifs and the variables carried around Loops, in the order of their first use.

Until here they stand in the order in which passes happened to add them, alphabetically for the most
part; where they are used does not depend on how the variables are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Use, Value
from tsc.compiler.ir.views import IfView, LoopView

Place = tuple[tuple[float, int, int], ...]
"""Where in a block a use stands, from the outside in: for each node around the user, its position
and the number of its block that holds the user; for the user itself, its position, -1 (it comes
before whatever its blocks hold) and the offset of the input.
"""


def canonicalize_outputs(graph: Graph) -> bool:
    """Returns whether any outputs changed places."""
    return _canonicalize_block(graph.block)


def _canonicalize_block(block: Block) -> bool:
    """From the last node to the first: the uses of a node's outputs are settled when it is met."""
    changed = False
    for node in block.nodes_reversed():
        changed |= _canonicalize(node)
        for nested in node.blocks:
            changed |= _canonicalize_block(nested)
    return changed


def _canonicalize(node: Node) -> bool:
    if node.kind not in (prim.If, prim.Loop) or len(node.outputs) < 2:
        return False
    assert node.block is not None
    order = _order_of_first_use(node.outputs, node.block)
    if order == list(range(len(order))):
        return False
    if node.kind == prim.If:
        IfView(node).permute_outputs(order)
    else:
        LoopView(node).permute_carried(order)
    return True


def _order_of_first_use(values: Sequence[Value], block: Block) -> list[int]:
    """The offsets of ``values``, sorted; unused ones keep their order and come last."""
    unused: Place = ((inf, 1, 0),)
    places = ([_place(use, block) for use in value.uses] for value in values)
    first_uses = [min(each, default=unused) for each in places]
    return sorted(range(len(values)), key=first_uses.__getitem__)


def _place(use: Use, block: Block) -> Place:
    """Comparable with other places in the same block: what is around it is around them all."""
    place = [(_position(use.node), -1, use.offset)]
    inner = use.node
    while inner.block is not block:
        assert inner.block is not None
        outer = inner.block.owning_node
        assert outer is not None
        place.append((_position(outer), _block_number(outer, inner), 0))
        inner = outer
    return tuple(reversed(place))


def _position(node: Node) -> float:
    return inf if node.kind == prim.Return else node.position


def _block_number(outer: Node, inner: Node) -> int:
    return next(number for number, block in enumerate(outer.blocks) if block is inner.block)
