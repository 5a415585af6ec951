"""Tensors made from sizes, numbers and lists."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import (
    BOOL,
    CATEGORY,
    COMPLEX,
    DEFAULT_DTYPE,
    DOUBLE,
    FLOATING,
    LONG,
    NUMPY_OF_CODE,
    scalar_name,
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


def _arange(start: Number, end: Number, step: Number, dtype: int | None) -> Tensor:
    """Numbers from `start` up to, not including, `end`."""
    start, end, step = (int(each) if type(each) is bool else each for each in (start, end, step))
    all_integers = type(start) is int and type(end) is int and type(step) is int
    target = numpy_dtype(dtype, LONG if all_integers else DEFAULT_DTYPE)
    start, end, step = checked_range("arange_cpu", target, start, end, step)
    if all_integers and target is LONG:
        return Tensor(np.arange(start, end, step))
    if CATEGORY[target] == FLOATING:
        count = math.ceil((end - start) / step)
        return Tensor((start + np.arange(count) * step).astype(target))
    if target is LONG:
        start, end, step = int(start), int(end), _checked_step(int(step))
    count = max(math.ceil((end - start) / step), 0)
    first, step = int(start), _checked_step(int(step))
    return Tensor((first + np.arange(count) * step).astype(target))


def checked_range(
    name: str, dtype: np.dtype, start: Number, end: Number, step: Number
) -> tuple[float, float, float]:
    """The ends and the step of a range as real numbers, after PyTorch's checks."""
    ends = [each if type(each) is int else _real(each) for each in (start, end, step)]
    if not (dtype is not BOOL and CATEGORY[dtype] < COMPLEX):
        raise not_implemented(name, dtype)
    start, end, step = ends
    _checked_step(step)
    if not (math.isfinite(start) and math.isfinite(end)):
        raise ScriptError("RuntimeError", f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        message = "upper bound and lower bound inconsistent with step sign"
        raise ScriptError("RuntimeError", message)
    return start, end, step


def _real(number: Number) -> float:
    """`number` as a float; an imaginary part must be zero."""
    return float(checked_number_array(number, DOUBLE))


def _checked_step(step: float) -> float:
    if not (step < 0 or step > 0):
        raise ScriptError("RuntimeError", "step must be nonzero")
    return step


@operator(f"aten::arange(Scalar end, *, {OPTIONS}) -> Tensor")
def arange(end, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _arange(0, end, 1, dtype)


@operator(f"aten::arange.start(Scalar start, Scalar end, *, {OPTIONS}) -> Tensor")
def arange_start(start, end, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _arange(start, end, 1, dtype)


@operator(
    f"aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, {OPTIONS}) -> Tensor"
)
def arange_step(
    start, end, step=1, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _arange(start, end, step, dtype)


def spaced_numbers(start: Number, end: Number, steps: int, dtype: np.dtype) -> np.ndarray:
    """Equally spaced numbers, reckoned from the nearer end; `dtype` holds both ends."""
    if steps < 0:
        raise ScriptError("RuntimeError", "number of steps must be non-negative")
    compute = np.complex128 if CATEGORY[dtype] == COMPLEX else np.float64
    if steps < 2:
        return np.full(steps, start, compute)
    start, end = (checked_number_array(each, dtype).item() for each in (start, end))
    step = (end - start) / (steps - 1)
    result = np.arange(steps, dtype=compute)
    first, second = result[: steps // 2], result[steps // 2 :]
    np.add(np.multiply(first, step, first), start, first)
    np.subtract(steps - 1, second, second)
    np.subtract(end, np.multiply(second, step, second), second)
    return result


def _spaced_dtype(name: str, start: Number, end: Number, steps: int, dtype: int | None) -> np.dtype:
    """The dtype of linspace and logspace."""
    is_complex = complex in (type(start), type(end))
    inferred = NUMBER_DTYPE[complex] if is_complex else DEFAULT_DTYPE
    target = numpy_dtype(dtype, inferred)
    if is_complex and CATEGORY[target] != COMPLEX:
        raise ScriptError(
            "RuntimeError",
            f"torch.{name}(): inferred dtype c10::complex<float> can't be safely cast to passed "
            f"dtype {scalar_name(target)}",
        )
    if target is BOOL and steps > 1:
        raise not_implemented(f"{name}_cpu", target)
    return target


@operator(f"aten::linspace(Scalar start, Scalar end, int steps, *, {OPTIONS}) -> Tensor")
def linspace(start, end, steps, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    target = _spaced_dtype("linspace", start, end, steps, dtype)
    return Tensor(spaced_numbers(start, end, steps, target).astype(target))


def _declare_between_tensors(name: str, function: Callable[..., Tensor], base: str) -> None:
    """The overloads of linspace and logspace whose ends are tensors without dimensions."""
    rest = f"int steps, {base}*, {OPTIONS}"

    def between(start, end, *arguments) -> Tensor:
        ends = (start, end)
        if any(type(each) is Tensor and each.array.ndim for each in ends):
            shown = [each.array.ndim if type(each) is Tensor else 0 for each in ends]
            raise ScriptError(
                "RuntimeError",
                f"{name} only supports 0-dimensional start and end tensors, but got start with "
                f"{shown[0]} dimension(s) and end with {shown[1]} dimension(s).",
            )
        low, high = (each.item() if type(each) is Tensor else each for each in ends)
        return function(low, high, *arguments)

    operator(
        f"aten::{name}.Tensor_Tensor(Tensor start, Tensor end, {rest}) -> Tensor",
        f"aten::{name}.Tensor_Scalar(Tensor start, Scalar end, {rest}) -> Tensor",
        f"aten::{name}.Scalar_Tensor(Scalar start, Tensor end, {rest}) -> Tensor",
    )(between)


_declare_between_tensors("linspace", linspace, "")


@operator(
    f"aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, {OPTIONS}) -> Tensor"
)
def logspace(
    start, end, steps, base=10.0, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    target = _spaced_dtype("logspace", start, end, steps, dtype)
    return Tensor(np.power(base, spaced_numbers(start, end, steps, target)).astype(target))


_declare_between_tensors("logspace", logspace, "float base=10., ")


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
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value.array.ndim} dimensions.",
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


@operator("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor")
def one_hot(self: Tensor, num_classes: int = -1) -> Tensor:
    classes = self.array
    if classes.dtype is not LONG:
        message = "one_hot is only applicable to index tensor of type LongTensor."
        raise ScriptError("RuntimeError", message)
    if classes.size == 0 and num_classes <= 0:
        message = "Can not infer total number of classes from empty tensor."
        raise ScriptError("RuntimeError", message)
    if classes.size and classes.min() < 0:
        raise ScriptError("RuntimeError", "Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(classes.max()) + 1
    elif classes.size and num_classes <= classes.max():
        raise ScriptError("RuntimeError", "Class values must be smaller than num_classes.")
    return Tensor((classes[..., np.newaxis] == np.arange(num_classes)).astype(LONG))


functional_forms("fill_.Tensor zero_")
out_forms(SAME, "fill.Scalar fill.Tensor zero")
out_forms(
    FACTORY,
    """
    arange arange.start_step:start_out empty_like full_like new_empty new_full new_ones new_zeros
    ones_like scalar_tensor tril_indices triu_indices zeros_like
    """,
)
out_forms(
    SILENT_FACTORY,
    """
    empty.memory_format:out eye.m eye full linspace.Scalar_Tensor linspace.Tensor_Scalar
    linspace.Tensor_Tensor linspace logspace.Scalar_Tensor logspace.Tensor_Scalar
    logspace.Tensor_Tensor logspace ones zeros
    """,
)
