"""Every constant once, and all of them at the start of the graph.

Each constant is moved to the very front as it is met, so they end up in reverse order. (Pooling
again turns the order around.)
"""

from __future__ import annotations

from collections.abc import Hashable

from tsc.compiler.analysis.mutable_types import is_mutable_type
from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Use, Value
from tsc.compiler.passes.constant_key import constant_key
from tsc.compiler.source.rewritings import may_rewrite

Pool = dict[Hashable, Node]


def pool_constants(graph: Graph) -> bool:
    """Returns whether a constant was moved or merged."""
    return _pool_in_block(graph.block, {})


def _pool_in_block(block: Block, pool: Pool) -> bool:
    changed = False
    node = block.return_node.next
    while node is not block.return_node:
        following = node.next
        if node.kind == prim.Constant:
            changed |= _pool(node, pool)
        for nested in node.blocks:
            changed |= _pool_in_block(nested, pool)
        node = following
    return changed


def _pool(node: Node, pool: Pool) -> bool:
    first = node.graph.return_node.next
    pooled = pool.setdefault(constant_key(node), node)
    if pooled is node:
        if node is first:
            return False
        node.move_before(first)
        return True
    if not _may_be_one(node.output, pooled.output) or not may_rewrite("pool_constants", node):
        return False
    node.output.replace_all_uses_with(pooled.output)
    node.destroy()
    return True


def _may_be_one(a: Value, b: Value) -> bool:
    """Whether nobody can tell the two apart: lists must not be changed, or kept, by their users."""
    return not is_mutable_type(a.type) or (is_only_read(a) and is_only_read(b))


def is_only_read(value: Value) -> bool:
    """Whether no user writes to a value, or hands it on."""
    return all(_reads(use) for use in value.uses)


def _reads(use: Use) -> bool:
    """Whether the operator neither writes to the value nor hands it on."""
    schema = use.node.schema
    if schema is None or use.offset >= len(schema.arguments):
        return False
    return schema.arguments[use.offset].alias_info is None
