"""Tensors are tensors: what types say of dtypes, sizes, strides and devices is forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.ir import Block, Graph, Value
from tsc.compiler.types import without_shapes


def erase_shape_information(graph: Graph) -> bool:
    """Returns whether a type changed, in graphs that are attributes too."""
    changed = _erase_in_block(graph.block)
    for node in graph.all_nodes():
        for value in node.attributes.values():
            if isinstance(value, Graph):
                changed |= erase_shape_information(value)
    return changed


def _erase_in_block(block: Block) -> bool:
    changed = _erase(block.inputs)
    for node in block.nodes():
        changed |= _erase(node.outputs)
        for nested in node.blocks:
            changed |= _erase_in_block(nested)
    return changed


def _erase(values: Sequence[Value]) -> bool:
    changed = False
    for value in values:
        plain = without_shapes(value.type)
        if plain != value.type:
            value.set_type(plain)
            changed = True
    return changed
