"""Which nodes leave their result on the stack, where the one node that uses it finds it."""

from __future__ import annotations

from tsc.compiler.analysis.liveness import Liveness
from tsc.compiler.ir import Block, Graph, Node, Value
from tsc.compiler.ir.symbols import prim
from tsc.runtime.execution.bytecode.trampoline import Steps, run

_NOT_ON_STACK = (prim.Param, prim.BailOut)
"""Where a program bails out, nothing of it is to be on the stack."""


def nodes_left_on_stack(graph: Graph, liveness: Liveness) -> set[Node]:
    """The nodes whose only output has one use, with nothing to be done between making and using it."""
    found: set[Node] = set()
    run(_scan_block(graph.block, liveness, found))
    return found


def _scan_block(block: Block, liveness: Liveness, found: set[Node]) -> Steps:
    _scan_inputs(block.return_node, liveness, found)
    for node in block.nodes_reversed():
        if node.kind == prim.Constant:
            continue
        for nested in node.blocks:
            yield _scan_block(nested, liveness, found)
        if len(node.outputs) == 1 and not node.output.has_uses:
            found.add(node)  # it is dropped off the stack at once
        _scan_inputs(node, liveness, found)


def _scan_inputs(user: Node, liveness: Liveness, found: set[Node]) -> None:
    """Backwards from a node, as long as the nodes before it compute its inputs, in their order."""
    if user in found and user.has_uses:
        return  # it was scanned together with its own user
    candidate = _before(user)
    if all(value.node is not candidate for value in user.inputs):
        return
    pending = [list(user.inputs[1:2] if user.kind == prim.BailOut else user.inputs)]
    while pending:
        if not pending[-1]:
            pending.pop()
            continue
        value = pending[-1].pop()
        if value.node is candidate and _stays_on_stack(value, liveness):
            found.add(candidate)
            pending.append(list(candidate.inputs))
            candidate = _before(candidate)


def _stays_on_stack(value: Value, liveness: Liveness) -> bool:
    node = value.node
    if node.kind in _NOT_ON_STACK or value.use_count != 1 or len(node.outputs) != 1:
        return False
    if node.blocks:
        return False  # what its branches let go of could not be loaded before them
    return not liveness.dead_after(node)


def _before(node: Node) -> Node:
    """The node that runs before this one; constants are not run."""
    node = node.previous
    while node.kind in (prim.Constant, prim.BailoutTemplate):
        node = node.previous
    return node
