"""How single nodes are executed by threaded code: the operation, the function it calls, where its
inputs are named.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.ir import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.schema import Promotion, sole_operator
from tsc.compiler.types import TupleType, TypeKind
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.threaded.threaded_code import Op
from tsc.runtime.operators.fast_forms import RESULTLESS

_INLINE: dict[str | None, tuple[int, int]] = {
    "add": (Op.ADD_INT, Op.ADD),
    "sub": (Op.SUB_INT, Op.SUB),
    "mul": (Op.MUL_INT, Op.MUL),
}
"""What the machine computes itself: on ints, which wrap, and on anything else."""


def gather(registers: Sequence[int]) -> Callable[[list[Any]], tuple[Any, ...]]:
    """What takes a tuple of values out of the registers."""
    if len(registers) > 1:
        return operator.itemgetter(*registers)
    if not registers:
        return lambda _registers: ()
    only = registers[0]
    return lambda values: (values[only],)


def operation_of(node: Node, registers: Sequence[int]) -> tuple[int, Any, Any, Any, Any]:
    """Operation, function and the operands a, b and c of a node with at most one output."""
    inline = _inline_operation(node)
    if inline is not None:
        return inline, None, registers[0], registers[1], None
    if node.kind == prim.TupleConstruct and not _is_named(node):
        return Op.GATHER, None, None, None, gather(registers)
    if node.kind == prim.ListConstruct:
        return Op.CALL_GATHERED, list, None, None, gather(registers)
    function = fast_kernel(node)
    match registers:
        case [a]:
            op = {prim.Enter: Op.ENTER, prim.Exit: Op.EXIT}.get(node.kind, Op.CALL1)
            return op, function, a, None, None
        case [a, b]:
            return Op.CALL2, function, a, b, None
        case [a, b, c]:
            return Op.CALL3, function, a, b, c
        case _:
            return Op.CALL_SPREAD, function, None, None, gather(registers)


def _inline_operation(node: Node) -> int | None:
    """The machine's own operation that computes what a node does with numbers."""
    expression = None if node.operator is None else node.operator.expression
    if expression is None or expression.promotion is not Promotion.NUMBERS:
        return None
    operations = _INLINE.get(sole_operator(expression.term))
    if operations is None:
        return None
    on_ints, on_others = operations
    return on_ints if node.output.type.kind is TypeKind.IntType else on_others


def _is_named(node: Node) -> bool:
    type = node.output.type
    return isinstance(type, TupleType) and type.field_names is not None


def is_comparison(node: Node) -> bool:
    """Whether a node asks something of two values, so that a branch can ask it itself."""
    if node.operator is None or len(node.inputs) != 2 or len(node.outputs) != 1:
        return False
    return node.output.type.kind is TypeKind.BoolType


def leaves_nothing(function: Any) -> bool:
    """Whether a function returns None in place of a result that nobody wants."""
    return function in RESULTLESS
