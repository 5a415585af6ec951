"""Objects that a graph makes and that nobody else sees are no objects: each attribute becomes a value of its own.

That is an object of which attributes alone are read and written, in the block that makes it and in branches and loops
there; what is read must have been written before. Attributes that a branch or a loop changes go through its inputs and
outputs, as variables do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import ClassType, Type

_CONTROL_FLOW: Final = (prim.If, prim.Loop)
_ACCESSES: Final = (prim.GetAttr, prim.SetAttr)

Attribute = tuple[Value, str]
"""An object, and the name of an attribute."""
Contents = dict[Attribute, Value]


def scalarize_objects(graph: Graph) -> bool:
    """Returns whether any object is gone."""
    made = graph.find_all_nodes(prim.CreateObject)
    objects = [node for node in made if _is_own(node) and may_rewrite("scalarize_objects", node)]
    if not objects:
        return False
    _Attributes({node.output for node in objects}).follow(graph.block, {})
    for node in objects:
        node.destroy()
    return True


def _is_own(node: Node) -> bool:
    type, uses = node.output.type, node.output.uses
    if not isinstance(type, ClassType) or type.is_module:
        return False
    return (
        all(_is_access(use.node, node.output) and _is_within(use.node, node) for use in uses)
        and all(type.attribute_type(_name(use.node)) is not None for use in uses)
        and _is_written_first(node, [use.node for use in uses])
    )


def _is_access(user: Node, owner: Value) -> bool:
    if user.kind == prim.SetAttr:
        return user.inputs[0] is owner and user.inputs[1] is not owner
    return user.kind == prim.GetAttr


def _name(access: Node) -> str:
    return access.string_attribute("name")


def _is_within(user: Node, maker: Node) -> bool:
    """Whether nothing but branches and loops are between the block of one node and that of another."""
    block = user.owning_block
    while block is not maker.owning_block:
        if block.owning_node is None or block.owning_node.kind not in _CONTROL_FLOW:
            return False
        block = block.owning_node.owning_block
    return True


def _is_written_first(maker: Node, accesses: Iterable[Node]) -> bool:
    """Whether each attribute that is read was written in the block of the object, and earlier."""
    first: dict[str, Node] = {}
    reads: list[Node] = []
    for access in accesses:
        if access.kind == prim.GetAttr:
            reads.append(access)
        elif access.owning_block is maker.owning_block:
            known = first.setdefault(_name(access), access)
            first[_name(access)] = access if access.is_before(known) else known
    return all(_name(read) in first and first[_name(read)].is_before(read) for read in reads)


class _Attributes:
    """What the attributes of some objects are, from node to node."""

    def __init__(self, objects: set[Value]) -> None:
        self._objects = objects

    def follow(self, block: Block, contents: Contents) -> None:
        """Through a block, into which attributes come with some contents, and which they leave with others."""
        for node in block.nodes():
            if node.kind == prim.If:
                self._through_branches(node, contents)
            elif node.kind == prim.Loop:
                self._through_turns(node, contents)
            elif node.kind in _ACCESSES and node.inputs[0] in self._objects:
                self._access(node, (node.inputs[0], _name(node)), contents)
            else:
                for inner in node.blocks:
                    self.follow(inner, {})

    def _access(self, node: Node, attribute: Attribute, contents: Contents) -> None:
        if node.kind == prim.SetAttr:
            contents[attribute] = _typed(node, _type(attribute))
        else:
            node.output.replace_all_uses_with(contents[attribute])
        node.destroy()

    def _through_branches(self, node: Node, contents: Contents) -> None:
        ends = [dict(contents) for _ in node.blocks]
        for inner, end in zip(node.blocks, ends):
            self.follow(inner, end)
        for attribute in ends[0]:
            values = [end.get(attribute) for end in ends]
            if None in values or values[0] is values[1]:
                continue
            for inner, end in zip(node.blocks, ends):
                inner.register_output(end[attribute])
            contents[attribute] = node.add_output(_type(attribute))

    def _through_turns(self, node: Node, contents: Contents) -> None:
        [body] = node.blocks
        changed = [each for each in self._written_in(body) if each in contents]
        end = dict(contents)
        for attribute in changed:
            node.add_input(contents[attribute])
            end[attribute] = body.add_input(type=_type(attribute))
        self.follow(body, end)
        for attribute in changed:
            body.register_output(end[attribute])
            contents[attribute] = node.add_output(_type(attribute))

    def _written_in(self, block: Block) -> Iterable[Attribute]:
        """Each once, in the order in which they are written."""
        writes = [each for each in block.all_nodes() if each.kind == prim.SetAttr]
        return dict.fromkeys(
            (each.inputs[0], _name(each)) for each in writes if each.inputs[0] in self._objects
        )


def _type(attribute: Attribute) -> Type:
    owner, name = attribute
    assert isinstance(owner.type, ClassType)
    type = owner.type.attribute_type(name)
    assert type is not None
    return type


def _typed(write: Node, wanted: Type) -> Value:
    """What a prim::SetAttr writes, as a value of the type of the attribute."""
    value = write.inputs[1]
    if value.type == wanted:
        return value
    cast = write.graph.create(prim.unchecked_cast, [value], range=write.range)
    cast.output.set_type(wanted)
    return cast.insert_before(write).output
