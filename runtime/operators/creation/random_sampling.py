"""Samples from distributions whose parameters are tensors; they equal PyTorch's for the same seed."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import broadcast_shape
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    COMPLEX,
    DEFAULT_DTYPE,
    DOUBLE,
    FLOAT,
    FLOATING,
    LONG,
    scalar_name,
)
from tsc.runtime.arrays.memory_order import fill_in_memory_order
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import OPTIONS, check_device, checked_size, numpy_dtype
from tsc.runtime.operators.creation.random_filling import check_deviation, normal_, successes
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import CASTABLE, SAME, SILENT_FACTORY, out_forms, same
from tsc.runtime.operators.registration import random_operator
from tsc.runtime.random import rejection_sampling
from tsc.runtime.random.generator import Generator, default_generator
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _refuse(message: str) -> ScriptError:
    return ScriptError("RuntimeError", message)


# -- Normal numbers ----------------------------------------------------------------------------


def _standard_normal(
    shape: tuple[int, ...], dtype: np.dtype, generator: Generator | None
) -> Tensor:
    return normal_(Tensor(np.empty(shape, dtype)), 0.0, 1.0, generator)


@random_operator(
    "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"
)
def normal_means(mean: Tensor, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    a = mean.array
    return wrap(normal_(Tensor(np.empty(a.shape, a.dtype)), 0.0, std, generator).array + a)


def _check_deviations(std: np.ndarray) -> None:
    if CATEGORY[std.dtype] == COMPLEX:
        raise _refuse(f"normal expects standard deviation to be real, not {scalar_name(std.dtype)}")
    if std.size and not (std >= 0).all():
        raise _refuse("normal expects all elements of std >= 0.0")


@random_operator(
    "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"
)
def normal_stds(mean: float, std: Tensor, generator: Generator | None = None) -> Tensor:
    a = std.array
    _check_deviations(a)
    numbers = _standard_normal(a.shape, a.dtype, generator).array
    return wrap(numbers * a + np.array(mean, a.dtype))


@random_operator(
    "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"
)
def normal_tensors(mean: Tensor, std: Tensor, generator: Generator | None = None) -> Tensor:
    a, b = mean.array, std.array
    _check_deviations(b)
    shape = broadcast_shape(a.shape, b.shape)
    return wrap(asarray(_standard_normal(shape, a.dtype, generator).array * b + a, a.dtype))


@random_operator(
    "aten::normal.float_float(float mean, float std, SymInt[] size, *,"
    f" Generator? generator=None, {OPTIONS}) -> Tensor"
)
def normal(
    mean, std, size, generator=None, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    check_deviation(std)
    result = Tensor(np.empty(checked_size(size), numpy_dtype(dtype, DEFAULT_DTYPE)))
    return normal_(result, mean, std, generator)


# -- Rejection sampling ------------------------------------------------------------------------


def _check_real(name: str, a: np.ndarray) -> None:
    if a.dtype is not FLOAT and a.dtype is not DOUBLE:
        raise not_implemented(name, a.dtype)


@random_operator("aten::poisson(Tensor self, Generator? generator=None) -> Tensor")
def poisson(self: Tensor, generator: Generator | None = None) -> Tensor:
    rates = self.array
    if CATEGORY[rates.dtype] != FLOATING:
        raise not_implemented("poisson_cpu", rates.dtype)
    if not (rates >= 0).all():
        raise _refuse("invalid Poisson rate: no rate may be negative")
    source = generator or default_generator
    flat = rates.astype(DOUBLE).reshape(-1).tolist()
    numbers = rejection_sampling.poisson(flat, source)
    return Tensor(np.array(numbers, DOUBLE).reshape(rates.shape).astype(rates.dtype))


@random_operator("aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor")
def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Tensor:
    a, b = count.array, prob.array
    if a.dtype is not b.dtype:
        raise _refuse(f"Found dtype {scalar_name(b.dtype)} but expected {scalar_name(a.dtype)}")
    _check_real("binomial_cpu", a)
    if np.isnan(a).any():
        raise _refuse("binomial expects counts that are numbers, but found NaN")
    shape = broadcast_shape(a.shape, b.shape)
    counts, chances = (np.broadcast_to(x, shape).reshape(-1).tolist() for x in (a, b))
    numbers = rejection_sampling.binomial(counts, chances, generator or default_generator)
    return Tensor(np.array(numbers, a.dtype).reshape(shape))


@random_operator("aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor")
def standard_gamma(self: Tensor, generator: Generator | None = None) -> Tensor:
    """Not less than the smallest normal number of the dtype."""
    shapes = self.array
    _check_real("gamma_cpu", shapes)
    numbers = rejection_sampling.gamma(shapes.reshape(-1).tolist(), generator or default_generator)
    result = np.array(numbers, DOUBLE).reshape(shapes.shape).astype(shapes.dtype)
    return wrap(np.fmax(result, np.finfo(shapes.dtype).tiny))


@random_operator("aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor")
def sample_dirichlet(self: Tensor, generator: Generator | None = None) -> Tensor:
    concentrations = self.array
    _check_real("dirichlet", concentrations)
    numbers = rejection_sampling.dirichlet(concentrations, generator or default_generator)
    kind = concentrations.dtype.type
    largest = np.nextafter(kind(1), kind(0))
    smallest = np.finfo(kind).tiny
    return wrap(np.fmin(np.fmax(numbers.astype(kind), smallest), largest))


# -- Places by their weights -------------------------------------------------------------------


@random_operator(
    "aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *,"
    " Generator? generator=None) -> Tensor"
)
def multinomial(
    self: Tensor, num_samples: int, replacement: bool = False, generator: Generator | None = None
) -> Tensor:
    """Without replacement, the places where weights over exponential numbers are largest."""
    a = self.array
    _check_weights(a, num_samples, replacement)
    source = generator or default_generator
    if replacement and num_samples > 1:
        return _with_replacement(a, num_samples, source)
    race = a / source.exponential(a.size, a.dtype, 1.0).reshape(a.shape)
    if num_samples == 1:
        return Tensor(np.argmax(race, axis=-1, keepdims=True))
    order = np.argsort(-race, axis=-1, kind="stable")
    return Tensor(order[..., :num_samples].copy())


def _check_weights(a: np.ndarray, num_samples: int, replacement: bool) -> None:
    if a.ndim not in (1, 2):
        raise _refuse("prob_dist must be 1 or 2 dim")
    if CATEGORY[a.dtype] != FLOATING:
        raise _refuse(
            f"multinomial only supports floating-point dtypes for input, not {scalar_name(a.dtype)}"
        )
    if num_samples <= 0:
        raise _refuse("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > a.shape[-1]:
        raise _refuse(
            f"cannot sample n_sample > prob_dist: {num_samples} samples of {a.shape[-1]} "
            "elements need replacement=True"
        )
    if a.shape[-1] == 0:
        raise _refuse("multinomial over an empty dimension: there is nothing to draw from")
    if not (np.isfinite(a).all() and (a >= 0).all()):
        raise _refuse(
            "probability tensor contains either `inf`, `nan` or element < 0: weights are finite "
            "and not negative"
        )
    if not (a.sum(axis=-1) > 0).all():
        raise _refuse("invalid multinomial distribution: its probabilities sum to 0")


def _with_replacement(a: np.ndarray, num_samples: int, source: Generator) -> Tensor:
    rows = np.atleast_2d(a)
    result = np.empty((len(rows), num_samples), LONG)
    for row, chosen in zip(rows, result):
        cumulative = np.cumsum(row)
        cumulative /= cumulative[-1]
        cumulative[-1] = 1
        chosen[...] = np.searchsorted(cumulative, source.doubles(num_samples))
    return Tensor(result.reshape((*a.shape[:-1], num_samples)))


def dropout_mask(like: np.ndarray, keep: float) -> np.ndarray:
    """What dropout multiplies with: 0, or 1 / `keep` with probability `keep`."""
    mask = np.empty_like(like)
    fill_in_memory_order(mask, successes(mask.size, keep, None))
    return asarray(mask / np.array(keep, mask.dtype))


out_forms(CASTABLE, "normal.Tensor_Tensor normal.Tensor_float normal.float_Tensor")
out_forms(SAME, "_sample_dirichlet _standard_gamma binomial poisson")
out_forms(SILENT_FACTORY, "normal.float_float")
out_forms(same("multinomial expects {result} tensor out, got: {out}"), "multinomial")
