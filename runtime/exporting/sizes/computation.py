"""What programs do with sizes: reading, arithmetic and comparisons on symbols, as nodes of a program say them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from tsc.compiler.exir.data_numbers import HOLDERS, INDEXED, MAKERS
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.rules import product
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.late_values import late
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.sizes.unanswered import UNANSWERED
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes

TARGETS: Final = {
    **{f"aten::{name}": f"operator.{name}" for name in ("add", "sub", "mul", "neg", "pow")},
    **{f"aten::{name}": f"operator.{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "aten::floordiv": "operator.floordiv",
    "aten::remainder": "operator.mod",
    "aten::div": "operator.truediv",
    "aten::Float": "torch.sym_float",
    "aten::Int": "torch.sym_int",
    "aten::ceil": "math.ceil",
    "aten::floor": "math.floor",
    "aten::sqrt": "torch.sym_sqrt",
    "prim::max": "torch.sym_max",
    "prim::min": "torch.sym_min",
}
_NUMBERS_READ: Final = ("aten::Int", "aten::item", "aten::IntImplicit", "aten::ScalarImplicit")
"""They read a size out of a tensor that holds one."""
_EXTREMES: Final = ("prim::max", "prim::min")
_OF_LISTS: Final = HOLDERS | {
    *("aten::add", "aten::add_", "aten::mul", "aten::slice", "aten::copy", "aten::list"),
    *("aten::extend", "aten::pop", "aten::reverse", "aten::clear", "aten::Delete"),
}
"""They move the elements of lists, whatever these are."""


def computed(
    sizes: SymbolicSizes, recorder: Recorder, kind: str, values: list[Any], *, is_recorded: bool
) -> Any:
    """What a node gives that reads sizes or computes with them, `UNANSWERED` for others.

    Of nodes that have to know a size, the `values` are fixed to those of this run.
    """
    first = values[0] if values else None
    if isinstance(first, Tensor) and kind in _READS and recorder.knows(first):
        with sizes.environment.within_rule():
            found = _READS[kind](sizes, recorder.known(first), *values[1:])
        recorder.size_nodes.compute(found if isinstance(found, list) else [found])
        return found
    if isinstance(first, Tensor) and kind in _NUMBERS_READ:
        return recorder.size_tensors.get(id(first), (None, UNANSWERED))[1]
    if kind in ("aten::eq", "aten::ne") and _has_symbols(values, nested=True):
        return _lists_equal(sizes, recorder, kind, values)
    if kind in _EXTREMES and len(values) == 1 and _nested(first):
        numbers = cast("list[Any]", first)
        if all(map(_is_number, numbers)):
            return reduce(partial(compute, TARGETS[kind]), numbers)
    if _has_symbols(values, nested=False):
        return _of_numbers(sizes, recorder, kind, values, is_recorded=is_recorded)
    if not is_recorded and kind not in _OF_LISTS and kind not in INDEXED and kind not in MAKERS:
        values[:] = [sizes.fix(each) if _nested(each) else each for each in values]
    return UNANSWERED


def _is_number(value: Any) -> bool:
    return isinstance(value, SymValue | int | float)


def _has_symbols(values: Sequence[Any], *, nested: bool) -> bool:
    if nested:
        return any(map(_nested, values))
    return any(isinstance(each, SymValue) for each in values)


def _nested(value: Any) -> bool:
    """Whether a list or tuple holds symbols."""
    if not isinstance(value, list | tuple):
        return False
    parts = cast("Sequence[Any]", value)
    return any(isinstance(each, SymValue) or _nested(each) for each in parts)


def _of_numbers(
    sizes: SymbolicSizes, recorder: Recorder, kind: str, values: list[Any], *, is_recorded: bool
) -> Any:
    if kind in TARGETS and all(isinstance(each, SymValue | int | float) for each in values):
        target = TARGETS[kind]
        if target == "torch.sym_int" and isinstance(hint_of(values[0]), int):
            return values[0]
        return compute(target, *values)
    if kind in MAKERS and isinstance(values[0], SymValue):
        return _tensor_of(recorder, *values[:2])
    indexed = kind in INDEXED and not isinstance(values[1], SymValue)
    moved = kind in _OF_LISTS and not (kind in TARGETS and not isinstance(values[0], list))
    if not is_recorded and not moved and not indexed:
        mixed = any(isinstance(each, DataNumber | Condition) for each in values)
        values[:] = [_settled(sizes, recorder, each, mixed=mixed) for each in values]
    return UNANSWERED


def _settled(sizes: SymbolicSizes, recorder: Recorder, value: Any, *, mixed: bool) -> Any:
    """A number by which a node is run: in a tensor, if data decides it or those that it meets."""
    if isinstance(value, SymValue) and (mixed or sizes.has_late(value)):
        return late(recorder, value)
    return sizes.fix(value)


def _tensor_of(recorder: Recorder, size: SymValue, dtype: Any = None) -> Tensor:
    """A tensor of no dimensions, which may be asked for the size again."""
    code = dtype if isinstance(dtype, int) else 4 if isinstance(size.hint, int) else 6
    array = np.array(size.hint, DTYPE_OF_CODE[code].numpy)
    made = recorder.run("aten::scalar_tensor", "", [size, code], array)
    recorder.size_tensors[id(made)] = (made, size)
    return made


def _lists_equal(sizes: SymbolicSizes, recorder: Recorder, kind: str, values: Sequence[Any]) -> Any:
    """Whether two lists of sizes are equal, as far as this run decides; what data decides of that stays a condition."""
    first, second = [
        [recorder.size_of(each) if isinstance(each, DataNumber) else each for each in listed]
        for listed in values
    ]
    is_asked, late_parts = kind == "aten::eq", list[Any]()
    if len(first) != len(second):
        return not is_asked
    for each in map(partial(compute, "operator.eq"), first, second):
        if sizes.has_late(each) and sizes.environment.known(each) is None:
            late_parts.append(each)
        elif not sizes.environment.guard(each):
            return not is_asked
    if not late_parts:
        return is_asked
    same = reduce(operator.and_, late_parts)
    return same if is_asked else ~same


def _size(sizes: SymbolicSizes, known: FakeTensor, dim: Any = None) -> Any:
    found = list(map(sizes.plain, known.size))
    return found if dim is None else found[sizes.fix(dim)]


def _length(sizes: SymbolicSizes, known: FakeTensor) -> Any:
    return sizes.plain(known.size[0])


def _count(sizes: SymbolicSizes, known: FakeTensor) -> Any:
    return sizes.plain(product(list(known.size)))


def _stride(sizes: SymbolicSizes, known: FakeTensor, dim: Any = None) -> Any:
    found = list(map(sizes.plain, known.stride or ()))
    return found if dim is None else found[sizes.fix(dim)]


_READS: Final[dict[str, Callable[..., Any]]] = {
    "aten::size": _size,
    "aten::sym_size": _size,
    "prim::shape": _size,
    "aten::len": _length,
    "aten::numel": _count,
    "aten::stride": _stride,
}
