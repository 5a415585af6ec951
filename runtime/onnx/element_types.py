"""Dtypes of PyTorch as element types of ONNX, and which dtype operands meet in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.refusals import ONNX_DTYPE
from tsc.runtime.onnx.refusals import Refused

_TYPES: Final = {
    "bool": ir.DataType.BOOL,
    "uint8": ir.DataType.UINT8,
    "int8": ir.DataType.INT8,
    "int16": ir.DataType.INT16,
    "int32": ir.DataType.INT32,
    "int64": ir.DataType.INT64,
    "float16": ir.DataType.FLOAT16,
    "bfloat16": ir.DataType.BFLOAT16,
    "float32": ir.DataType.FLOAT,
    "float64": ir.DataType.DOUBLE,
    "uint16": ir.DataType.UINT16,
    "uint32": ir.DataType.UINT32,
    "uint64": ir.DataType.UINT64,
}
SMALL_INTEGERS: Final = ("bool", "uint8", "int8", "int16")
"""Those that ONNX Runtime does not calculate with; int32 wraps to the same bits."""
_WIDTHS: Final = ("bool", "uint8", "int8", "int16", "int32", "int64")
_FLOATS: Final = ("float16", "bfloat16", "float32", "float64")


def element_type(dtype: str) -> ir.DataType:
    """Raises `Refused` for complex and other dtypes that ONNX has not."""
    if dtype not in _TYPES:
        raise Refused(f"ONNX has no operators on {dtype}", refusal=ONNX_DTYPE)
    return _TYPES[dtype]


def is_floating(dtype: str) -> bool:
    return dtype in _FLOATS


def arithmetic_type(dtype: str) -> str:
    """The dtype in which ONNX Runtime calculates for one that it does not calculate with."""
    return "int32" if dtype in SMALL_INTEGERS else dtype


def extremes(dtype: str) -> tuple[float | int, float | int]:
    """The least and the greatest number of a dtype, infinities included."""
    if is_floating(dtype):
        return -math.inf, math.inf
    if dtype == "bool":
        return 0, 1
    known = np.iinfo(element_type(dtype).numpy())
    return int(known.min), int(known.max)


def array_of(value: object, dtype: str) -> np.ndarray:
    """A number or a list of numbers as an array of a dtype."""
    return np.array(value).astype(element_type(dtype).numpy())


def promoted(tensors: Sequence[tuple[str, int]], numbers: Sequence[object]) -> str:
    """The dtype in which operands meet: tensors by dtype and rank, numbers by their kind.

    Tensors without dimensions and numbers count only where their kind is above that of the others.
    """
    groups = [[d for d, rank in tensors if rank > 0], [d for d, rank in tensors if rank == 0]]
    groups.append([_dtype_of_number(each) for each in numbers])
    result = ""
    for group in groups:
        for dtype in group[1:]:
            group[0] = _wider(group[0], dtype)
        if group and (not result or _kind(group[0]) > _kind(result)):
            result = group[0]
    return result


def _kind(dtype: str) -> int:
    return 2 if is_floating(dtype) else int(dtype != "bool")


def _dtype_of_number(number: object) -> str:
    if isinstance(number, bool):
        return "bool"
    return "int64" if isinstance(number, int) else "float32"


def _wider(first: str, second: str) -> str:
    if _kind(first) != _kind(second):
        return max(first, second, key=_kind)
    if {first, second} == {"float16", "bfloat16"}:
        return "float32"
    if {first, second} == {"uint8", "int8"}:
        return "int16"
    order = _FLOATS if is_floating(first) else _WIDTHS
    if first not in order or second not in order:
        raise Refused(
            f"{first} and {second} have no common dtype here", "convert one of them", ONNX_DTYPE
        )
    return max(first, second, key=order.index)
