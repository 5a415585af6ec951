"""Dropout of elements and of whole channels, and the leaky rectifier with random slopes."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from tsc.compiler.schema import Effects, Layout
from tsc.runtime.arrays.dtypes import CATEGORY, FLOAT, FLOATING, HALF
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.type_promotion import Number, check_can_cast, real_number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.random_sampling import dropout_mask
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.neural_network.activation import leaky_relu
from tsc.runtime.operators.out_variants import SAME, SAME_FOUND, out_forms
from tsc.runtime.operators.registration import operator, random_operator
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.random.generator import Generator, default_generator
from tsc.runtime.values.tensor import Tensor, wrap

_dropping = partial(operator, effects=Effects.RANDOM_IN_TRAINING)


def _check_probability(p: float) -> None:
    if not 0 <= p <= 1:
        message = f"dropout probability has to be between 0 and 1, not {p:g}"
        raise ScriptError("RuntimeError", message)


def _channels_of(a: np.ndarray) -> np.ndarray:
    """Of the shape of a mask that drops whole channels."""
    if a.ndim < 2:
        message = f"Feature dropout requires at least 2 dimensions (batch, channels), not {a.ndim}"
        raise ScriptError("RuntimeError", message)
    return np.empty((*a.shape[:2], *(1,) * (a.ndim - 2)), a.dtype)


def _changes_nothing(a: np.ndarray, p: float, train: bool) -> bool:
    _check_probability(p)
    if p == 0 or not train or a.size == 0:
        return True
    if p < 1:
        check_can_cast(FLOAT, a.dtype)
    return False


def _dropped(input: Tensor, p: float, train: bool, channels: bool) -> Tensor:
    a = input.array
    if _changes_nothing(a, p, train):
        return input
    if p == 1:
        return wrap(a * np.zeros((), a.dtype))
    return wrap(a * dropout_mask(_channels_of(a) if channels else a, 1 - p))


@_dropping("aten::dropout(Tensor input, float p, bool train) -> Tensor", layout=Layout.AS_FIRST)
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    return _dropped(input, p, train, channels=False)


@_dropping("aten::feature_dropout(Tensor input, float p, bool train) -> Tensor")
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Whole channels are dropped."""
    return _dropped(input, p, train, channels=True)


_ALPHA = 1.7580993408473766


def _alpha_dropped(input: Tensor, p: float, train: bool, channels: bool) -> Tensor:
    """Dropout that keeps the mean and variance of what SELU gives."""
    a = input.array
    if _changes_nothing(a, p, train):
        return input
    if p == 1:
        return wrap(a * np.zeros((), a.dtype))
    kind = a.dtype.type
    scale = 1 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
    mask = dropout_mask(_channels_of(a) if channels else a, 1 - p)
    kept = np.not_equal(mask, 0).astype(a.dtype)
    shift = (kept - kind(1)) * kind(_ALPHA * scale) + kind(_ALPHA * scale * p)
    return wrap(a * (kept * kind(scale)) + shift)


@_dropping("aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor")
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    return _alpha_dropped(input, p, train, channels=False)


@_dropping("aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor")
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    return _alpha_dropped(input, p, train, channels=True)


@_dropping("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)")
def native_dropout(input: Tensor, p: float, train: bool | None) -> tuple[Tensor, Tensor]:
    a = input.array
    if train is False or p == 0 or a.size == 0:
        if train is not False and a.size:
            check_can_cast(FLOAT, a.dtype)
        return Tensor(a.copy()), Tensor(np.ones(a.shape, np.bool_))
    check_can_cast(FLOAT, a.dtype)
    mask = dropout_mask(a, 1 - p) if p < 1 else np.zeros_like(a)
    return wrap(a * mask), wrap(np.not_equal(mask, 0))


_SLOPES = (
    "Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False,"
    " Generator? generator=None"
)


def _check_slopes(a: np.ndarray, noise: np.ndarray, lower: float, upper: float) -> None:
    if noise.shape != a.shape:
        raise ScriptError(
            "RuntimeError",
            "noise tensor shape must match that of the input: the shapes are "
            f"{list(noise.shape)} and {list(a.shape)}",
        )
    if lower > upper:
        message = "Lower bound should be less than or equal to the upper bound: they are "
        message += f"{lower} and {upper}"
        raise ScriptError("RuntimeError", message)
    for name, bound in {"Lower": lower, "Upper": upper}.items():
        if not math.isfinite(bound):
            message = f"{name} bound must be finite, but got: {bound:g}"
            raise ScriptError("RuntimeError", message)


def _with_slopes(
    self: Tensor, noise: np.ndarray, lower: float, upper: float, source: Generator
) -> Tensor:
    """Numbers up to 0 times random slopes, which `noise` keeps; it has 1 elsewhere."""
    a = self.array
    if CATEGORY[a.dtype] != FLOATING or a.dtype is HALF:
        raise not_implemented("rrelu_with_noise_out_cpu", a.dtype)
    x = widened(a)
    slopes = np.ones(a.shape, x.dtype)
    low = np.less_equal(x, 0)
    slopes[low] = source.doubles(int(np.count_nonzero(low))) * (upper - lower) + lower
    noise[...] = narrowed(slopes, noise.dtype)
    return Tensor(narrowed(np.multiply(x, slopes), a.dtype))


@random_operator(
    f"aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, {_SLOPES}) -> Tensor",
)
def rrelu_with_noise(
    self: Tensor,
    noise: Tensor,
    lower: Number = 0.125,
    upper: Number = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> Tensor:
    lower, upper = real_number(lower), real_number(upper)
    _check_slopes(self.array, noise.array, lower, upper)
    if training:
        return _with_slopes(self, noise.array, lower, upper, generator or default_generator)
    return leaky_relu(self, (lower + upper) / 2)


@random_operator(
    f"aten::rrelu_with_noise_functional(Tensor self, Tensor noise, {_SLOPES})"
    " -> (Tensor, Tensor noise_out)"
)
def rrelu_with_noise_functional(
    self: Tensor,
    noise: Tensor,
    lower: Number = 0.125,
    upper: Number = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> tuple[Tensor, Tensor]:
    written = Tensor(noise.array.copy())
    return rrelu_with_noise(self, written, lower, upper, training, generator), written


@random_operator(f"aten::rrelu(Tensor self, {_SLOPES}) -> Tensor")
def rrelu(
    self: Tensor,
    lower: Number = 0.125,
    upper: Number = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> Tensor:
    """Negative numbers are scaled: by a random slope each in training, else by the mean one."""
    noise = Tensor(np.empty_like(self.array))
    return rrelu_with_noise(self, noise, lower, upper, training, generator)


in_place_forms("dropout feature_dropout alpha_dropout feature_alpha_dropout rrelu rrelu_with_noise")
out_forms(SAME, "native_dropout")
out_forms(SAME_FOUND, "rrelu_with_noise")
