"""Which tensors native code may read: what it is made for, and what it says when it is given others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Graph
from tsc.compiler.types import TensorType
from tsc.runtime.context import trace_state
from tsc.runtime.native.code.object_layout import object_layout
from tsc.runtime.native.regions.tensor_forms import TensorSpec
from tsc.runtime.values.tensor import Tensor

GUARD: Final = -1
"""What is told in place of the number of an exit where an input is not as expected."""


class GuardFailed(Exception):
    """An input is not what code was made for. Nothing has been done."""


def tensor_places(graph: Graph) -> list[int]:
    """Which inputs of a graph are tensors."""
    return [k for k, value in enumerate(graph.inputs) if isinstance(value.type, TensorType)]


def specs_of(tensors: Sequence[Any]) -> tuple[TensorSpec, ...] | None:
    """What code is made for; None where these tensors cannot be read by native code."""
    if trace_state.running or object_layout() is None:
        return None
    if any(each.__class__ is not Tensor or each.autograd is not None for each in tensors):
        return None
    return tuple((each.array.dtype, each.array.ndim) for each in tensors)


def tensor_symbols(specs: Sequence[TensorSpec]) -> dict[str, Any]:
    """The objects that guards compare with, by name."""
    dtypes = {f"dtype_{dtype}": np.dtype(dtype) for dtype, _ in specs}
    return {"tensor": Tensor, "ndarray": np.ndarray, **dtypes}


def code_conditions(specs: Sequence[TensorSpec]) -> str:
    """What code for these tensors depends on besides its graph."""
    layout = object_layout() if specs else None
    places = "" if layout is None else f" {layout.array} {layout.autograd}"
    return ", ".join(f"{dtype} {rank}" for dtype, rank in specs) + places
