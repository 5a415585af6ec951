"""No tuple is left, wherever what is in it can stand for it: graph inputs, outputs, branches and loops have members.

Tuples in other places (in lists, arguments of calls, printed) stay. What takes a tuple apart must find where
it was put together; where it does not, the tuple stays as well.
"""

from __future__ import annotations

from typing import Final, cast

from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.lower_simple_tuples import take_apart
from tsc.compiler.types import TupleType

_FORWARDING: Final = frozenset(
    {
        *(prim.If, prim.Loop, prim.Uninitialized, prim.TupleUnpack, prim.TupleConstruct),
        *(prim.TupleIndex, prim.TupleSlice, prim.Param, prim.Return),
    }
)
"""Kinds of nodes whose tuples give way to their members."""


def lower_all_tuples(graph: Graph) -> bool:
    """Returns whether anything changed, the dead code included."""
    changed = _lower_block(graph.block)
    return eliminate_dead_code(graph) or changed


def _lower_block(block: Block) -> bool:
    changed = _flatten_outputs(block.param_node, block.return_node.next)
    node = block.return_node.next
    while node is not block.return_node:
        following = node.next
        changed |= _lower_node(node, following)
        node = following
    return _flatten_inputs(block.return_node) or changed


def _lower_node(node: Node, following: Node) -> bool:
    if node.kind == prim.TupleConstruct:
        return False
    changed = take_apart(node)
    changed |= _split_constant(node)
    if node.kind not in _FORWARDING and node.kind != prim.Constant:
        return _lower_blocks(node) or changed
    changed |= _flatten_inputs(node)
    changed |= _flatten_outputs(node, following)
    return _lower_blocks(node) or changed


def _lower_blocks(node: Node) -> bool:
    changed = False
    for block in node.blocks:
        changed |= _lower_block(block)
    return changed


def _split_constant(node: Node) -> bool:
    """A constant tuple is put together of constants."""
    if node.kind != prim.Constant or not isinstance(node.output.type, TupleType):
        return False
    if not isinstance(node.attributes.get("value"), tuple):
        return False
    made = _made_of_constants(
        node, cast("tuple[object, ...]", node.attribute("value")), node.output.type
    )
    node.output.replace_all_uses_with(made)
    return True


def _made_of_constants(place: Node, members: tuple[object, ...], type: TupleType) -> Value:
    graph = place.graph
    values: list[Value] = []
    for member, known in zip(members, type.contained):
        if isinstance(known, TupleType) and isinstance(member, tuple):
            inner = cast("tuple[object, ...]", member)
            values.append(_made_of_constants(place, inner, known))
            continue
        with graph.insert_at(place):
            values.append(graph.insert_constant(member, known, range=place.range))
    made = graph.create(prim.TupleConstruct, values, range=place.range).insert_before(place)
    return made.output.set_type(type)


def _flatten_inputs(node: Node) -> bool:
    """Members in the place of tuples that were put together."""
    if node.kind in (prim.TupleUnpack, prim.TupleIndex, prim.TupleSlice, prim.Constant):
        return False
    changed = False
    offset = 0
    while offset < len(node.inputs):
        made = node.inputs[offset].node
        if made.kind != prim.TupleConstruct:
            offset += 1
            continue
        members = tuple(made.inputs)
        for index, member in enumerate(members):
            node.insert_input(offset + 1 + index, member)
        node.remove_input(offset)
        changed = True
    return changed


def _flatten_outputs(node: Node, following: Node) -> bool:
    """Outputs for the members of tuples, put together again behind the node."""
    if node.kind == prim.Constant:
        return False
    changed = False
    offset = 0
    while offset < len(node.outputs):
        output = node.outputs[offset]
        if not isinstance(output.type, TupleType):
            offset += 1
            continue
        members = [
            node.insert_output(offset + 1 + index, type)
            for index, type in enumerate(output.type.contained)
        ]
        made = node.graph.create(prim.TupleConstruct, members, range=node.range)
        following = made.insert_before(following)  # members of a tuple in this one come before it
        made.output.set_type(output.type)
        output.replace_all_uses_with(made.output)
        node.erase_output(offset)
        changed = True
    return changed
