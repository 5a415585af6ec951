"""Sizes that are in tensors, as traces compute with them: what an operator makes of them is a size, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.schema import Operator
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder


def size_computed(recorder: Recorder, operator: Operator, values: Sequence[Any]) -> Any:
    """The size that an operator makes of tensors that hold sizes, and whole numbers; None of other operators."""
    compute = _COMPUTED.get(operator.qualified_name.partition(".")[0])
    if compute is None or not any(_is_size(recorder, each) for each in values[:2]):
        return None
    operands = [_whole(recorder, each) for each in values if each is not None]
    return None if None in map(_known, operands) else compute(*operands)


def with_plain_sizes(
    recorder: Recorder, operator: Operator, values: Sequence[Any]
) -> Sequence[Any]:
    """Arguments with a size in the place of a tensor that holds it, where the result is of the same dtype."""
    if operator.qualified_name not in _WITH_NUMBERS or not _is_size(recorder, values[1]):
        return values
    first, dtype = values[0], values[0].array.dtype
    if _is_size(recorder, first) or (first.array.ndim == 0 and dtype.kind not in "fc"):
        return values
    return [first, recorder.size_tensors[id(values[1])][1], *values[2:]]


def _known(operand: Any) -> Any:
    return True if isinstance(operand, SymValue) else operand


def _is_size(recorder: Recorder, value: Any) -> bool:
    return isinstance(value, Tensor) and id(value) in recorder.size_tensors


def _whole(recorder: Recorder, value: Any) -> Any:
    """A size, or a whole number that is the same in every run. None for anything else."""
    if isinstance(value, Tensor):
        if _is_size(recorder, value):
            return recorder.size_tensors[id(value)][1]
        is_number = value.array.ndim == 0 and value.array.dtype.kind == "i"
        return int(value.array) if is_number and recorder.is_constant(value) else None
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number or isinstance(value, SymValue) else None


def _same(size: Any, *_options: Any) -> Any:
    return size


_WITH_NUMBERS: Final = frozenset(f"aten::{name}.Tensor" for name in ("add", "sub", "mul", "div"))
_COMPUTED: Final[dict[str, Callable[..., Any]]] = {
    "aten::add": lambda a, b, alpha=1: a + b * alpha,
    "aten::sub": lambda a, b, alpha=1: a - b * alpha,
    "aten::rsub": lambda a, b, alpha=1: b - a * alpha,
    "aten::mul": lambda a, b: a * b,
    "aten::floor_divide": lambda a, b: a // b,
    "aten::remainder": lambda a, b: a % b,
    "aten::neg": lambda a: -a,
    "aten::detach": _same,
    "aten::clone": _same,
}
