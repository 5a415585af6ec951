"""Whether what a node makes may be kept by something else than the nodes that compute with it."""

from __future__ import annotations

from typing import Final, cast

from tsc.compiler.ir import Graph, Node, Use, Value, prim

_MOST_USES: Final = 64
"""Looked at for one node; what is used more often counts as handed out."""
_COLLECTING: Final = (prim.ListConstruct, prim.TupleConstruct)
_BEFORE_CARRIED: Final = 2
"""Inputs of a loop: the most turns, and whether to begin."""
_KNOWN: Final = ("aten::", prim.with_part_)
"""How kinds of nodes begin that keep nothing but what their schemas tell."""


def may_be_handed_out(node: Node) -> bool:
    """Whether an output of the node, or a view of one, may be returned, stored, or given to a call.

    What branches give, and what loops carry from turn to turn, is followed.
    """
    pending = list(node.outputs)
    seen = set(pending)
    left = _MOST_USES
    while pending:
        uses = pending.pop().uses
        left -= len(uses)
        if left <= 0:
            return True
        for use in uses:
            followed = _followed(use)
            if followed is None:
                return True
            pending += [each for each in followed if each not in seen]
            seen.update(followed)
    return False


def _followed(use: Use) -> list[Value] | None:
    """The values through which a use leads on to the same memory; None where it is not known to end."""
    user = use.node
    if user.kind in _COLLECTING:
        return list(user.outputs)
    if user.kind == prim.FusionGroup:
        return [cast(Graph, user.attribute("Subgraph")).inputs[use.offset]]
    if user.kind == prim.Loop:
        return _carried(user, use.offset - _BEFORE_CARRIED)
    if user.kind == prim.Return:
        return _given_by_block(user, use.offset)
    if user.operator is None or user.blocks or not user.kind.startswith(_KNOWN):
        return None
    schema = user.operator.schema
    if schema.is_vararg or use.offset >= len(schema.arguments):
        return None
    alias = schema.arguments[use.offset].alias_info
    if alias is None:
        return []
    return None if alias.is_wildcard or alias.is_wildcard_after else list(user.outputs)


def _carried(loop: Node, number: int) -> list[Value]:
    """What a loop carries: within its turns, and behind it."""
    return [loop.blocks[0].inputs[1 + number], loop.outputs[number]]


def _given_by_block(end: Node, offset: int) -> list[Value] | None:
    """What a block gives is an output of its branch, or what its loop carries; None for what a graph returns."""
    owner = end.owning_block.owning_node
    if owner is None or owner.kind not in (prim.If, prim.Loop):
        return None
    return [owner.outputs[offset]] if owner.kind == prim.If else _carried(owner, offset - 1)
