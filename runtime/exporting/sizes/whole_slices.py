"""Slices that take everything, ``:``, which exported programs have only where a size may grow without end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.schema import Operator
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.values.tensor import Tensor

_ENDLESS: Final = (1 << 63) - 1


def is_whole_slice(
    operator: Operator, values: Sequence[Any], known: Callable[[Tensor], FakeTensor]
) -> bool:
    """Whether a call gives the tensor that it is given, whatever sizes the arguments have."""
    if operator.qualified_name != "aten::slice.Tensor":
        return False
    tensor, dim, start, end, step = values
    if any(isinstance(each, SymValue | DataNumber) for each in (start, end, step)):
        return False
    takes_all = not start and (end is None or end == _ENDLESS) and step == 1
    return takes_all and _is_bounded(known(tensor).size[dim])


def _is_bounded(size: Any) -> bool:
    if not isinstance(size, SymValue) or not size.environment.is_backed(size):
        return True
    return size.environment.upper_bound(size) is not None
