"""How single nodes are executed by threaded code: the operation, the function it calls, where its
inputs are named.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.ir import Node
from tsc.compiler.ir.symbols import aten, prim
from tsc.compiler.types import TupleType
from tsc.runtime.execution.fast_kernels import RESULTLESS, fast_kernel
from tsc.runtime.execution.threaded.threaded_code import Op

_INLINE = {
    "aten::add.int": Op.ADD_INT,
    "aten::sub.int": Op.SUB_INT,
    "aten::mul.int": Op.MUL_INT,
    "aten::add.float": Op.ADD,
    "aten::add.int_float": Op.ADD,
    "aten::add.float_int": Op.ADD,
    "aten::add.complex": Op.ADD,
    "aten::add.str": Op.ADD,
    "aten::add.t": Op.ADD,
    "aten::sub.float": Op.SUB,
    "aten::sub.int_float": Op.SUB,
    "aten::sub.float_int": Op.SUB,
    "aten::mul.float": Op.MUL,
    "aten::mul.int_float": Op.MUL,
    "aten::mul.float_int": Op.MUL,
}
"""Operators that the machine knows itself."""

_COMPARISONS = frozenset(
    {aten.lt, aten.gt, aten.le, aten.ge, aten.eq, aten.ne, aten.is_, aten.isnot, aten.contains}
)


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
    name = "" if node.operator is None else node.operator.qualified_name
    if name in _INLINE:
        return _INLINE[name], None, registers[0], registers[1], None
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


def _is_named(node: Node) -> bool:
    type = node.output.type
    return isinstance(type, TupleType) and type.field_names is not None


def is_comparison(node: Node) -> bool:
    """Whether a node asks something of two values, so that a branch can ask it itself."""
    return node.kind in _COMPARISONS and len(node.inputs) == 2 and len(node.outputs) == 1


def leaves_nothing(function: Any) -> bool:
    """Whether a function returns None in place of a result that nobody wants."""
    return function in RESULTLESS
