"""Recurrent layers by native code: the steps of one layer in one direction."""

from __future__ import annotations

import functools
from array import array as words
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.kernel_library import KernelFunction, library_of
from tsc.runtime.native.recurrent.step_text import VECTORS, Pointer, lanes_of, recurrent_text

_MOST_FUNCTIONS: Final = 16


def run_steps(
    kind: str,
    gates: Array,
    weight: Array,
    bias: Array | None,
    state: Sequence[Array],
    spans: Sequence[tuple[int, int]],
) -> Array:
    """The outputs, (rows, size), of gates of the input, (rows, gates * size), of float32 or float64.

    `state` is moved: contiguous arrays of (rows, size). A step goes from the first to the last of its rows in `gates`.
    """
    columns, size = weight.shape
    dtype = gates.dtype
    panel = VECTORS * lanes_of(dtype)
    panels = -(-columns // panel)
    output = np.empty((len(gates), size), dtype)
    arrays: dict[Pointer, Array] = {
        Pointer.GATES: np.ascontiguousarray(gates),
        Pointer.WEIGHT: np.ascontiguousarray(weight),
        Pointer.BIAS: np.zeros(columns, dtype) if bias is None else np.ascontiguousarray(bias),
        Pointer.HIDDEN: state[0],
        Pointer.CELL: state[-1],
        Pointer.OUTPUT: output,
        Pointer.SPANS: np.array([(low, high - low) for low, high in spans], np.int64),
        Pointer.PACKED: np.zeros(panels * panel * size, dtype),
        Pointer.SUMS: np.empty((len(state[0]), columns), dtype),
    }
    pointers = words("q", [arrays[each].ctypes.data for each in Pointer])
    layout = words("q", [size, columns])
    text = recurrent_text(kind, dtype)
    for name, end in (("pack", panels), ("steps", len(spans))):
        where = pointers.buffer_info()[0], layout.buffer_info()[0]
        _function_of(text, name)[0](*where, 0, end, 0)
    return output


@functools.lru_cache(_MOST_FUNCTIONS)
def _function_of(text: str, name: str) -> tuple[Any, Any]:
    """A function, and what has to be kept as long as it is."""
    library = library_of(text)
    return KernelFunction(library.address(name)), library
