"""Assignment to targets: names, attributes, items, and tuples of them."""

from __future__ import annotations

from typing import Any

from tsc.compiler.frontend.tree_views import (
    Expr,
    ListLiteral,
    Select,
    Starred,
    Subscript,
    TupleLiteral,
    Var,
)
from tsc.runtime.construction.host.host_types import as_value
from tsc.runtime.construction.subscripts import subscript_key
from tsc.runtime.construction.values.protocol import Evaluator, Frame


def assign(evaluator: Evaluator, target: Expr, value: Any, frame: Frame) -> None:
    """Bind a target to a value."""
    if isinstance(target, Var):
        frame.locals[target.name.name] = value
    elif isinstance(target, Select):
        owner = evaluator.evaluate(target.value, frame)
        frame.position = target.range
        evaluator.set_attribute(owner, target.selector.name, value)
    elif isinstance(target, Subscript):
        owner = evaluator.evaluate(target.value, frame)
        key = subscript_key(evaluator, target, frame)
        frame.position = target.range
        as_value(owner).set_item(evaluator, key, value)
    elif isinstance(target, TupleLiteral | ListLiteral):
        _unpack(evaluator, target, value, frame)
    else:
        raise TypeError("cannot assign to this expression")


def _unpack(
    evaluator: Evaluator, target: TupleLiteral | ListLiteral, value: Any, frame: Frame
) -> None:
    frame.position = target.range
    values = evaluator.listed(value)
    targets = target.inputs
    star = next((i for i, each in enumerate(targets) if isinstance(each, Starred)), None)
    if star is None:
        if len(values) > len(targets):
            raise ValueError(f"too many values to unpack (expected {len(targets)})")
        if len(values) < len(targets):
            raise ValueError(
                f"not enough values to unpack (expected {len(targets)}, got {len(values)})"
            )
    else:
        after = len(targets) - star - 1
        if len(values) < star + after:
            raise ValueError(
                f"not enough values to unpack (expected at least {star + after}, got {len(values)})"
            )
        end = len(values) - after
        values = [*values[:star], values[star:end], *values[end:]]
    for each, item in zip(targets, values):
        assign(evaluator, each.expr if isinstance(each, Starred) else each, item, frame)
