"""Taking apart a tuple that was put together in plain sight costs nothing.

Unpacking, indexing and slicing of a ``prim::TupleConstruct`` become the values it was made of. The
construction itself goes when that leaves it without uses, with other dead code.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import TupleType


def lower_simple_tuples(graph: Graph) -> bool:
    """Returns whether anything changed, the dead code included."""
    changed = _lower_in_block(graph.block)
    return eliminate_dead_code(graph) or changed


def _lower_in_block(block: Block) -> bool:
    changed = False
    for node in block.nodes():
        changed |= take_apart(node)
        for nested in node.blocks:
            changed |= _lower_in_block(nested)
    return changed


def take_apart(node: Node) -> bool:
    """Unpacking, indexing and slicing of what was put together give the members; returns whether it was that."""
    if node.kind not in (prim.TupleUnpack, prim.TupleIndex, prim.TupleSlice):
        return False
    construction = node.inputs[0].node
    if construction.kind != prim.TupleConstruct or not node.has_uses:
        return False
    if not may_rewrite("lower_simple_tuples", node):
        return False
    if node.kind == prim.TupleUnpack:
        for output, element in zip(node.outputs, tuple(construction.inputs)):
            output.replace_all_uses_with(element)
        return True
    if node.kind == prim.TupleIndex:
        return _lower_index(node, construction)
    return _lower_slice(node, construction)


def _lower_index(node: Node, construction: Node) -> bool:
    """An index that is not constant, or out of range, is left for the program to trip over."""
    index = constant_value(node.inputs[1])
    elements = construction.inputs
    if not isinstance(index, int) or not -len(elements) <= index < len(elements):
        return False
    node.output.replace_all_uses_with(elements[index])
    return True


def _lower_slice(node: Node, construction: Node) -> bool:
    start, end = node.integer_attribute("beg"), node.integer_attribute("end")
    elements = construction.inputs[start:end]
    graph = node.graph
    part = graph.create(prim.TupleConstruct, elements).insert_before(node)
    part.output.set_type(TupleType(tuple(element.type for element in elements)))
    node.output.replace_all_uses_with(part.output)
    return True
