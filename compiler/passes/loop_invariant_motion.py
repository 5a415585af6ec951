"""What a loop computes anew in each turn, always from the same values, is computed once before it.

What may fail only goes where the loop is known to have a turn, and where nothing that stays in the body could have
stopped or been seen before. Results that others may keep or write to are made in each turn.
"""

from __future__ import annotations

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.determinism import is_nondeterministic
from tsc.compiler.analysis.effects import has_side_effects, never_fails
from tsc.compiler.ir import Block, Graph, LoopView, Node, Value, constant_value, prim
from tsc.compiler.passes.pool_constants import is_only_read
from tsc.compiler.source.rewritings import may_rewrite


def loop_invariant_motion(graph: Graph) -> bool:
    """Returns whether a node left a loop."""
    return _visit_block(graph.block, AliasDb(graph))


def _visit_block(block: Block, alias_db: AliasDb) -> bool:
    """Inner loops come first: what leaves them may leave the outer one as well."""
    changed = False
    for node in block.nodes():
        for nested in node.blocks:
            changed |= _visit_block(nested, alias_db)
        if node.kind == prim.Loop:
            changed |= _empty(node, alias_db)
    return changed


def _empty(loop: Node, alias_db: AliasDb) -> bool:
    [body] = loop.blocks
    varying: set[Value] = set(body.inputs)
    may_fail = _has_a_turn(LoopView(loop))
    changed = False
    for node in body.nodes():
        if (may_fail or never_fails(node)) and _leaves(node, loop, varying, alias_db):
            changed = True
            continue
        varying.update(node.outputs)
        may_fail = may_fail and never_fails(node)
    return changed


def _has_a_turn(loop: LoopView) -> bool:
    turns = constant_value(loop.max_trip_count)
    return isinstance(turns, int) and turns > 0 and constant_value(loop.input_condition) is True


def _leaves(node: Node, loop: Node, varying: set[Value], alias_db: AliasDb) -> bool:
    """Moves a node before the loop, if nobody can tell."""
    if node.blocks or has_side_effects(node) or is_nondeterministic(node):
        return False
    if node.operator is None and not never_fails(node):
        return False
    if any(value in varying for value in node.inputs) or alias_db.node_has_writers(node):
        return False
    if alias_db.escapes(node.outputs) and not all(map(is_only_read, node.outputs)):
        return False
    if not may_rewrite("loop_invariant_motion", node):
        return False
    first = next(node.owning_block.nodes())
    if first is not node and not alias_db.move_before_topologically_valid(node, first):
        return False
    node.move_before(loop)
    return True
