"""Sizes that data decides, as numbers and truth values in tensors: so branches and loops go by them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tsc.compiler.exir.symbols.sym_values import SymBool, SymValue
from tsc.runtime.exporting.control_flow.conditions import LOGIC, Condition
from tsc.runtime.exporting.control_flow.wide_numbers import number_in, tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.data_sizes import COMPARISONS
from tsc.runtime.values.tensor import Tensor

_JUNCTIONS: Final = {"And": "aten::__and__", "Or": "aten::__or__", "Not": "aten::__not__"}


def late(recorder: Recorder, value: SymValue) -> DataNumber | Condition:
    """A number or condition that is made of sizes, in a tensor."""
    if isinstance(value, SymBool):
        return _condition(recorder, value.expression)
    return number_in(recorder, tensor_of(recorder, value))


def _condition(recorder: Recorder, expression: Any) -> Condition:
    name = expression.func.__name__
    if name in _JUNCTIONS:
        parts = [_condition(recorder, each) for each in expression.args]
        found: Any = parts[0] if len(parts) > 1 else LOGIC[_JUNCTIONS[name]](recorder, *parts)
        for each in parts[1:]:
            found = LOGIC[_JUNCTIONS[name]](recorder, found, each)
        return found
    first, second = [_side(recorder, each) for each in expression.args]
    relation = COMPARISONS[name]
    result = _COMPUTED[relation](first.array, second.array)
    return Condition(recorder.run(f"aten::{relation}", "Tensor", [first, second], result))


def _side(recorder: Recorder, expression: Any) -> Tensor:
    return tensor_of(recorder, recorder.have_sizes().value_of(expression))


_COMPUTED: Final = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "gt": np.greater,
    "le": np.less_equal,
    "ge": np.greater_equal,
}
