"""Dense layers by native code: rows with the rows of weights, plus a bias."""

from __future__ import annotations

from array import array as words
from typing import Final

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.conditions import has_wide_vectors, vector_bytes
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts, worthwhile_parts
from tsc.runtime.native.dense_layers.dense_text import Word, dense_text

_TERMS_OF_ELEMENT: Final = 16
"""Terms of a sum that take about as long as an element of a pass over memory."""
_BYTES_AT_ONCE: Final = 1 << 20
"""Of strips, which many blocks of outputs read one after the other."""
_STRIPS_OF_THREAD: Final = 4
"""From so many on threads share rows; before that outputs, as half of a tile of two strips is none."""
_NARROW_OUTPUTS: Final = 4
_WIDE_OUTPUTS: Final = 8
"""Of a block, whose sums with two strips fit into the registers."""


def dense(rows: Array, weight: Array, bias: Array | None, result: Array) -> None:
    """Into `result`, (count, outputs), rows of (count, terms) times those of (outputs, terms), plus (outputs).

    All are of float32 or of float64, results and each row of the weights without gaps, and none of them is empty.
    """
    dtype = result.dtype
    outputs, terms = weight.shape
    lanes = vector_bytes() // dtype.itemsize
    is_turned = rows.strides[1] != dtype.itemsize and rows.strides[0] == dtype.itemsize
    if not is_turned and rows.strides[1] != dtype.itemsize:
        rows = np.ascontiguousarray(rows)
    block = min(_WIDE_OUTPUTS if has_wide_vectors() else _NARROW_OUTPUTS, lanes, _power(outputs))
    added = np.zeros(outputs, dtype) if bias is None else np.ascontiguousarray(bias)
    count = -(-len(rows) // lanes)
    strip = terms * lanes * dtype.itemsize
    at_once = min(max(_BYTES_AT_ONCE // strip, _STRIPS_OF_THREAD), count)
    layout = {
        Word.ROWS: len(rows),
        Word.OUTPUTS: outputs,
        Word.TERMS: terms,
        Word.ROW_STEP: rows.strides[0],
        Word.TERM_STEP: rows.strides[1],
        Word.WEIGHT_STEP: weight.strides[0],
        Word.RESULT_STEP: result.strides[0],
        Word.AT_ONCE: at_once,
    }
    pointers = words("q", [each.ctypes.data for each in (rows, weight, added, result)])
    numbers = words("q", [layout[each] for each in Word])
    parts = worthwhile_parts(1 << 30, result.size * (1 + terms // _TERMS_OF_ELEMENT))
    by_rows = count >= parts * _STRIPS_OF_THREAD
    extent = count if by_rows else -(-outputs // block)
    text = dense_text(dtype, lanes, block, is_turned=is_turned)
    function = WithScratch(function_of(text, "strips" if by_rows else "blocks"), at_once * strip)
    where = pointers.buffer_info()[0], numbers.buffer_info()[0]
    run_in_parts(function, *where, extent, 0, min(parts, extent))


def _power(number: int) -> int:
    """The largest power of two that is no more."""
    return 1 << (number.bit_length() - 1)
