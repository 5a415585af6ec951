"""Which tensors native code may read: what it is made for, and what it says when it is given others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Graph
from tsc.compiler.types import TensorType
from tsc.runtime.arrays.storage import storage_offset, strided_view
from tsc.runtime.context import trace_state
from tsc.runtime.context.grad_mode import is_inference_mode_enabled
from tsc.runtime.native.code.object_layout import object_layout
from tsc.runtime.native.expressions.instructions import DTYPES_BY_NAME
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


def tensor_symbols() -> dict[str, Any]:
    """What guards compare with, and what makes objects, by name."""
    dtypes = {f"dtype_{name}": dtype for name, dtype in DTYPES_BY_NAME.items()}
    return {
        "tensor": Tensor,
        "ndarray": np.ndarray,
        "new_tensor": new_tensor,
        "part_of_tensor": part_of_tensor,
        **dtypes,
    }


def new_tensor(dtype: np.dtype, *sizes: int) -> Tensor:
    """A tensor whose elements are not set, without gaps."""
    return Tensor(np.empty(sizes, dtype))


def part_of_tensor(base: Tensor, address: int, *layout: int) -> Tensor:
    """A view of what lies at an address in the memory of `base`; `layout` has the sizes, then the strides in bytes."""
    array, rank = base.array, len(layout) // 2
    width = array.dtype.itemsize
    offset = storage_offset(array) + (address - array.ctypes.data) // width
    steps = [each // width for each in layout[rank:]]
    return Tensor(strided_view(array, layout[:rank], steps, offset))


def may_make_tensors() -> bool:
    """Whether a tensor that code makes is as the operators' own: nothing is to be noted of it."""
    return not trace_state.running and not is_inference_mode_enabled()


def code_conditions(specs: Sequence[TensorSpec]) -> str:
    """What code for these tensors depends on besides its graph."""
    layout = object_layout() if specs else None
    places = "" if layout is None else f" {layout.array} {layout.autograd}"
    return ", ".join(f"{dtype} {rank}" for dtype, rank in specs) + places
