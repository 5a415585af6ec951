"""Normalization by statistics of batches and of single instances."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tsc.compiler.schema import Aliasing, Layout, Options, Promotion, ScalarExpression
from tsc.runtime.arrays.dtypes import BYTE, CATEGORY, FLOATING
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.normalizing import row_moments, scaled_rows, squares_around
from tsc.runtime.numerics.neural.row_products import row_sums
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.neural_network.normalization import (
    array_of,
    parameter_dtype,
    per_channel_affine,
)
from tsc.runtime.operators.out_variants import SAME, out_form, out_forms, same
from tsc.runtime.operators.overloads import overloads_of
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_HEAD = "Tensor input, Tensor? weight, Tensor? bias"
_RUNNING = "Tensor? running_mean, Tensor? running_var"
_WRITTEN = "Tensor(a!) running_mean, Tensor(b!) running_var"
_READ = "Tensor running_mean, Tensor running_var"
_SCALE = "(1 / torch.sqrt(running_var + eps))"
_FACTOR = f"({_SCALE} if weight is None else {_SCALE} * weight)"
"""What elements of a channel are multiplied by, where running statistics are read."""
_UPDATED = "Tensor running_mean_out, Tensor running_var_out"


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of each channel: its mean, the squared distances from it, how many elements there are.

    They are kept in the dtype of the parameters, and so are the numbers made from them.
    """

    mean: np.ndarray
    squares: np.ndarray
    count: int

    def deviation_reciprocal(self, eps: float) -> np.ndarray:
        variance = widened(self.variance())
        kind = variance.dtype.type
        return narrowed(np.reciprocal(np.sqrt(variance + kind(eps))), self.squares.dtype)

    def variance(self, correction: int = 0) -> np.ndarray:
        squares = widened(self.squares)
        return narrowed(squares / squares.dtype.type(self.count - correction), self.squares.dtype)

    def update(
        self, running_mean: Tensor | None, running_var: Tensor | None, momentum: float
    ) -> None:
        """Move the running statistics towards these; the variance is unbiased."""
        for running, new in ((running_mean, self.mean), (running_var, self.variance(1))):
            if running is not None:
                kept = widened(running.array) * (1 - momentum)
                moved = kept + momentum * widened(new)
                running.array[...] = narrowed(moved, running.array.dtype)


def channel_rows(x: np.ndarray) -> np.ndarray:
    """(batch, channels, ...) as rows, one for each channel of each image."""
    return x.reshape(x.shape[0] * x.shape[1], math.prod(x.shape[2:]))


def _statistics(x: np.ndarray, dtype: np.dtype) -> Statistics:
    """Statistics of the channels over the batch."""
    mean, squares, count = _moments(x)
    return Statistics(narrowed(mean, dtype), narrowed(squares, dtype), count)


def _moments(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    batch, channels = x.shape[:2]
    area = math.prod(x.shape[2:])
    if area == 1:
        mean, squares = row_moments(np.ascontiguousarray(x.reshape(batch, channels).T))
        return mean, squares, batch
    rows = channel_rows(x)
    total = np.add.reduce(row_sums(rows).reshape(batch, channels), 0)
    mean = np.true_divide(total, x.dtype.type(batch * area))
    squares = squares_around(rows, np.tile(mean, batch))
    return mean, np.add.reduce(squares.reshape(batch, channels), 0), batch * area


def _check_channels(a: np.ndarray, channels: int, **vectors: Tensor | None) -> None:
    for name, vector in vectors.items():
        if vector is not None and vector.array.size != channels:
            raise ScriptError(
                "RuntimeError",
                f"{name} should contain {channels} elements not {vector.array.size}",
            )


def check_running(running_mean: Tensor | None, running_var: Tensor | None) -> None:
    """ScriptError unless there are both running statistics or neither."""
    if (running_mean is None) != (running_var is None):
        missing = "running_mean" if running_mean is None else "running_var"
        message = (
            f"running_mean and running_var must either both be given or neither: {missing} is None"
        )
        raise ScriptError("ValueError", message)


def _both_defined(running_mean: Tensor | None, running_var: Tensor | None) -> tuple[Tensor, Tensor]:
    if running_mean is None or running_var is None:
        name = "running_mean" if running_mean is None else "running_var"
        raise ScriptError("RuntimeError", f"{name} must be defined in evaluation mode")
    return running_mean, running_var


def _check(
    a: np.ndarray,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
) -> None:
    check_running(running_mean, running_var)
    running = {"running_mean": running_mean, "running_var": running_var}
    _check_channels(a, a.shape[1] if a.ndim > 1 else 0, **running, weight=weight, bias=bias)
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented("batch_norm", a.dtype)


def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The result, and in training the mean and the reciprocal deviation of each channel."""
    a = input.array
    running = None if training else _both_defined(running_mean, running_var)
    _check(a, weight, bias, running_mean, running_var)
    dtype = parameter_dtype(a, weight, bias, running_mean, running_var)
    x = widened(a)
    if running is None:
        statistics = _statistics(x, dtype)
        statistics.update(running_mean, running_var, momentum)
        mean, scale = statistics.mean, statistics.deviation_reciprocal(eps)
        saved = Tensor(mean), Tensor(scale)
    else:
        mean = running[0].array
        variance = widened(running[1].array)
        scale = np.reciprocal(np.sqrt(variance + variance.dtype.type(eps)))
        saved = Tensor(np.empty(0, dtype)), Tensor(np.empty(0, dtype))
    factors, shifts = per_channel_affine(
        widened(mean), widened(scale), array_of(weight), array_of(bias)
    )
    result = _scaled_channels(x, factors, shifts)
    return (Tensor(narrowed(result, a.dtype)), *saved)


def _scaled_channels(x: np.ndarray, factors: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    if x.ndim == 2:
        result = np.multiply(x, factors)
        return np.add(result, shifts, result)
    factors, shifts = (_repeated(each, len(x)) for each in (factors, shifts))
    return scaled_rows(channel_rows(x), factors, shifts).reshape(x.shape)


def _repeated(numbers: np.ndarray, times: int) -> np.ndarray:
    """``np.tile``, at less cost."""
    return np.repeat(numbers[np.newaxis], times, 0).reshape(-1)


def _of_nothing(a: np.ndarray, weight: Tensor | None, bias: Tensor | None) -> bool:
    """Whether there is nothing to normalize, which `batch_norm` allows for any shape."""
    if a.size:
        return False
    channels = a.shape[1] if a.ndim > 1 else 0
    _check_channels(a, channels, weight=weight, bias=bias)
    return True


@operator(
    f"aten::batch_norm({_HEAD}, {_RUNNING}, bool training, float momentum, float eps,"
    " bool cudnn_enabled) -> Tensor",
    aliasing=Aliasing.WRITES_STATISTICS,
    layout=Layout.AS_IMAGES,
    expression=ScalarExpression(
        Promotion.MEETING,
        f"input * {_FACTOR} + ((0 if bias is None else bias) - running_mean * {_FACTOR})",
        channels=("weight", "bias", "running_mean", "running_var"),
    ),
)
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    a = input.array
    if _of_nothing(a, weight, bias):
        return Tensor(a.copy())
    return native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )[0]


def _reserved() -> Tensor:
    return Tensor(np.empty(0, BYTE))


_NUMBERS = "float momentum, float eps"
_THREE = "-> (Tensor, Tensor, Tensor)"
_FOUR = "-> (Tensor, Tensor, Tensor, Tensor)"
_AS_IMAGES = Options(layout=Layout.AS_IMAGES)
overloads_of(
    native_batch_norm,
    f"aten::native_batch_norm({_HEAD}, {_RUNNING}, bool training, {_NUMBERS}) {_THREE}",
    f"aten::_native_batch_norm_legit({_HEAD}, {_WRITTEN}, bool training, {_NUMBERS}) {_THREE}",
    options=_AS_IMAGES,
)
overloads_of(
    native_batch_norm,
    f"aten::_native_batch_norm_legit.no_stats({_HEAD}, bool training, {_NUMBERS}) {_THREE}",
    running_mean=None,
    running_var=None,
    options=_AS_IMAGES,
)
overloads_of(
    native_batch_norm,
    f"aten::_native_batch_norm_legit_no_training({_HEAD}, {_READ}, {_NUMBERS}) {_THREE}",
    training=False,
    options=_AS_IMAGES,
)
overloads_of(
    native_batch_norm,
    f"aten::_batch_norm_impl_index({_HEAD}, {_RUNNING}, bool training, {_NUMBERS},"
    " bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)",
    extra=lambda: (_reserved(), 0),  # PyTorch's own kernel has the index 0 and reserves nothing
    options=_AS_IMAGES,
)
overloads_of(
    native_batch_norm,
    f"aten::_batch_norm_with_update({_HEAD}, {_WRITTEN}, {_NUMBERS}) {_FOUR}",
    extra=lambda: (_reserved(),),
    training=True,
    options=_AS_IMAGES,
)
overloads_of(
    native_batch_norm,
    f"aten::_batch_norm_no_update({_HEAD}, {_RUNNING}, {_NUMBERS}) {_FOUR}",
    extra=lambda: (_reserved(),),
    training=False,
    options=_AS_IMAGES,
)


@operator(
    f"aten::_native_batch_norm_legit_functional({_HEAD}, Tensor running_mean, Tensor running_var,"
    f" bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, {_UPDATED})",
    layout=Layout.AS_IMAGES,
)
def native_batch_norm_functional(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, ...]:
    """The running statistics are not written to, but returned."""
    moved = Tensor(running_mean.array.copy()), Tensor(running_var.array.copy())
    return *native_batch_norm(input, weight, bias, *moved, training, momentum, eps), *moved


@operator(
    f"aten::_batch_norm_with_update_functional({_HEAD}, Tensor running_mean, Tensor running_var,"
    f" float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, {_UPDATED})"
)
def batch_norm_with_update_functional(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    momentum: float,
    eps: float,
) -> tuple[Tensor, ...]:
    moved = Tensor(running_mean.array.copy()), Tensor(running_var.array.copy())
    results = native_batch_norm(input, weight, bias, *moved, True, momentum, eps)
    return *results, _reserved(), *moved


@operator(
    f"aten::batch_norm_update_stats(Tensor input, {_RUNNING}, float momentum) -> (Tensor, Tensor)"
)
def batch_norm_update_stats(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, momentum: float
) -> tuple[Tensor, Tensor]:
    """The mean and the variance of each channel; the running ones move towards them."""
    a = input.array
    check_running(running_mean, running_var)
    _check_channels(a, a.shape[1], running_mean=running_mean, running_var=running_var)
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented("batch_norm_update_stats_cpu", a.dtype)
    dtype = parameter_dtype(a, running_mean, running_var)
    statistics = _statistics(widened(a), dtype)
    statistics.update(running_mean, running_var, momentum)
    return Tensor(statistics.mean), Tensor(statistics.variance())


_SCALAR_TYPE = same("expected scalar type {result} but found {out}")
out_forms(
    _SCALAR_TYPE,
    """
    native_batch_norm(out,save_mean,save_invstd)
    _native_batch_norm_legit.no_stats(out,save_mean,save_invstd)
    """,
)
out_forms(
    SAME, "_batch_norm_no_update _native_batch_norm_legit_no_training batch_norm_update_stats"
)
out_form(
    _SCALAR_TYPE,
    "_native_batch_norm_legit",
    f"aten::_native_batch_norm_legit.out({_HEAD}, Tensor(a!) running_mean, Tensor(b!) running_var,"
    " bool training, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean,"
    " Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), Tensor(f!))",
)
out_form(
    _SCALAR_TYPE,
    "_batch_norm_with_update",
    f"aten::_batch_norm_with_update.out({_HEAD}, Tensor(a!) running_mean, Tensor(b!) running_var,"
    " float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd,"
    " Tensor(g!) reserve) -> (Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!))",
)
