"""Sizes of results by those of arguments, for sizes that are symbols.

A rule is checked against what the operator gave in this run: a size that it tells otherwise is an error, and so is an
operator without a rule, where a size could depend on a symbol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsc.compiler.exir.data_sizes import DATA_SIZED, INDEXING
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.shapes import (
    core_operators,
    creation,
    indexing,
    joins,
    matrices,
    normalizations,
    pointwise,
    recurrent,
    reductions,
    signals,
    slices,
    views,
    windows,
)
from tsc.compiler.exir.symbols.shapes.rules import RULES, Call, Sizes, listed
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of
from tsc.compiler.source import Error


class ShapeError(Error):
    """The sizes of a result are not known for other sizes of the arguments."""


def results(
    operator: str,
    arguments: Mapping[str, Any],
    concrete_sizes: Sequence[Sequence[int]],
    environment: ShapeEnvironment,
) -> list[Sizes]:
    """The sizes of each tensor that an operator (``aten::add``) gives.

    `arguments` are by name, tensors as `FakeTensor`; `concrete_sizes` are what the results had in this run. Raises
    `ShapeError` where there is no rule, or where the rule tells other sizes than this run.
    """
    if not _is_symbolic(list(arguments.values())) and operator not in _MAY_BE_DATA_SIZED:
        return [list(each) for each in concrete_sizes]
    rule = _rule_of(operator)
    if rule is None:
        raise ShapeError(
            f"the sizes that {operator} gives for other sizes than those of this run are not known; "
            "make the dimension static, or write it with operators that have a shape rule"
        )
    with environment.within_rule():
        found = rule(Call(operator, arguments, concrete_sizes, environment))
    listed: list[Sizes] = (
        found if found and isinstance(found[0], list) else [found] * len(concrete_sizes)
    )
    _check(operator, listed, concrete_sizes)
    _require_sizes(listed, environment)
    return listed


def _check(operator: str, found: Sequence[Sizes], concrete: Sequence[Sequence[int]]) -> None:
    """That a rule tells what this run gave."""
    told = [[hint_of(size) for size in sizes] for sizes in found]
    if told != [list(sizes) for sizes in concrete]:
        raise ShapeError(
            f"the shape rule of {operator} tells {told}, and this run gave "
            f"{[list(sizes) for sizes in concrete]}; make the dimension static"
        )


def _require_sizes(found: Sequence[Sizes], environment: ShapeEnvironment) -> None:
    """Sizes that data decides are not negative."""
    for size in (each for sizes in found for each in sizes):
        if isinstance(size, SymValue) and not environment.is_backed(size):
            environment.require(compute("operator.ge", size, 0))


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, SymValue):
        return value.constant is None
    if isinstance(value, FakeTensor):
        return _is_symbolic(list(value.size))
    return isinstance(value, tuple | list) and any(map(_is_symbolic, listed(value)))


def _rule_of(operator: str) -> Any:
    """Its own, or that of the operator that does the same without a write, or as a view."""
    for name in (operator, operator.removesuffix("_"), operator.removesuffix("_copy")):
        if name in RULES:
            return RULES[name]
    return RULES.get(_ORDERED.get(operator, ""))


_ORDERED = {
    "dim_order_ops::_clone_dim_order": "aten::clone",
    "dim_order_ops::_to_dim_order_copy": "aten::_to_copy",
}
"""Copies that are told an order of dimensions, and those that are told a memory format."""
FAMILIES = (
    *(core_operators, creation, indexing, joins, matrices, normalizations),
    *(pointwise, recurrent, reductions, signals, slices, views, windows),
)
"""Modules of rules, which register themselves."""

_MAY_BE_DATA_SIZED = {each.partition(".")[0] for each in (*DATA_SIZED, INDEXING)}

__all__ = ["FAMILIES", "ShapeError", "results"]
