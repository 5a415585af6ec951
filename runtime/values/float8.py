"""Floats of one byte: tensors of them are kept and converted, rounded as PyTorch rounds, and not computed with."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_NAME
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.arrays.storage import contiguous_strides
from tsc.runtime.values.opaque_tensors import RawTensor

_CARRIERS = {
    SCALAR_TYPE_BY_NAME[name].code: np.dtype(carrier)
    for name, carrier in {
        "float8_e5m2": ml_dtypes.float8_e5m2,
        "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
        "float8_e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
        "float8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
        "float8_e8m0fnu": ml_dtypes.float8_e8m0fnu,
    }.items()
}
FLOAT8_CODES = frozenset(_CARRIERS)
_INFO = {info.code: info for info in SCALAR_TYPE_BY_NAME.values() if info.code in FLOAT8_CODES}
_E4M3FN, _E5M2, _E8M0FNU = (
    np.dtype(each)
    for each in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e8m0fnu)
)
_LARGEST_E4M3FN = np.float32(448)
_NOT_A_NUMBER, _SIGN = 0x7F, 0x80
_EXPONENT_BITS, _HALF_BIT, _LOWER_BITS = 0xFF, 1 << 22, (1 << 22) - 1


def from_float8(tensor: RawTensor) -> np.ndarray:
    """The numbers in float32, which holds them all."""
    carrier = _CARRIERS[tensor.info.code]
    if 0 in tensor.shape:
        return np.empty(tensor.shape, FLOAT)
    view = np.ndarray(tensor.shape, carrier, tensor.content, tensor.offset, tensor.strides)
    return view.astype(FLOAT)


def to_float8(a: Array, code: int) -> RawTensor:
    """Real numbers in the float8 dtype of that code; they are rounded to float32 before."""
    rounded = np.ascontiguousarray(_rounded(a.real.astype(FLOAT), _CARRIERS[code]))
    content = rounded.reshape(-1).view(np.uint8)
    return RawTensor(content, _INFO[code], a.shape, contiguous_strides(a.shape), 0, 1)


def _rounded(wide: np.ndarray, carrier: np.dtype) -> np.ndarray:
    if carrier == _E8M0FNU:
        return _powers_of_two(wide)
    if carrier == _E4M3FN:
        return np.clip(wide, -_LARGEST_E4M3FN, _LARGEST_E4M3FN).astype(carrier)
    result = wide.astype(carrier)
    if carrier == _E5M2:
        sign = np.signbit(wide).astype(np.uint8) * np.uint8(_SIGN)
        missing = np.isnan(wide)
        np.copyto(result.view(np.uint8), sign | np.uint8(_NOT_A_NUMBER), where=missing)
    return result


def _powers_of_two(wide: np.ndarray) -> np.ndarray:
    """The exponents of float32 numbers, rounded to the nearest; signs are left out."""
    bits = np.ascontiguousarray(wide).view(np.uint32)
    exponent = (bits >> np.uint32(23)) & np.uint32(_EXPONENT_BITS)
    is_half = (bits & np.uint32(_HALF_BIT)) != 0
    rounds_up = is_half & (((bits & np.uint32(_LOWER_BITS)) != 0) | (exponent > 0))
    rounded = np.where(exponent == _EXPONENT_BITS, exponent, exponent + rounds_up)
    return rounded.astype(np.uint8).reshape(wide.shape)
