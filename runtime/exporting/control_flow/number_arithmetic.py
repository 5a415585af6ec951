"""What programs do with numbers that are in tensors: reading, arithmetic, comparisons, conversions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.exir.data_numbers import FUNCTIONS, INTEGERS, MAKERS, READERS, TESTS, TRUTHS
from tsc.compiler.ir import Node, prim
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.late_lists import (
    asks_list,
    computed_of_list,
    elements_of,
)
from tsc.runtime.exporting.control_flow.listed_numbers import holds_late_numbers, tensor_of_list
from tsc.runtime.exporting.control_flow.wide_numbers import (
    as_tensor,
    new_tensor,
    number_in,
    wide,
)
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

Found = DataNumber | Condition | Tensor


@dataclass(frozen=True, slots=True)
class _Binary:
    """The operator on tensors for one on numbers. `mirrored` is that with its operands exchanged, if there is one."""

    name: str
    compute: Callable[..., Any]
    mirrored: str | None = None
    compares: bool = False
    overload: str = "Tensor"
    scalar_overload: str | None = "Scalar"
    is_float: bool = False
    """Whether it gives a float of ints, too."""


BINARY: Final = {
    "aten::add": _Binary("aten::add", np.add, "aten::add"),
    "aten::sub": _Binary("aten::sub", np.subtract),
    "aten::mul": _Binary("aten::mul", np.multiply, "aten::mul"),
    "aten::div": _Binary("aten::div", np.divide, is_float=True),
    "aten::pow": _Binary(
        *("aten::pow", np.power),
        overload="Tensor_Tensor",
        scalar_overload="Tensor_Scalar",
        is_float=True,
    ),
    "aten::fmod": _Binary("aten::fmod", np.fmod, is_float=True),
    "aten::atan2": _Binary(
        "aten::atan2", np.arctan2, overload="", scalar_overload=None, is_float=True
    ),
    "aten::floordiv": _Binary("aten::floor_divide", np.floor_divide, overload=""),
    "aten::remainder": _Binary("aten::remainder", np.mod),
    "aten::lt": _Binary("aten::lt", np.less, "aten::gt", compares=True),
    "aten::gt": _Binary("aten::gt", np.greater, "aten::lt", compares=True),
    "aten::le": _Binary("aten::le", np.less_equal, "aten::ge", compares=True),
    "aten::ge": _Binary("aten::ge", np.greater_equal, "aten::le", compares=True),
    "aten::eq": _Binary("aten::eq", np.equal, "aten::eq", compares=True),
    "aten::ne": _Binary("aten::ne", np.not_equal, "aten::ne", compares=True),
    "prim::max": _Binary("aten::maximum", np.maximum, overload="", scalar_overload=None),
    "prim::min": _Binary("aten::minimum", np.minimum, overload="", scalar_overload=None),
}
UNARY: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "aten::neg": ("aten::neg", np.negative),
    "aten::abs": ("aten::abs", np.abs),
    "prim::abs": ("aten::abs", np.abs),
}


def may_compute(kind: str, values: Sequence[Any]) -> bool:
    """Whether a node reads a number or truth value out of a tensor, or takes one that was."""
    return (
        kind in READERS
        or kind in TRUTHS
        or any(isinstance(each, DataNumber | Condition) for each in values)
        or (kind in MAKERS and holds_late_numbers(values[0]))
        or asks_list(kind, values)
        or kind == prim.tolist
    )


def number_computed(recorder: Recorder, node: Node, values: Sequence[Any]) -> Any:
    """What a node gives that reads a number out of a tensor, or computes with such numbers; None for other nodes."""
    if node.kind in MAKERS and holds_late_numbers(values[0]):
        return tensor_of_list(recorder, values[0], values[1])
    listed = computed_of_list(recorder, node.kind, values)
    if listed is not None:
        return listed
    if node.kind == prim.tolist and not recorder.is_constant(values[0]):
        return elements_of(recorder, values[0])
    if any(isinstance(each, DataNumber) for each in values):
        return _computed(recorder, node.kind, values)
    value = values[0] if values else None
    kind = READERS.get(node.kind)
    if isinstance(value, Condition) and kind is not None:
        number = DataNumber(value.checked(recorder), int, recorder.undo_log.writes)
        return DataNumber(wide(recorder, number, kind), kind, recorder.undo_log.writes)
    if node.kind not in READERS or not isinstance(value, Tensor) or recorder.is_constant(value):
        return None
    if value.array.size != 1 or value.array.dtype.kind == "c":
        return None
    return _read(recorder, value, kind)


def _read(recorder: Recorder, tensor: Tensor, kind: type[Any] | None) -> DataNumber | Condition:
    if tensor.array.dtype == np.bool_ and kind is None:
        return Condition(tensor, recorder.undo_log.writes)
    return _converted(recorder, number_in(recorder, tensor), kind)


def _converted(recorder: Recorder, number: DataNumber, kind: type[Any] | None) -> DataNumber:
    """The number as an int or a float."""
    is_bool = number.tensor.array.dtype == np.bool_
    if kind is None or (kind is number.kind and not is_bool):
        return number
    return DataNumber(wide(recorder, number, kind), kind, recorder.undo_log.writes)


def _computed(recorder: Recorder, kind: str, values: Sequence[Any]) -> Found | None:
    if kind in BINARY and len(values) == 2 and all(map(_is_number, values)):
        return _binary(recorder, kind, values[0], values[1])
    if kind in INDICES:
        return INDICES[kind](recorder, *values)
    number = values[0]
    if not isinstance(number, DataNumber):
        return None
    if kind in UNARY:
        name, compute = UNARY[kind]
        tensor = wide(recorder, number)
        return number_in(recorder, recorder.run(name, "", [tensor], compute(tensor.array)))
    if kind in FUNCTIONS and len(values) == 1:
        return _function(recorder, kind, number)
    if kind in TESTS:
        return Condition(_of_tensor(recorder, kind, wide(recorder, number, float)))
    if kind in READERS:
        return _converted(recorder, number, READERS[kind])
    if kind == "aten::Bool":
        tensor = wide(recorder, number)
        return Condition(recorder.run("aten::ne", "Scalar", [tensor, 0], tensor.array != 0))
    if kind in MAKERS:
        return new_tensor(recorder, number, values[1] if len(values) > 1 else None)
    return None


def _function(recorder: Recorder, kind: str, number: DataNumber) -> DataNumber:
    """A function of ``math``, which computes with 64 bits; what it rounds down or up is an int."""
    found = number_in(recorder, _of_tensor(recorder, kind, wide(recorder, number, float)))
    return _converted(recorder, found, int if kind in INTEGERS else None)


def _of_tensor(recorder: Recorder, kind: str, tensor: Tensor) -> Tensor:
    """What the operator of the same name gives of a tensor."""
    operator = load().find(kind, "")
    assert operator is not None
    result = cast("Tensor", cast("Callable[..., Any]", operator.kernel)(tensor))
    return recorder.run(kind, "", [tensor], result.array)


def _is_number(value: Any) -> bool:
    return isinstance(value, DataNumber | int | float) and not isinstance(value, bool)


def _kind(value: Any) -> type[Any]:
    return value.kind if isinstance(value, DataNumber) else type(value)


def _binary(recorder: Recorder, symbol: str, first: Any, second: Any) -> DataNumber | Condition:
    operator, given = BINARY[symbol], (first, second)
    is_float = operator.is_float or float in (_kind(first), _kind(second))
    kind = float if is_float else int
    name, overload, compute = operator.name, operator.overload, operator.compute
    if not isinstance(first, DataNumber) and operator.mirrored is not None:
        name, first, second = operator.mirrored, second, first
        compute = BINARY[name].compute
    left = as_tensor(recorder, first, kind)
    if isinstance(second, DataNumber) or operator.scalar_overload is None:
        right = as_tensor(recorder, second, kind)
        found = compute_on(compute, left.array, right.array)
    else:
        right, overload = kind(second), operator.scalar_overload
        found = compute_on(compute, left.array, right)
    tensor = recorder.run(name, overload, [left, right], found)
    if operator.compares:
        return Condition(tensor)
    number = number_in(recorder, tensor)
    return number if is_float else replace(number, origin=(symbol, given))


def compute_on(compute: Callable[..., Any], *values: Any) -> Any:
    """A result of this run, whatever happens at its edges."""
    with np.errstate(all="ignore"):
        return compute(*values)


# -- Indices of loops ----------------------------------------------------------------------------------


def _plain(recorder: Recorder, symbol: str, first: Any, second: Any) -> Any:
    """Arithmetic on ints of which some may be known."""
    if isinstance(first, DataNumber) or isinstance(second, DataNumber):
        return _binary(recorder, symbol, first, second)
    return int(BINARY[symbol].compute(first, second))


def _index(recorder: Recorder, turn: Any, start: Any, step: Any) -> Any:
    """``range(start, stop, step)[turn]``"""
    if not isinstance(step, DataNumber) and step == 1:
        return (
            turn
            if not isinstance(start, DataNumber) and start == 0
            else _plain(recorder, "aten::add", turn, start)
        )
    return _plain(recorder, "aten::add", _plain(recorder, "aten::mul", turn, step), start)


def _length(recorder: Recorder, start: Any, stop: Any, step: Any) -> Any:
    """``len(range(start, stop, step))`` for a step that is known."""
    if isinstance(step, DataNumber) or step == 0:
        return None
    ends = (stop, start) if step > 0 else (start, stop)
    room = _plain(recorder, "aten::sub", *ends)
    above = _plain(recorder, "aten::add", room, abs(step) - 1)
    count = _plain(recorder, "aten::floordiv", above, abs(step))
    return _plain(recorder, "prim::max", count, 0)


INDICES: Final[dict[str, Callable[..., Any]]] = {
    "aten::__derive_index": _index,
    "aten::__range_length": _length,
}
