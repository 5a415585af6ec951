"""Numbers in a row: ``arange``, ``range``, ``linspace``, ``logspace``."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tsc.runtime.arrays.dtypes import (
    BOOL,
    CATEGORY,
    COMPLEX,
    DEFAULT_DTYPE,
    DOUBLE,
    FLOATING,
    LONG,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import NUMBER_DTYPE, Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import OPTIONS, check_device, numpy_dtype
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import FACTORY, SILENT_FACTORY, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


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
    return Tensor((int(start) + np.arange(count) * int(step)).astype(target))


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
        message = (
            f"upper bound and lower bound inconsistent with step sign: {start:g} to {end:g} "
            f"by {step:g}"
        )
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
                f"{name} only supports 0-dimensional start and end tensors, and these "
                f"have {shown[0]} and {shown[1]} dimensions",
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


@operator(f"aten::range.step(Scalar start, Scalar end, Scalar step=1, *, {OPTIONS}) -> Tensor")
def range_step(start, end, step=1, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    """Numbers from `start` up to and including `end`, in the default dtype."""
    target = numpy_dtype(dtype)
    start, end, step = checked_range("range_cpu", target, start, end, step)
    count = int((end - start) / step) + 1
    if target.kind in "iu":
        start, step = int(start), int(step)
    return Tensor((start + np.arange(count) * step).astype(target))


@operator(f"aten::range(Scalar start, Scalar end, *, {OPTIONS}) -> Tensor")
def range_(start, end, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    return range_step(start, end, 1, dtype)


out_forms(FACTORY, "arange arange.start_step:start_out range.step:out")
out_forms(
    SILENT_FACTORY,
    """
    range:out_ linspace.Scalar_Tensor linspace.Tensor_Scalar linspace.Tensor_Tensor linspace
    logspace.Scalar_Tensor logspace.Tensor_Scalar logspace.Tensor_Tensor logspace
    """,
)
