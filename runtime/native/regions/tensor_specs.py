"""Which tensors native code may read: what it is made for, and what it says when it is given others."""

from __future__ import annotations

import ctypes
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
    return {"tensor": Tensor, "ndarray": np.ndarray, "tensor_at": tensor_at, **dtypes}


def tensor_at(base: Tensor | None, dtype: np.dtype, address: int, *layout: int) -> Tensor:
    """A copy of the elements that lie at an address, or a view of `base`, in whose memory they lie; `layout` has the
    sizes, then the strides in bytes.
    """
    rank = len(layout) // 2
    sizes, strides = layout[:rank], layout[rank:]
    if base is None:
        made = np.empty(sizes, dtype)
        ctypes.memmove(made.ctypes.data, address, made.nbytes)
        return Tensor(made)
    array = base.array
    offset = storage_offset(array) + (address - array.ctypes.data) // dtype.itemsize
    steps = [each // dtype.itemsize for each in strides]
    return Tensor(strided_view(array, sizes, steps, offset))


def may_make_tensors() -> bool:
    """Whether a tensor that code makes is as the operators' own: nothing is to be noted of it."""
    return not trace_state.running and not is_inference_mode_enabled()


def code_conditions(specs: Sequence[TensorSpec]) -> str:
    """What code for these tensors depends on besides its graph."""
    layout = object_layout() if specs else None
    places = "" if layout is None else f" {layout.array} {layout.autograd}"
    return ", ".join(f"{dtype} {rank}" for dtype, rank in specs) + places
