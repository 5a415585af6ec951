"""Which values the Python printer writes into the expression that uses them.

A value may be inlined if nothing can tell the difference: it is used once, has no name of its own,
and its node would be the next to run when the expression around it is evaluated. So the nodes are
walked backwards: the last operand of an expression must be the node right before it, the operand
before that the node before that one, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.ir import Block, Node, Value, prim

_LOOP_STATE = 2  # the trip count and the condition come before the carried inputs
_NEVER_INLINED = frozenset((prim.isinstance, prim.fork, prim.awaitable))
_OWN_STATEMENT = frozenset((prim.fork, prim.awaitable, prim.Enter, prim.Exit))


def inlined_nodes(body: Block) -> set[Node]:
    """The nodes in ``body`` that are written into the expressions that use them."""
    inlined: set[Node] = set()
    pending = [body]
    while pending:
        for node in _backwards(pending.pop()):
            if node not in inlined:
                pending.extend(node.blocks)
                _scan(node, inlined)
    return inlined


def constants_in_order_of_use(body: Block) -> list[Node]:
    """The constants that ``body`` uses."""
    found: dict[Node, None] = {}
    pending: list[Iterator[Node]] = [iter((body.return_node,)), body.nodes()]
    while pending:
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            continue
        found.update((v.node, None) for v in node.inputs if v.node.kind == prim.Constant)
        for block in reversed(node.blocks):
            pending.append(iter((block.return_node,)))
            pending.append(block.nodes())
    return list(found)


def _backwards(block: Block) -> Iterator[Node]:
    yield block.return_node
    yield from block.nodes_reversed()


def _scan(root: Node, inlined: set[Node]) -> None:
    """Finds what can be inlined into ``root``, and into that in turn."""
    previous = _previous_not_constant(root)
    pending: list[Iterator[Value]] = [reversed(root.inputs)]
    while pending:
        value = next(pending[-1], None)
        if value is None:
            pending.pop()
        elif value.node is previous and _can_be_inlined(value):
            inlined.add(value.node)
            previous = _previous_not_constant(value.node)
            pending.append(reversed(value.node.inputs))
        elif value.node.kind == prim.Constant:
            inlined.add(value.node)


def _previous_not_constant(node: Node) -> Node:
    previous = node.previous
    while previous.kind == prim.Constant:
        previous = previous.previous
    return previous


def _can_be_inlined(value: Value) -> bool:
    node = value.node
    if len(node.outputs) != 1 or value.use_count != 1 or node.blocks:
        return False
    if node.kind in _NEVER_INLINED:
        return False
    use = value.uses[0]
    if value.has_debug_name and use.node.kind != prim.Return:
        return False
    if use.node.kind == prim.Loop and use.offset >= _LOOP_STATE:
        return False
    return use.node.kind not in _OWN_STATEMENT
