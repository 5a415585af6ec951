"""Tensors made from sizes, numbers and lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dtypes import (
    DEFAULT_DTYPE,
    LONG,
    NUMPY_OF_CODE,
)
from tsc.runtime.arrays.memory_layout import channels_last, made_like
from tsc.runtime.arrays.type_promotion import NUMBER_DTYPE, Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import fitting_number, not_implemented
from tsc.runtime.operators.out_variants import FACTORY, SAME, SILENT_FACTORY, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import functional_forms
from tsc.runtime.values.tensor import Tensor, asarray

INT = np.dtype(np.int32)
CONTIGUOUS, PRESERVE, CHANNELS_LAST, CHANNELS_LAST_3D = range(4)
OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
LIKE_OPTIONS = f"{OPTIONS}, MemoryFormat? memory_format=None"


def numpy_dtype(code: int | None, default: np.dtype = DEFAULT_DTYPE) -> np.dtype:
    """The NumPy type of a dtype argument."""
    if code is None:
        return default
    dtype = NUMPY_OF_CODE.get(code)
    if dtype is None:
        raise ScriptError("RuntimeError", f"dtype code {code} is not supported")
    return dtype


def check_device(device: Any) -> None:
    """This runtime has one device."""
    if device is not None and device.type != "cpu":
        message = f"device '{device}' is not available: tsc computes on the CPU"
        message += " (map_location='cpu' at loading takes the devices in an archive's code for it)"
        raise ScriptError("RuntimeError", message)


def checked_size(size: Sequence[int]) -> tuple[int, ...]:
    for extent in size:
        if extent < 0:
            message = f"Trying to create tensor with negative dimension {extent}: {list(size)}"
            raise ScriptError("RuntimeError", message)
    return tuple(size)


def filled(shape: Sequence[int], number: Number, dtype: np.dtype) -> Tensor:
    array = np.empty(shape, dtype)
    array[...] = checked_number_array(number, dtype)
    return Tensor(array)


@operator(f"aten::zeros(SymInt[] size, *, {OPTIONS}) -> Tensor")
def zeros(size, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    if any(extent < 0 for extent in size):
        raise ScriptError("RuntimeError", "zeros: Dimension size must be non-negative.")
    return Tensor(np.zeros(size, numpy_dtype(dtype)))


@operator(f"aten::ones(SymInt[] size, *, {OPTIONS}) -> Tensor")
def ones(size, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return Tensor(np.ones(checked_size(size), numpy_dtype(dtype)))


@operator(f"aten::full(SymInt[] size, Scalar fill_value, *, {OPTIONS}) -> Tensor")
def full(size, fill_value, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    target = numpy_dtype(dtype, NUMBER_DTYPE[type(fill_value)])
    return filled(checked_size(size), fill_value, target)


@operator(
    f"aten::empty.memory_format(SymInt[] size, *, {LIKE_OPTIONS}) -> Tensor",
)
def empty(
    size, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None
) -> Tensor:
    check_device(device)
    return Tensor(np.zeros(checked_size(size), numpy_dtype(dtype)))


def _like(fill: Callable[[tuple[int, ...], np.dtype], np.ndarray]) -> Callable[..., Tensor]:
    def like(
        self: Tensor,
        dtype=None,
        layout=None,
        device=None,
        pin_memory=None,
        memory_format=None,
    ) -> Tensor:
        check_device(device)
        target = numpy_dtype(dtype, self.array.dtype)
        return Tensor(_made(self.array, lambda shape: fill(shape, target), memory_format))

    return like


def _made(
    a: np.ndarray, make: Callable[[tuple[int, ...]], np.ndarray], memory_format: int | None
) -> np.ndarray:
    """A new array of the shape of `a`, in its order of memory or in the one that is asked for."""
    if memory_format is None or memory_format == PRESERVE:
        return made_like(a, make)
    made = make(a.shape)
    return channels_last(made) if memory_format in (CHANNELS_LAST, CHANNELS_LAST_3D) else made


zeros_like = operator(f"aten::zeros_like(Tensor self, *, {LIKE_OPTIONS}) -> Tensor")(
    _like(np.zeros)
)
ones_like = operator(f"aten::ones_like(Tensor self, *, {LIKE_OPTIONS}) -> Tensor")(_like(np.ones))
empty_like = operator(f"aten::empty_like(Tensor self, *, {LIKE_OPTIONS}) -> Tensor")(
    _like(np.zeros)
)


@operator(f"aten::full_like(Tensor self, Scalar fill_value, *, {LIKE_OPTIONS}) -> Tensor")
def full_like(
    self: Tensor,
    fill_value,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    memory_format=None,
) -> Tensor:
    check_device(device)
    target = numpy_dtype(dtype, self.array.dtype)
    return Tensor(
        _made(self.array, lambda shape: filled(shape, fill_value, target).array, memory_format)
    )


def _new(fill: Callable[[tuple[int, ...], np.dtype], np.ndarray]) -> Callable[..., Tensor]:
    def new(self: Tensor, size, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
        check_device(device)
        return Tensor(fill(checked_size(size), numpy_dtype(dtype, self.array.dtype)))

    return new


new_zeros = operator(f"aten::new_zeros(Tensor self, SymInt[] size, *, {OPTIONS}) -> Tensor")(
    _new(np.zeros)
)
new_ones = operator(f"aten::new_ones(Tensor self, SymInt[] size, *, {OPTIONS}) -> Tensor")(
    _new(np.ones)
)
new_empty = operator(f"aten::new_empty(Tensor self, SymInt[] size, *, {OPTIONS}) -> Tensor")(
    _new(np.zeros)
)


@operator(f"aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, {OPTIONS}) -> Tensor")
def new_full(
    self: Tensor, size, fill_value, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return filled(checked_size(size), fill_value, numpy_dtype(dtype, self.array.dtype))


@operator(f"aten::scalar_tensor(Scalar s, *, {OPTIONS}) -> Tensor")
def scalar_tensor(s, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return filled((), s, numpy_dtype(dtype))


@operator(f"aten::eye(SymInt n, *, {OPTIONS}) -> Tensor")
def eye(n, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    return eye_rectangular(n, n, dtype, layout, device, pin_memory)


@operator(f"aten::eye.m(SymInt n, SymInt m, *, {OPTIONS}) -> Tensor")
def eye_rectangular(n, m, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    for name, extent in (("n", n), ("m", m)):
        if extent < 0:
            message = f"{name} must be greater or equal to 0, got {extent}"
            raise ScriptError("RuntimeError", message)
    return Tensor(np.eye(n, m, dtype=numpy_dtype(dtype)))


def _triangle_indices(row: int, col: int, lower: bool, offset: int, dtype: np.dtype) -> Tensor:
    for name, extent in (("row", row), ("col", col)):
        if extent < 0:
            raise ScriptError("RuntimeError", f"{name} must be non-negative, got{extent}")
    if dtype not in (INT, LONG):
        raise not_implemented("tril_indices" if lower else "triu_indices", dtype)
    full_square = np.ones((row, col), np.bool_)
    mask = np.tril(full_square, offset) if lower else np.triu(full_square, offset)
    return Tensor(np.stack(np.nonzero(mask)).astype(dtype))


_TRIANGLE_OPTIONS = OPTIONS.replace("dtype=None", "dtype=4")


@operator(f"aten::tril_indices(int row, int col, int offset=0, *, {_TRIANGLE_OPTIONS}) -> Tensor")
def tril_indices(row, col, offset=0, dtype=4, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _triangle_indices(row, col, True, offset, numpy_dtype(dtype, LONG))


@operator(f"aten::triu_indices(int row, int col, int offset=0, *, {_TRIANGLE_OPTIONS}) -> Tensor")
def triu_indices(row, col, offset=0, dtype=4, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _triangle_indices(row, col, False, offset, numpy_dtype(dtype, LONG))


@operator("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)")
def fill_(self: Tensor, value: Number) -> Tensor:
    self.array[...] = fitting_number(value, self.array.dtype)
    return self


@operator("aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)")
def fill_tensor_(self: Tensor, value: Tensor) -> Tensor:
    if value.array.ndim:
        raise ScriptError(
            "RuntimeError",
            "fill_ only supports 0-dimension values, and this tensor has "
            f"{value.array.ndim} dimensions",
        )
    self.array[...] = asarray(value.array)
    return self


@operator("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor")
def fill(self: Tensor, value: Number) -> Tensor:
    return filled(self.array.shape, value, self.array.dtype)


@operator("aten::zero_(Tensor(a!) self) -> Tensor(a!)")
def zero_(self: Tensor) -> Tensor:
    self.array[...] = 0
    return self


@operator("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", layout=Layout.ROW_MAJOR)
def one_hot(self: Tensor, num_classes: int = -1) -> Tensor:
    classes = self.array
    if classes.dtype is not LONG:
        message = "one_hot is only applicable to an index tensor of dtype int64"
        raise ScriptError("RuntimeError", message)
    if classes.size == 0 and num_classes <= 0:
        message = "Can not infer total number of classes without any: give num_classes"
        raise ScriptError("RuntimeError", message)
    if classes.size and classes.min() < 0:
        raise ScriptError("RuntimeError", "Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(classes.max()) + 1
    elif classes.size and num_classes <= classes.max():
        raise ScriptError(
            "RuntimeError",
            f"Class values must be smaller than num_classes: {classes.max()} is not below "
            f"{num_classes}",
        )
    return Tensor((classes[..., np.newaxis] == np.arange(num_classes)).astype(LONG))


functional_forms("fill_.Tensor zero_")
out_forms(SAME, "fill.Scalar fill.Tensor zero")
out_forms(
    FACTORY,
    """
    empty_like full_like new_empty new_full new_ones new_zeros ones_like scalar_tensor tril_indices
    triu_indices zeros_like
    """,
)
out_forms(SILENT_FACTORY, "empty.memory_format:out eye.m eye full ones zeros")
