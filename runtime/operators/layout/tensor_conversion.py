"""Between dtypes and memory formats; copies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.compiler.types import Device
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dimensions import (
    broadcast_shape,
    check_no_partial_overlap,
    check_not_expanded,
    check_writable_as,
)
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    COMPLEX,
)
from tsc.runtime.arrays.memory_layout import laid_out
from tsc.runtime.arrays.type_promotion import Number, checked_number_array, converted
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import is_large_work
from tsc.runtime.context.native_hooks import native_arrays
from tsc.runtime.operators.creation.creation import (
    CHANNELS_LAST,
    CONTIGUOUS,
    PRESERVE,
    check_device,
    numpy_dtype,
)
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import functional_forms, in_place_form
from tsc.runtime.values.autograd_record import made_in
from tsc.runtime.values.float8 import FLOAT8_CODES, from_float8, to_float8
from tsc.runtime.values.opaque_tensors import RawTensor
from tsc.runtime.values.tensor import Tensor


def _to(self: Tensor, dtype: int | None, copy: bool, memory_format: int | None) -> Tensor:
    if type(self) is RawTensor or dtype in FLOAT8_CODES:
        self = _to_or_from_float8(self, dtype)
        copy = False
        if type(self) is RawTensor:
            return self
    a = self.array
    target = a.dtype if dtype is None else numpy_dtype(dtype)
    if a.dtype is not target:
        return Tensor(in_memory_format(converted(a, target), memory_format))
    if copy or (memory_format is not None and _is_ordered_otherwise(a, memory_format)):
        return clone(self, memory_format)
    return self


def _is_ordered_otherwise(a: np.ndarray, memory_format: int) -> bool:
    """Whether a conversion to a memory format copies `a`: any order but channels last counts as contiguous."""
    if memory_format == PRESERVE:
        return False
    if memory_format == CONTIGUOUS:
        return a.ndim in (4, 5) and _has_channels_last(a)
    _check_channels(a, memory_format)
    return not _has_channels_last(a)


def _has_channels_last(a: np.ndarray) -> bool:
    """Whether strides grow from the channels over the places, the last one first, to the batch."""
    order = (1, *range(a.ndim - 1, 1, -1), 0)
    least = 0
    for dimension in order:
        extent, stride = a.shape[dimension], a.strides[dimension]
        if extent == 0 or stride < least or (dimension == 0 and least == a.strides[1]):
            return False
        least = stride * max(extent, 1)
    return a.strides[1] != 0


def _to_or_from_float8(self: Tensor, dtype: int | None) -> Tensor:
    """A float8 tensor as one of float32 or, if one of float8 is wanted, in that dtype."""
    if type(self) is RawTensor and self.info.code in FLOAT8_CODES:
        if dtype is None or dtype == self.info.code:
            return self
        self = Tensor(from_float8(self))
    return to_float8(self.array, dtype) if dtype in FLOAT8_CODES else self


@operator(
    "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False,"
    " bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"
)
def to_device(
    self: Tensor, device, dtype, non_blocking=False, copy=False, memory_format=None
) -> Tensor:
    check_device(device)
    return _to(self, dtype, copy, memory_format)


@operator(
    "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False,"
    " MemoryFormat? memory_format=None) -> Tensor(a)"
)
def to_dtype(self: Tensor, dtype, non_blocking=False, copy=False, memory_format=None) -> Tensor:
    return _to(self, dtype, copy, memory_format)


@operator(
    "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False,"
    " MemoryFormat? memory_format=None) -> Tensor(a)"
)
def to_other(
    self: Tensor, other: Tensor, non_blocking=False, copy=False, memory_format=None
) -> Tensor:
    return _to(self, other.dtype.code, copy, memory_format)


@operator(
    "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None,"
    " Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False,"
    " MemoryFormat? memory_format=None) -> Tensor(a)"
)
def to_dtype_layout(
    self: Tensor,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    non_blocking=False,
    copy=False,
    memory_format=None,
) -> Tensor:
    check_device(device)
    return _to(self, dtype, copy, memory_format)


@operator(
    "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,"
    " bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor"
)
def to_copy(
    self: Tensor,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    non_blocking=False,
    memory_format=None,
) -> Tensor:
    check_device(device)
    return _to(self, dtype, True, memory_format)


@operator(
    "aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None,"
    " bool non_blocking=False, bool copy=False) -> Tensor(b|a)"
)
def to_prim_device(self: Tensor, device, dtype=None, non_blocking=False, copy=False) -> Tensor:
    check_device(device)
    return _to(self, dtype, copy, None)


@operator(
    "aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False,"
    " bool copy=False) -> Tensor(b|a)"
)
def to_prim_dtype(self: Tensor, dtype=None, non_blocking=False, copy=False) -> Tensor:
    return _to(self, dtype, copy, None)


@operator(
    "aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"
)
def to_prim_other(self: Tensor, non_blocking=False, copy=False) -> Tensor:
    return _to(self, None, copy, None)


@operator("aten::type_as(Tensor self, Tensor other) -> Tensor")
def type_as(self: Tensor, other: Tensor) -> Tensor:
    return to_other(self, other)


@operator("aten::cpu(Tensor(a) self) -> Tensor(b|a)")
def cpu(self: Tensor) -> Tensor:
    return self


@operator("aten::cuda(Tensor(a) self) -> Tensor(b|a)")
def cuda(self: Tensor) -> Tensor:
    """Programs that may reach it compile; whoever does is told that there is no such device."""
    check_device(Device("cuda"))
    return self


LARGE_MATRIX = 1 << 17
TILE = 64


def in_memory_format(a: np.ndarray, memory_format: int | None) -> np.ndarray:
    """`a`, or a copy of it whose elements lie in the order of `memory_format`."""
    if memory_format is None or memory_format == PRESERVE or is_in_format(a, memory_format):
        return a
    if memory_format == CONTIGUOUS:
        return contiguous_copy(a)
    _check_channels(a, memory_format)
    last = np.moveaxis(a, 1, -1).copy(order="C")
    return np.moveaxis(last, -1, 1)


def contiguous_copy(a: np.ndarray) -> np.ndarray:
    """A copy of `a` in row-major order; a large transposed matrix is copied tile by tile, for the cache."""
    if a.ndim != 2 or a.size < LARGE_MATRIX or a.strides[0] >= a.strides[1]:
        return a.copy(order="C")
    if a.strides[0] == a.itemsize in (4, 8) and is_large_work(a.size):
        made = native_arrays().transposed_copy(a)
        if made is not None:
            return made
    result = np.empty(a.shape, a.dtype)
    for row in range(0, a.shape[0], TILE):
        for column in range(0, a.shape[1], TILE):
            tile = slice(row, row + TILE), slice(column, column + TILE)
            result[tile] = a[tile]
    return result


def is_in_format(a: np.ndarray, memory_format: int) -> bool:
    if memory_format in (CONTIGUOUS, PRESERVE):
        return a.flags.c_contiguous
    ndim = 4 if memory_format == CHANNELS_LAST else 5
    return a.ndim == ndim and np.moveaxis(a, 1, -1).flags.c_contiguous


def _check_channels(a: np.ndarray, memory_format: int) -> None:
    ndim = 4 if memory_format == CHANNELS_LAST else 5
    if a.ndim != ndim:
        name = "channels_last" if ndim == 4 else "channels_last_3d"
        raise ScriptError("RuntimeError", f"required rank {ndim} tensor to use {name} format")


@operator("aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)")
def contiguous(self: Tensor, memory_format: int = CONTIGUOUS) -> Tensor:
    if self.array.flags.c_contiguous and memory_format in (CONTIGUOUS, PRESERVE):
        return self
    if memory_format == PRESERVE:
        message = "preserve memory format is unsupported by contiguous(): name the format"
        raise ScriptError("RuntimeError", message)
    result = in_memory_format(self.array, memory_format)
    return self if result is self.array else Tensor(result)


@operator("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor")
def clone(self: Tensor, memory_format: int | None = None) -> Tensor:
    a = self.array
    result = in_memory_format(a, memory_format)
    if result is not a:
        return Tensor(result)
    copy = a.copy("K")
    return Tensor(copy if copy.flags.c_contiguous else laid_out(copy, a))


@operator("aten::detach(Tensor(a) self) -> Tensor(a)")
def detach(self: Tensor) -> Tensor:
    return Tensor(self.array)


@in_place_form("detach")
def detach_(self: Tensor) -> Tensor:
    known = self.autograd
    if known is not None and known.base is not None:
        raise ScriptError("RuntimeError", "Can't detach views in-place. Use detach() instead")
    self.autograd = None if known is None or known.inference is None else made_in(known.inference)
    return self


@operator(
    "aten::alias(Tensor(a) self) -> Tensor(a)", "aten::lift_fresh(Tensor(a) self) -> Tensor(a)"
)
def alias(self: Tensor) -> Tensor:
    return Tensor(self.array)


def copy_into(target: np.ndarray, source: Array) -> None:
    """Write `source`, broadcast and converted, into `target`.

    Raises:
        ScriptError: the shapes do not fit, or elements would be overwritten before they are read.
    """
    check_not_expanded(target)
    if source.ndim:
        if source.ndim > target.ndim:
            check_writable_as(target, source)
        check_no_partial_overlap(target, source)
    if CATEGORY[source.dtype] == COMPLEX and CATEGORY[target.dtype] not in (COMPLEX, 0):
        source = source.real
    try:
        target[...] = source
    except ValueError:
        broadcast_shape(target.shape, source.shape)
        raise ScriptError(
            "RuntimeError",
            f"output with shape {list(target.shape)} doesn't match the broadcast shape "
            f"{list(broadcast_shape(target.shape, source.shape))}",
        ) from None


@operator("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)")
def copy_(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    copy_into(self.array, _to_or_from_float8(src, self.dtype.code).array)
    return self


@operator("aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)")
def copy_tensor_(self: Tensor, other: Tensor) -> Tensor:
    copy_into(self.array, other.array)
    return self


@operator(
    "aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)",
    "aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)",
)
def copy_number_(self: Tensor, other: Number) -> Tensor:
    copy_into(self.array, checked_number_array(other, self.array.dtype))
    return self


for _code, _name in enumerate(("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double")):

    def _make_cast(code: int) -> Callable[..., Tensor]:
        def cast(self: Tensor, non_blocking: bool = False) -> Tensor:
            return to_dtype(self, code)

        return cast

    operator(f"aten::_cast_{_name}(Tensor self, bool non_blocking=False) -> Tensor")(
        _make_cast(_code)
    )


functional_forms("copy_")
out_forms(SAME, "clone copy")
