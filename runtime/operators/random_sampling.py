"""Random tensors; the numbers equal PyTorch's for the same seed (see `runtime.random`)."""

from __future__ import annotations

import math

import numpy as np

from runtime.dimensions import broadcast_shape
from runtime.dtypes import CATEGORY, DEFAULT_DTYPE, FLOAT, FLOATING, LONG, scalar_name
from runtime.errors import ScriptError
from runtime.operators.creation import (
    OPTIONS,
    check_device,
    checked_size,
    numpy_dtype,
)
from runtime.operators.random_creation import check_floating, integers
from runtime.operators.registration import operator
from runtime.random import Generator, default_generator
from runtime.random import manual_seed as seed_default_generator
from runtime.tensor import Tensor, asarray, wrap


def _bernoulli(shape: tuple[int, ...], p: float, generator: Generator | None) -> np.ndarray:
    """True with probability `p`."""
    if not 0 <= p <= 1:
        message = f"bernoulli_ expects p to be in [0, 1], but got p={p:g}"
        raise ScriptError("RuntimeError", message)
    source = generator or default_generator
    return (source.doubles(math.prod(shape)) < p).reshape(shape)


def _bernoulli_each(p: np.ndarray, generator: Generator | None) -> np.ndarray:
    """True with the probability at each place of `p`."""
    if p.size and not (p.min() >= 0 and p.max() <= 1):
        raise ScriptError(
            "RuntimeError", "Expected p_in >= 0 && p_in <= 1 to be true, but got false."
        )
    source = generator or default_generator
    draws = source.floats(p.size) if p.dtype is not np.dtype(np.float64) else source.doubles(p.size)
    return draws.reshape(p.shape) < p


@operator("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor")
def bernoulli(self: Tensor, generator: Generator | None = None) -> Tensor:
    return wrap(_bernoulli_each(self.array, generator).astype(self.array.dtype))


@operator("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor")
def bernoulli_p(self: Tensor, p: float, generator: Generator | None = None) -> Tensor:
    return Tensor(_bernoulli(self.array.shape, p, generator).astype(self.array.dtype))


@operator(
    "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)"
)
def bernoulli_tensor_(self: Tensor, p: Tensor, generator: Generator | None = None) -> Tensor:
    broadcast_shape(self.array.shape, p.array.shape)
    self.array[...] = _bernoulli_each(np.broadcast_to(p.array, self.array.shape), generator)
    return self


@operator(
    "aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def bernoulli_(self: Tensor, p: float = 0.5, generator: Generator | None = None) -> Tensor:
    self.array[...] = _bernoulli(self.array.shape, p, generator)
    return self


@operator(
    "aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def uniform_(
    self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    check_floating("check_uniform_bounds", a.dtype)
    if from_ > to:
        raise ScriptError(
            "RuntimeError",
            f"uniform_ expects to return a [from, to) range, but found from={from_:g} > to={to:g}",
        )
    source = generator or default_generator
    a[...] = source.uniform(a.size, a.dtype, from_, to).reshape(a.shape)
    return self


def _check_std(std: float) -> None:
    if not std >= 0:
        raise ScriptError("RuntimeError", f"normal expects std >= 0.0, but found std {std:g}")


@operator(
    "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def normal_(
    self: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    _check_std(std)
    check_floating("normal_kernel_cpu", a.dtype)
    source = generator or default_generator
    a[...] = source.normal(a.size, a.dtype, mean, std).reshape(a.shape)
    return self


@operator(
    "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"
)
def normal_means(mean: Tensor, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    _check_std(std)
    a = mean.array
    source = generator or default_generator
    return wrap(source.normal(a.size, a.dtype, 0.0, std).reshape(a.shape) + a)


@operator(
    "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"
)
def normal_stds(mean: float, std: Tensor, generator: Generator | None = None) -> Tensor:
    a = std.array
    source = generator or default_generator
    numbers = source.normal(a.size, a.dtype).reshape(a.shape)
    return wrap(numbers * a + np.array(mean, a.dtype))


@operator(
    "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"
)
def normal_tensors(mean: Tensor, std: Tensor, generator: Generator | None = None) -> Tensor:
    a, b = mean.array, std.array
    shape = broadcast_shape(a.shape, b.shape)
    source = generator or default_generator
    return wrap(source.normal(math.prod(shape), a.dtype).reshape(shape) * b + a)


@operator(
    "aten::normal.float_float(float mean, float std, SymInt[] size, *,"
    f" Generator? generator=None, {OPTIONS}) -> Tensor"
)
def normal(
    mean, std, size, generator=None, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    result = Tensor(np.empty(checked_size(size), numpy_dtype(dtype, DEFAULT_DTYPE)))
    return normal_(result, mean, std, generator)


@operator(
    "aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def exponential_(self: Tensor, lambd: float = 1.0, generator: Generator | None = None) -> Tensor:
    a = self.array
    check_floating("exponential", a.dtype)
    if lambd <= 0:
        message = f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}"
        raise ScriptError("RuntimeError", message)
    source = generator or default_generator
    a[...] = source.exponential(a.size, a.dtype, lambd).reshape(a.shape)
    return self


@operator(
    "aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *,"
    " Generator? generator=None) -> Tensor(a!)"
)
def log_normal_(
    self: Tensor, mean: float = 1.0, std: float = 2.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    source = generator or default_generator
    numbers = [source._one_normal() * std + mean for _ in range(a.size)]
    a[...] = np.exp(np.array(numbers)).reshape(a.shape)
    return self


@operator(
    "aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *,"
    " Generator? generator=None) -> Tensor(a!)"
)
def cauchy_(
    self: Tensor, median: float = 0.0, sigma: float = 1.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    source = generator or default_generator
    numbers = median + sigma * np.tan(math.pi * (source.doubles(a.size) - 0.5))
    a[...] = numbers.reshape(a.shape)
    return self


@operator("aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)")
def geometric_(self: Tensor, p: float, generator: Generator | None = None) -> Tensor:
    if not 0 < p < 1:
        raise ScriptError("RuntimeError", f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    a = self.array
    source = generator or default_generator
    numbers = np.ceil(np.log(source.doubles(a.size)) / math.log1p(-p))
    a[...] = numbers.reshape(a.shape)
    return self


@operator(
    "aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def random_from_(
    self: Tensor, from_: int, to: int | None, generator: Generator | None = None
) -> Tensor:
    a = self.array
    top = _highest(a.dtype) + 1 if to is None else to
    a[...] = integers(from_, top, a.shape, LONG, generator).array
    return self


def _highest(dtype: np.dtype) -> int:
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).max)
    return {FLOAT: 1 << 24, np.dtype(np.float64): 1 << 53}.get(dtype, 1)


@operator("aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)")
def random_to_(self: Tensor, to: int, generator: Generator | None = None) -> Tensor:
    return random_from_(self, 0, to, generator)


@operator("aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)")
def random_(self: Tensor, generator: Generator | None = None) -> Tensor:
    a = self.array
    source = generator or default_generator
    a[...] = source.any_integers(a.size, a.dtype).reshape(a.shape)
    return self


@operator(
    "aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *,"
    " Generator? generator=None) -> Tensor"
)
def multinomial(
    self: Tensor, num_samples: int, replacement: bool = False, generator: Generator | None = None
) -> Tensor:
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
        raise ScriptError("RuntimeError", "prob_dist must be 1 or 2 dim")
    if CATEGORY[a.dtype] != FLOATING:
        name = scalar_name(a.dtype)
        message = f"multinomial only supports floating-point dtypes for input, got: {name}"
        raise ScriptError("RuntimeError", message)
    if num_samples <= 0:
        raise ScriptError("RuntimeError", "cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > a.shape[-1]:
        message = "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        raise ScriptError("RuntimeError", message)
    if not (np.isfinite(a).all() and (a >= 0).all()):
        message = "probability tensor contains either `inf`, `nan` or element < 0"
        raise ScriptError("RuntimeError", message)
    if not (a.sum(axis=-1) > 0).all():
        message = "invalid multinomial distribution (sum of probabilities <= 0)"
        raise ScriptError("RuntimeError", message)


def _with_replacement(a: np.ndarray, num_samples: int, source: Generator) -> Tensor:
    rows = np.atleast_2d(a)
    result = np.empty((len(rows), num_samples), LONG)
    for row, chosen in zip(rows, result):
        cumulative = np.cumsum(row)
        cumulative /= cumulative[-1]
        cumulative[-1] = 1
        chosen[...] = np.searchsorted(cumulative, source.doubles(num_samples))
    return Tensor(result.reshape((*a.shape[:-1], num_samples)))


@operator("aten::manual_seed(int seed) -> ()")
def manual_seed(seed: int) -> None:
    seed_default_generator(seed)


@operator("aten::manual_seed.generator(Generator(a!) self, int seed) -> Generator(a!)")
def manual_seed_generator(self: Generator, seed: int) -> Generator:
    self.manual_seed(seed)
    return self


@operator("aten::initial_seed(Generator self) -> int")
def initial_seed(self: Generator) -> int:
    return self.seed


def dropout_mask(shape: tuple[int, ...], keep: float, dtype: np.dtype) -> np.ndarray:
    """What dropout multiplies with: 0, or 1 / `keep` with probability `keep`."""
    kept = _bernoulli(shape, keep, None).astype(dtype)
    return asarray(kept / np.array(keep, dtype))
