"""Two Ifs in a row become one when the first decides the second.

An early return makes two Ifs: the one it stands in, with "has exited" among its outputs, and the
one that guards the rest of the block with it. When each branch of the first gives the second a
constant condition, and not the same one, the branches of the second belong at the ends of those of
the first.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.node_order import enclosing_nodes
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value


def inline_consecutive_ifs(graph: Graph) -> None:
    """Joins such pairs in every block, innermost first, until there are none."""
    _inline_in_block(graph.block)


def _inline_in_block(block: Block) -> None:
    for node in block.nodes():
        for nested in node.blocks:
            _inline_in_block(nested)
    for node in block.nodes():
        _join_following(node)


def _join_following(node: Node) -> None:
    """Joins ``node`` with the Ifs right behind it that it decides."""
    while node.kind == prim.If and node.is_attached and _decides_next(node):
        for changed in _join(node, node.next):
            _join_following(changed)


def _decides_next(first: Node) -> bool:
    second = first.next
    if second.kind != prim.If or second.inputs[0].node is not first:
        return False
    offset = second.inputs[0].offset
    decisions = {constant_value(block.outputs[offset]) for block in first.blocks}
    return decisions == {True, False}


def _join(first: Node, second: Node) -> list[Node]:
    """Returns the Ifs that may decide their neighbour now: at the seams, and with other outputs."""
    condition = second.inputs[0]
    changed: list[Node] = []
    for branch in first.blocks:
        chosen = second.blocks[0 if constant_value(branch.outputs[condition.offset]) else 1]
        changed += _refer_to_branch(first, branch, chosen)
        changed.append(branch.return_node.previous)
        _append(branch, chosen)
    for output in second.outputs:
        replacement = first.add_output().copy_metadata(output)
        output.replace_all_uses_with(replacement)
    second.destroy()
    return [node for node in changed if node.kind == prim.If]


def _refer_to_branch(first: Node, branch: Block, chosen: Block) -> list[Node]:
    """In ``chosen``, outputs of ``first`` become those of ``branch``; returns whose outputs
    changed.
    """
    changed: list[Node] = []
    for output, value in zip(first.outputs, branch.outputs):
        for use in output.uses:
            if not _is_within(use.node, chosen):
                continue
            use.node.replace_input(use.offset, value)
            owner = use.node.owning_block.owning_node
            if (
                use.node.kind == prim.Return
                and owner is not None
                and owner is not chosen.owning_node
            ):
                changed.append(owner)
    return changed


def _is_within(node: Node, block: Block) -> bool:
    """Whether ``node`` stands in ``block``, or in a block inside of it."""
    owner = block.owning_node
    for enclosing in enclosing_nodes(node):
        if enclosing.block is block:
            return True
        if owner is None or enclosing.block is owner.block:
            return False
    return False


def _append(branch: Block, chosen: Block) -> None:
    for node in chosen.nodes():
        node.move_before(branch.return_node)
    for value in _taken_outputs(chosen):
        branch.register_output(value)


def _taken_outputs(block: Block) -> list[Value]:
    outputs = list(block.outputs)
    block.remove_all_outputs()
    return outputs
