"""Lists and dicts that get longer or shorter in branches and loops which data decides, from outside of these."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.exir import refusals
from tsc.compiler.exir.explanation.facts import Facts
from tsc.compiler.exir.explanation.finding import Finding, at_node
from tsc.compiler.exir.growing_lists import CHANGES, may_grow
from tsc.compiler.ir import Node, Value, prim, user_place
from tsc.compiler.types import TypeKind

_CONTAINERS = (TypeKind.ListType, TypeKind.DictType)


def changes_outside(node: Node, facts: Facts) -> Iterator[Finding]:
    """What is put into a container that was made before data decided where the program goes, or taken out of it."""
    if node.operator is None or node.kind == "aten::_set_item":
        return
    for argument, value in zip(node.operator.schema.arguments, node.inputs, strict=False):
        if argument.is_write and value.type.kind in _CONTAINERS:
            owner = _decided_between(node, value, facts)
            if owner is not None and not _is_done_otherwise(node, value, owner):
                yield from _resized(node, value, owner)


def _resized(node: Node, value: Value, owner: Node) -> Iterator[Finding]:
    """Lists of tensors or numbers may get longer or shorter, but have to stay within the program."""
    is_kept = value.node.kind != prim.GetAttr
    if not (is_kept and node.kind in CHANGES and may_grow(value.type)):
        refusal = refusals.CHANGED_OUTSIDE
        message = "a list or dict from outside gets longer or shorter in a branch or loop that data decides"
        yield Finding(refusal, message, user_place(node), at_node(refusal, owner).severity)
    elif _is_returned(value):
        message = "a list is returned of which data tells how long it is"
        yield Finding(
            refusals.RESULT, message, user_place(node), at_node(refusals.RESULT, owner).severity
        )


def _is_returned(value: Value) -> bool:
    """Whether a function gives a list, or a tuple that holds it."""
    return any(
        use.node.kind == prim.Return
        or (use.node.kind == prim.TupleConstruct and _is_returned(use.node.output))
        for use in value.uses
    )


def _decided_between(node: Node, value: Value, facts: Facts) -> Node | None:
    """The branch or loop around a node that data decides, and that does not make the value itself."""
    block = node.owning_block
    while block is not value.node.owning_block and block.owning_node is not None:
        owner = block.owning_node
        if _is_decided(owner, facts):
            return owner
        block = owner.owning_block
    return None


def _is_done_otherwise(node: Node, value: Value, owner: Node) -> bool:
    """Whether the other branch does the same to the container, so that it is as long whatever data says."""
    if owner.kind != prim.If:
        return False
    steps = [
        [each.kind for each in block.nodes() if each.kind == node.kind and each.inputs[0] is value]
        for block in owner.blocks
    ]
    return steps[0] == steps[1]


def _is_decided(owner: Node, facts: Facts) -> bool:
    deciding = [owner.inputs[0]]
    if owner.kind == prim.Loop:
        deciding += [owner.inputs[1], owner.blocks[0].outputs[0]]
    return any(each in facts.numbers for each in deciding)
