"""Branches: ``if`` statements, or expressions where both ways are short computations of one value."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tsc.compiler.ir import Block, Node, Value
from tsc.compiler.ir.symbols import prim
from tsc.compiler.types import TypeKind
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.syntax import Place
from tsc.runtime.execution.python.waiting import Stack, Waiting, depth_of

if TYPE_CHECKING:
    from tsc.runtime.execution.python.function_writer import Writer

_LARGEST_EXPRESSION: Final = 8
"""Nodes of a branch that may become a part of an expression."""


def write_if(writer: Writer, node: Node) -> None:
    """The statement of a prim::If, or an expression that waits for its user."""
    taken = writer.take(node.inputs)
    (test,), _ = writer.operands(node, node.inputs, taken)
    if _as_expression(writer, node, test, taken):
        return
    writer.flush()
    place = writer.places.of(node)
    for block in node.blocks:
        for output, result in zip(node.outputs, block.outputs):
            writer.variables.wish(result, output)
    (then, then_end), (orelse, else_end) = map(writer.nested, node.blocks)
    wanted = [output for output in node.outputs if output.has_uses]
    writer.variables.place_together(wanted, writer.lifetimes.end[node])
    targets = [writer.variables.of(each) if each.has_uses else None for each in node.outputs]
    for body, end in ((then, then_end), (orelse, else_end)):
        outer, writer.body = writer.body, body
        writer.move(place, targets, end)
        writer.body = outer
    if not then and orelse:
        then, orelse, test = orelse, then, syntax.negation(place, test)
    writer.body.append(syntax.branch(place, test, then, orelse))


def _as_expression(writer: Writer, node: Node, test: ast.expr, taken: dict[Value, Waiting]) -> bool:
    """Whether a choice between two short computations has become an expression itself."""
    if len(node.outputs) != 1 or not writer.may_wait(node, depth_of(taken) + 1):
        return False
    if not all(_is_short(writer, block) for block in node.blocks):
        return False
    place = writer.places.of(node)
    outer, writer.stack = writer.stack, Stack()
    ends = [writer.block(block) for block in node.blocks]
    writer.stack = outer
    writer.places.go_back(place)
    values = [writer.narrow(place, end)[0] for end in ends]
    depth = depth_of(taken) + _LARGEST_EXPRESSION // 2
    made = _choice(place, node, test, values)
    writer.stack.push(Waiting(node, node.output, made, False, depth))
    return True


def _is_short(writer: Writer, block: Block) -> bool:
    """Whether a block is an expression: each node is used once, by the next one that is not constant."""
    if writer.heavy(writer.liveness.dead_at_start(block)) or writer.dying(block.return_node):
        return False
    count, following = 0, block.return_node
    for node in block.nodes_reversed():
        if node.kind == prim.Constant:
            continue
        count += 1
        if count > _LARGEST_EXPRESSION or node.blocks or not writer.may_wait(node, count):
            return False
        if node.output.uses[0].node is not following:
            return False
        following = node
    return True


def _choice(place: Place, node: Node, test: ast.expr, values: Sequence[ast.expr]) -> ast.expr:
    """``a and b``, ``a or b`` where that says it, or a conditional expression."""
    then, orelse = values
    if node.output.type.kind is TypeKind.BoolType:
        if isinstance(orelse, ast.Constant) and orelse.value is False:
            return syntax.boolean(place, syntax.AND, test, then)
        if isinstance(then, ast.Constant) and then.value is True:
            return syntax.boolean(place, syntax.OR, test, orelse)
    return syntax.conditional(place, test, then, orelse)
