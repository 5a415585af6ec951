"""Operators between two values: those of their classes first, then those of the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.runtime.construction.host.host_types import as_value
from tsc.runtime.construction.values.operators import BINARY, UNARY
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.construction.values.value import Value


def binary(evaluator: Evaluator, kind: str, left: Any, right: Any) -> Any:
    """``left <kind> right``"""
    if kind in _RELATIONS:
        return _RELATIONS[kind](evaluator, left, right)
    one, other = as_value(left), as_value(right)
    if one.is_host and (other.is_host or (kind == "%" and isinstance(left, str))):
        return one.combined(evaluator, BINARY[kind], right)
    left, right = one.operand(evaluator), other.operand(evaluator)
    if left is one.itself and right is other.itself:
        return _of_objects(evaluator, kind, one, other)
    return binary(evaluator, kind, left, right)


_RELATIONS: Final[dict[str, Callable[[Evaluator, Any, Any], bool]]] = {
    "is": lambda _evaluator, left, right: _is_same(left, right),
    "is not": lambda _evaluator, left, right: not _is_same(left, right),
    "in": lambda evaluator, item, container: evaluator.contains(container, item),
}


def _is_same(left: Any, right: Any) -> bool:
    return left is right or as_value(left).is_same(right)


def _of_objects(evaluator: Evaluator, kind: str, left: Value, right: Value) -> Any:
    """What the special methods say; without them, objects are only equal to themselves."""
    operator = BINARY[kind]
    result = NotImplemented
    if not left.is_host:
        result = left.combined(evaluator, operator, right.itself)
    if result is NotImplemented:
        result = right.combined_behind(evaluator, operator, left.itself)
    if result is not NotImplemented:
        return result
    if kind == "eq":
        return left.is_same(right.itself)
    if kind == "ne":
        return not evaluator.truth(binary(evaluator, "eq", left.itself, right.itself))
    if kind == "|" and left.alternatives() and right.alternatives():
        return (*left.alternatives(), *right.alternatives())
    raise TypeError(
        f"unsupported operand type(s) for {operator.symbol}: "
        f"'{left.type_name}' and '{right.type_name}'"
    )


def in_place(evaluator: Evaluator, kind: str, left: Any, right: Any) -> Any:
    """The value to assign for ``left <kind>= right``."""
    result = as_value(left).combined_in_place(evaluator, BINARY[kind], right)
    return binary(evaluator, kind, left, right) if result is NotImplemented else result


def unary(evaluator: Evaluator, kind: str, value: Any) -> Any:
    """``not``, ``-``, ``+`` and ``~``."""
    if kind == "not":
        return not evaluator.truth(value)
    return as_value(value).changed(evaluator, UNARY[kind])
