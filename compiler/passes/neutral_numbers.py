"""Sums with 0 and products with 1 that give a tensor as it is: `x * 1`, `x / 1`, `x - 0`, and `x + 0` of ints."""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Node, Value, constant_value
from tsc.compiler.types import TensorType

_INTS: Final = frozenset(("Byte", "Char", "Short", "Int", "Long"))
_FLOATS: Final = frozenset(("Half", "BFloat16", "Float", "Double"))
_NEUTRAL: Final = {"aten::mul": 1, "aten::div": 1, "aten::sub": 0, "aten::add": 0}


def unchanged_operand(node: Node, alias_db: AliasDb) -> Value | None:
    """What the node gives anew, if nobody can tell whether it is new.

    The types must tell that dtype and memory layout stay. (`x + 0` of floats makes 0 of -0, and is not neutral.)
    """
    if _NEUTRAL.get(node.kind) is None or len(node.inputs) < 2:
        return None
    if not _is_neutral(node) or not _is_row_major(node.inputs[0]):
        return None
    is_private = not alias_db.node_has_writers(node) and not alias_db.escapes(node.outputs)
    return node.inputs[0] if is_private else None


def _is_neutral(node: Node) -> bool:
    type, number = node.inputs[0].type, constant_value(node.inputs[1])
    if not isinstance(type, TensorType) or isinstance(number, bool):
        return False
    if not isinstance(number, (int, float)) or number != _NEUTRAL[node.kind]:
        return False
    if len(node.inputs) > 2 and not isinstance(constant_value(node.inputs[2]), int):
        return False
    if type.dtype in _FLOATS:
        return node.kind != "aten::add"
    return type.dtype in _INTS and isinstance(number, int) and node.kind != "aten::div"


def _is_row_major(value: Value) -> bool:
    """Whether a tensor is known to lie in memory as a result of its sizes would."""
    type = value.type
    if not isinstance(type, TensorType) or type.sizes is None or type.strides is None:
        return False
    step = 1
    for size, stride in zip(reversed(type.sizes), reversed(type.strides)):
        if size is None or stride != step:
            return False
        step *= max(size, 1)
    return True
