"""Calls that give the tensor that they are given: Python makes none of them, and so ``torch.export`` sees none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.schema import Operator
from tsc.compiler.types.tensor_options import MEMORY_FORMATS
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.values.tensor import Tensor

Known = Callable[[Tensor], FakeTensor]

_ENDLESS: Final = (1 << 63) - 1


def is_omitted(operator: Operator, values: Sequence[Any], known: Known) -> bool:
    """Whether a call gives its tensor, whatever sizes the arguments have."""
    name = operator.qualified_name
    if name == "aten::slice.Tensor":
        return _takes_all(*values[2:]) and _is_bounded(known(values[0]).size[values[1]])
    if name == "aten::contiguous":
        return values[1] == MEMORY_FORMATS["contiguous_format"] and _is_contiguous(values[0])
    return False


def _takes_all(start: Any, end: Any, step: Any) -> bool:
    if any(isinstance(each, SymValue | DataNumber) for each in (start, end, step)):
        return False
    return not start and (end is None or end == _ENDLESS) and step == 1


def _is_bounded(size: Any) -> bool:
    """A size that may grow without end may be beyond that of ``:``."""
    if not isinstance(size, SymValue) or not size.environment.is_backed(size):
        return True
    return size.environment.upper_bound(size) is not None


def _is_contiguous(tensor: Tensor) -> bool:
    return bool(tensor.array.flags.c_contiguous)
