"""Putting a callee's body in the place of a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsc.compiler.ir.call_stack import InlinedCall
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.function import Function, arguments_of
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.value import Value


def insert_graph(
    graph: Graph,
    callee: Graph,
    inputs: Sequence[Value],
    value_map: dict[Value, Value] | None = None,
) -> list[Value]:
    """Copies ``callee``'s nodes to the insertion point; returns what its outputs became.

    ``value_map``, if given, learns what became of every top-level value of ``callee``.
    """
    if len(inputs) != len(callee.inputs):
        raise GraphError(f"{len(callee.inputs)} inputs are needed, {len(inputs)} were given")
    copies = {} if value_map is None else value_map
    copies.update(zip(callee.inputs, inputs))
    for node in callee.nodes():
        copy = graph.insert_node(clone_node(node, graph, copies.__getitem__))
        copies.update(zip(node.outputs, copy.outputs))
    return [copies[output] for output in callee.outputs]


def inline_call(call: Node, callee: Function, inputs: Sequence[Value] | None = None) -> list[Value]:
    """Replaces ``call`` by the body of ``callee``; returns the values that replaced its outputs.

    ``inputs`` are the callee's arguments: all of the call's inputs, unless given. The new nodes
    remember the call, for messages. A named output of the call passes its name on.
    """
    arguments = call.inputs if inputs is None else inputs
    last_before = call.previous
    with call.graph.insert_at(call):
        outputs = insert_graph(call.graph, callee.graph, list(arguments))
    _extend_call_stacks(last_before, call, callee)
    for old, new in zip(call.outputs, outputs, strict=True):
        if old.has_debug_name:
            new.set_debug_name(old.debug_name)
        old.replace_all_uses_with(new)
    call.destroy()
    return outputs


def inline_function_call(call: Node, callee: Function) -> list[Value]:
    """Replaces a call of a function or a method by the callee's body."""
    return inline_call(call, callee, arguments_of(call))


def _extend_call_stacks(last_before: Node, call: Node, callee: Function) -> None:
    """Tells the nodes copied in front of ``call`` through which call they came."""
    outer = InlinedCall(callee.qualified_name, call.range, call.call_stack)
    extended: dict[InlinedCall | None, InlinedCall] = {None: outer}
    copied = last_before.next
    while copied is not call:
        for node in [copied, *nested_nodes(copied)]:
            node.call_stack = _extended(node.call_stack, extended)
        copied = copied.next


def _extended(
    stack: InlinedCall | None, known: dict[InlinedCall | None, InlinedCall]
) -> InlinedCall:
    """The calls of ``stack`` inside of those around it; each is extended once and then ``known``,
    so that stacks go on sharing what they shared.
    """
    pending: list[InlinedCall] = []
    while stack is not None and stack not in known:
        pending.append(stack)
        stack = stack.outer
    result = known[stack]
    for inner in reversed(pending):
        result = known[inner] = InlinedCall(inner.callee, inner.call, result)
    return result


def nested_nodes(node: Node) -> Iterator[Node]:
    """Every node in the blocks of ``node``."""
    for block in node.blocks:
        yield from block.all_nodes()
