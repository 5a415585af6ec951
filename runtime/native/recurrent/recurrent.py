"""Recurrent layers by native code: the steps of one layer in one direction."""

from __future__ import annotations

from array import array as words
from collections.abc import Sequence
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import run_in_parts, worthwhile_parts
from tsc.runtime.native.recurrent.step_text import VECTORS, Pointer, lanes_of, recurrent_text

POINTERS: Final = tuple(Pointer)

_TERMS_OF_ELEMENT: Final = 16
"""Terms of a sum that take about as long as an element of a pass over memory."""


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
    Rows of a batch do not know of each other, so several threads share them.
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
        Pointer.PACKED: np.empty(panels * panel * size, dtype),
        Pointer.SUMS: np.empty((len(state[0]), columns), dtype),
    }
    pointers = words("q", [arrays[each].__array_interface__["data"][0] for each in POINTERS])
    layout = words("q", [size, columns, len(spans)])
    where = pointers.buffer_info()[0], layout.buffer_info()[0]
    text, rows = recurrent_text(kind, dtype), len(state[0])
    run_in_parts(function_of(text, "pack"), *where, panels, 0, 1)
    parts = worthwhile_parts(rows, len(spans) * rows * weight.size // _TERMS_OF_ELEMENT)
    run_in_parts(function_of(text, "steps"), *where, rows, 0, parts)
    return output
