"""What a backend gives for a part, as the program has it: numbers as numbers, and tensors in their order in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbolic_expressions import SymbolicError, SymbolicExpression
from tsc.runtime.values.tensor import Tensor

Finish = Callable[[Sequence[Any]], Sequence[Any]]
_LARGE: Final = 1 << 10
"""A size that is larger than those of heads and channels mostly are: it only tells which strides are larger."""


def finished(known: Sequence[Any]) -> Finish:
    """What brings results to the form that the program knows of each."""
    changes = [(place, change) for place, each in enumerate(known) if (change := _change(each))]
    if not changes:
        return lambda results: results

    def finish(results: Sequence[Any]) -> Sequence[Any]:
        made = list(results)
        for place, change in changes:
            made[place] = change(made[place])
        return made

    return finish


def _change(known: Any) -> Callable[[Any], Any] | None:
    if not isinstance(known, FakeTensor):
        return _number
    strides = _strides(known)
    order = tuple(sorted(range(len(strides)), key=lambda place: (-strides[place], place)))
    if 0 in strides or order == tuple(range(len(order))):
        return None  # expanded ones, which become dense, have no order of their own
    return lambda result: _in_order(result, order)


def _strides(known: FakeTensor) -> Sequence[int]:
    """Those of some sizes, large ones for all that change; none if they are not known."""
    try:
        return [_for_large_sizes(each) for each in known.stride or ()]
    except SymbolicError:
        return ()


def _for_large_sizes(stride: Any) -> int:
    if not isinstance(stride, SymbolicExpression):
        return int(stride)
    return int(stride.value(dict.fromkeys(_symbols(stride), _LARGE)))


def _symbols(expression: SymbolicExpression) -> set[str]:
    if expression.symbol is not None:
        return {expression.symbol}
    return {symbol for each in expression.parts for symbol in _symbols(each)}


def _number(result: Any) -> Any:
    return result.array.item() if isinstance(result, Tensor) else result


def _in_order(result: Tensor, order: tuple[int, ...]) -> Tensor:
    """The same elements, from the outermost dimension in memory to the innermost: views of it may rely on that."""
    back = tuple(int(each) for each in np.argsort(order))
    return Tensor(np.ascontiguousarray(result.array.transpose(order)).transpose(back))
