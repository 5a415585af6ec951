"""Values are numbered from 0 in the order of the text, so that graphs can be compared by their texts."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.ir import Block, Graph, Value


def canonicalize(graph: Graph, *, keep_unique_names: bool = True) -> bool:
    """Returns whether a name or number changed. Names stay unless ``keep_unique_names`` is False."""
    changed = False
    for number, value in enumerate(_values(graph.block)):
        if value.has_debug_name and not keep_unique_names:
            value.set_debug_name("")
            changed = True
        changed |= value.unique != number and not value.has_debug_name
        value.unique = number
    return changed


def _values(block: Block) -> Iterator[Value]:
    yield from block.inputs
    for node in block.nodes():
        yield from node.outputs
        for nested in node.blocks:
            yield from _values(nested)
