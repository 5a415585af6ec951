"""PyTorch's type promotion: which dtype operands of different dtypes meet in.

Operands have three standings: tensors with dimensions, 0-dim tensors, Python numbers. A lower
standing changes the result only where its category (bool < integer < floating < complex) is higher.
Fact source: PyTorch's documentation of ``torch.result_type``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any

import ml_dtypes
import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import (
    BFLOAT16,
    BOOL,
    BOOLEAN,
    CATEGORY,
    COMPLEX,
    COMPLEX_FLOAT,
    COMPLEX_OF_REAL,
    DEFAULT_DTYPE,
    FLOAT,
    FLOATING,
    HALF,
    LONG,
    PROMOTED,
    REAL_OF_COMPLEX,
    scalar_name,
)
from tsc.runtime.arrays.memory_layout import laid_out
from tsc.runtime.context.errors import ScriptError

Number = bool | int | float | complex
NUMBER_DTYPE: dict[type, np.dtype] = {
    bool: BOOL,
    int: LONG,
    float: DEFAULT_DTYPE,
    complex: COMPLEX_FLOAT,
}
LOW_PRECISION = frozenset({HALF, BFLOAT16})
"""Dtypes whose arithmetic with Python numbers happens in float32."""


def _promoted(current: np.dtype | None, new: np.dtype) -> np.dtype:
    return new if current is None else PROMOTED[current, new]


def _combine(higher: np.dtype, lower: np.dtype) -> np.dtype:
    """The dtype of operands of two standings."""
    if CATEGORY[higher] >= CATEGORY[lower]:
        return higher
    if CATEGORY[lower] == COMPLEX and CATEGORY[higher] == FLOATING:
        return complex_dtype(higher)
    return PROMOTED[higher, lower]


def complex_dtype(real: np.dtype) -> np.dtype:
    """The complex dtype whose parts have a real floating dtype; ScriptError for float16, which has none here."""
    if real is HALF:
        message = "complex32 ('ComplexHalf') is not available: convert the float16 tensor first, as x.float() does"
        raise ScriptError("RuntimeError", message)
    return COMPLEX_OF_REAL[real]


def _combine_known(higher: np.dtype | None, lower: np.dtype | None) -> np.dtype | None:
    if higher is None or lower is None:
        return lower if higher is None else higher
    return _combine(higher, lower)


def result_dtype(operands: Iterable[np.ndarray | Number]) -> np.dtype:
    """The dtype arrays and Python numbers meet in."""
    with_dimensions = without_dimensions = numbers = None
    for operand in operands:
        if type(operand) is not np.ndarray:
            numbers = _promoted(numbers, NUMBER_DTYPE[type(operand)])
        elif operand.ndim:
            with_dimensions = _promoted(with_dimensions, operand.dtype)
        else:
            without_dimensions = _promoted(without_dimensions, operand.dtype)
    result = _combine_known(with_dimensions, _combine_known(without_dimensions, numbers))
    return DEFAULT_DTYPE if result is None else result


def pair_dtype(a: np.ndarray, b: np.ndarray) -> np.dtype:
    """The dtype two arrays meet in."""
    if a.dtype is b.dtype:
        return a.dtype
    if (a.ndim > 0) == (b.ndim > 0):
        return PROMOTED[a.dtype, b.dtype]
    higher, lower = (a, b) if a.ndim else (b, a)
    return _combine(higher.dtype, lower.dtype)


def number_dtype(a: np.ndarray, number: Number) -> np.dtype:
    """The dtype an array and a Python number meet in."""
    if CATEGORY[a.dtype] >= CATEGORY[NUMBER_DTYPE[type(number)]]:
        return a.dtype
    return _combine(a.dtype, NUMBER_DTYPE[type(number)])


def floating_dtype(dtype: np.dtype) -> np.dtype:
    """Where an operator with a floating-point result (``sqrt``, ``/``) takes an integer dtype."""
    return dtype if CATEGORY[dtype] >= FLOATING else DEFAULT_DTYPE


def can_cast(source: np.dtype, target: np.dtype) -> bool:
    """Whether a result may be stored in a tensor of `target`: its category may not go down."""
    source_category, target_category = CATEGORY[source], CATEGORY[target]
    if source_category == COMPLEX:
        return target_category == COMPLEX
    if source_category == FLOATING:
        return target_category >= FLOATING
    return source_category == 0 or target_category > 0


def real_number(number: Number, c_type: str = "double") -> float:
    """`number` without the imaginary part, which must be 0; RuntimeError for others, which `c_type` cannot hold."""
    if not isinstance(number, complex):
        return number
    if number.imag:
        message = f"value cannot be converted to type {c_type} without overflow: {number}"
        raise ScriptError("RuntimeError", message)
    return number.real


def check_can_cast(source: np.dtype, target: np.dtype) -> None:
    if not can_cast(source, target):
        raise ScriptError(
            "RuntimeError",
            f"result type {scalar_name(source)} can't be cast to the desired output type "
            f"{scalar_name(target)}",
        )


def converted(a: Array, dtype: np.dtype) -> np.ndarray:
    """A copy of `a` in another dtype, converted as C does; an imaginary part is dropped."""
    if CATEGORY[a.dtype] == COMPLEX and CATEGORY[dtype] not in (COMPLEX, BOOLEAN):
        a = a.real
    result = a.astype(dtype)
    return result if result.flags.c_contiguous else laid_out(result, a)


COMPUTE_DTYPE: dict[np.dtype, np.dtype] = {HALF: FLOAT, BFLOAT16: FLOAT}
"""Dtypes that are widened where intermediate results matter."""


def number_array(number: Number, dtype: np.dtype) -> np.ndarray:
    """`number` as a 0-dim array; one that `dtype` cannot hold wraps or becomes infinite.

    One of half precision is rounded to float32 first.
    """
    try:
        return np.array(number, COMPUTE_DTYPE.get(dtype, dtype)).astype(dtype, copy=False)
    except OverflowError:
        return np.array(number).astype(dtype)


_C_NAMES = {
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
    "int32": "int",
}


def checked_number_array(number: Number, dtype: np.dtype) -> np.ndarray:
    """`number` as a 0-dim array of `dtype`, in whose range it must be, as for ``fill_``."""
    if dtype is BOOL:
        return np.array(bool(number))
    if not _fits(number, dtype):
        name = _C_NAMES.get(dtype.name, f"{dtype.name}_t")
        message = f"value cannot be converted to type {name} without overflow"
        raise ScriptError("RuntimeError", message)
    if type(number) is complex and CATEGORY[dtype] != COMPLEX:
        number = number.real
    return np.array(number).astype(dtype)


def _fits(number: Number, dtype: np.dtype) -> bool:
    """Whether converting `number` to `dtype` loses no more than a fraction or precision."""
    if isinstance(number, complex):
        part = REAL_OF_COMPLEX.get(dtype)
        if part is None:
            return number.imag == 0 and _fits(number.real, dtype)
        return _fits(number.real, part) and _fits(number.imag, part)
    if CATEGORY[dtype] >= FLOATING:
        return _fits_floating(number, REAL_OF_COMPLEX.get(dtype, dtype))
    information = np.iinfo(dtype)
    if isinstance(number, float):
        return information.min <= number <= float(information.max)
    lowest = -information.max if information.min == 0 else information.min
    return lowest <= number <= information.max


_limits_of: Callable[[np.dtype], Any] = ml_dtypes.finfo


@functools.cache
def _largest(dtype: np.dtype) -> float:
    return float(_limits_of(dtype).max)


def _fits_floating(number: float, dtype: np.dtype) -> bool:
    return not math.isfinite(number) or abs(number) <= _largest(dtype)
