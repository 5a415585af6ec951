"""Values from Python for the types that contain no others: tensors, numbers, strings, devices."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from tsc.compiler.types import Device, Type, TypeKind
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType, with_known_dtype
from tsc.runtime.arrays.integers import LARGEST, SMALLEST
from tsc.runtime.context.hooks import foreign_tensors
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.value_types import Mismatch

Convert = Callable[[Any], Any]


def too_long(value: int) -> Mismatch:
    """What to say of an int that is none of TorchScript's; Python refuses to write the longest."""
    shown = value if value.bit_length() < _SHOWN_BITS else f"an int of {value.bit_length()} bits"
    return Mismatch(f"{shown} does not fit into 64 bits")


_SHOWN_BITS = 200


def mismatch(value: object, wanted: str) -> Mismatch:
    if type(value) is int and wanted in ("int", "float", "complex"):
        return too_long(value)
    return Mismatch(f"Unable to cast a Python value of type {type(value).__name__} to {wanted}")


def to_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return to_shared_tensor(value)
    own = own_value(value)
    if isinstance(own, Tensor):
        return own
    raise Mismatch(f"Unable to cast {value!r} to Tensor")


def own_value(value: Any) -> Any:
    """What PyTorch has a class of its own for, a tensor, dtype or device, as tsc's; other values as they are."""
    if type(value).__module__.startswith("torch"):
        return foreign_tensors().own_value(value)
    return value


def to_shared_tensor(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of an array."""
    if array.dtype not in DTYPE_OF_NUMPY:
        raise Mismatch(f"there is no torch dtype for arrays of {array.dtype}")
    return wrap(with_known_dtype(array))


def to_int(value: Any) -> int:
    if type(value) is int and SMALLEST <= value <= LARGEST:
        return value
    if isinstance(value, bool | np.bool_):
        return int(value)
    if isinstance(value, DType):
        return value.code
    if isinstance(value, Tensor) and value.array.size == 1:
        return int(value.item().real)
    if isinstance(value, np.integer) and SMALLEST <= int(value) <= LARGEST:
        return int(value)
    own = own_value(value)
    if own is not value:
        return to_int(own)
    raise mismatch(value, "int")


def to_float(value: Any) -> float:
    if type(value) is float:
        return value
    if isinstance(value, int | float | np.bool_ | np.integer | np.floating):
        return _within_range(float, value)
    if isinstance(value, Tensor) and value.array.size == 1:
        return float(value.item().real)
    raise mismatch(value, "float")


def to_complex(value: Any) -> complex:
    if isinstance(value, int | float | complex | np.number):
        return _within_range(complex, value)
    if isinstance(value, Tensor) and value.array.size == 1:
        return complex(value.item())
    raise mismatch(value, "complex")


def _within_range(convert: Callable[[Any], Any], value: Any) -> Any:
    try:
        return convert(value)
    except OverflowError:
        raise mismatch(value, convert.__name__) from None


def to_bool(value: Any) -> bool:
    if isinstance(value, bool | int | float | np.bool_ | np.number):
        return bool(value)
    if isinstance(value, Tensor) and value.array.size == 1:
        return bool(value.item())
    raise mismatch(value, "bool")


def to_number(value: Any) -> int | float | complex:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return to_int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    return to_complex(value)


def to_str(value: Any) -> str:
    if isinstance(value, str):
        return value if value.isascii() else whole_characters(value)
    raise mismatch(value, "str")


def whole_characters(text: str) -> str:
    """The text itself. Raises Mismatch where it has half a character, a lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = text[error.start]
        message = f"Unable to cast a Python str with the lone surrogate {half!r} to str: "
        raise Mismatch(f"{message}text of programs has whole characters only") from None
    return text


def to_none(value: Any) -> None:
    if value is not None:
        raise mismatch(value, "None")


def to_device(value: Any) -> Device:
    if isinstance(value, Device):
        return value
    if isinstance(value, str):
        with suppress(ValueError):
            return Device.parse(value)
    own = own_value(value)
    if isinstance(own, Device):
        return own
    raise mismatch(value, "Device")


SIMPLE: dict[TypeKind, Convert] = {
    TypeKind.TensorType: to_tensor,
    TypeKind.IntType: to_int,
    TypeKind.FloatType: to_float,
    TypeKind.ComplexType: to_complex,
    TypeKind.BoolType: to_bool,
    TypeKind.NumberType: to_number,
    TypeKind.StringType: to_str,
    TypeKind.NoneType: to_none,
    TypeKind.DeviceObjType: to_device,
}
"""What converts to the types that contain no others."""


_EXACT: dict[TypeKind, type] = {
    TypeKind.TensorType: Tensor,
    TypeKind.FloatType: float,
    TypeKind.BoolType: bool,
}


def exact_type(wanted: Type) -> type | None:
    """The Python type whose values are all of the type `wanted`, and need no conversion."""
    return _EXACT.get(wanted.kind)
