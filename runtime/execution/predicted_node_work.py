"""How long a node of a graph is going to take, as far as the types of its inputs tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.compiler.analysis.metadata import is_complete
from tsc.compiler.ir import Node, Value, constant_value, prim
from tsc.compiler.types import TensorType
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.execution.predicted_work import may_take_long, predicted_seconds
from tsc.runtime.values.tensor import Tensor

_CODES = {each.ir_name: each.code for each in SCALAR_TYPES}


def seconds_of(node: Node) -> float | None:
    """0 for what is as short as its inputs and results are; None for what may take long, of inputs not known."""
    if not may_take_long(node.kind):
        return 0.0
    try:
        inputs = list(map(_stand_in, node.inputs))
    except LookupError:
        return None
    return predicted_seconds(node.kind, inputs)


def _stand_in(value: Value) -> Any:
    """A constant, or a tensor of a value's sizes that has no memory. Raises LookupError."""
    if value.node.kind == prim.Constant:
        return constant_value(value)
    type = value.type
    if not isinstance(type, TensorType) or not is_complete(type):
        raise LookupError
    number = np.zeros((), DTYPE_OF_CODE[_CODES[type.dtype or ""]].numpy)
    sizes = [size for size in type.sizes or () if size is not None]
    return Tensor(np.broadcast_to(number, sizes))
