"""Tensors filled with random numbers; these equal PyTorch's for the same seed (see `runtime.random.generator`)."""

from __future__ import annotations

import math
import warnings

import numpy as np
from ml_dtypes import finfo

from tsc.runtime.arrays.dimensions import check_not_expanded
from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, DOUBLE, FLOAT, HALF, LONG, scalar_name
from tsc.runtime.arrays.memory_order import fill_in_memory_order, in_memory_order
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, FLOATING_DTYPES, not_implemented
from tsc.runtime.operators.layout.shape import expand
from tsc.runtime.operators.out_variants import (
    ANY_DTYPE,
    C_NAMES,
    SAME,
    out_form,
    out_forms,
    write_out,
)
from tsc.runtime.operators.registration import random_operator
from tsc.runtime.operators.variants import functional_forms
from tsc.runtime.random import libm
from tsc.runtime.random.generator import MANTISSA_BITS, Generator, default_generator
from tsc.runtime.values.tensor import Tensor

_REALS = FLOATING_DTYPES - COMPLEX_DTYPES
_LOWEST = -(1 << 63)
_FULL_RANGE = (LONG, DOUBLE, FLOAT, BFLOAT16)


def _refuse(message: str) -> ScriptError:
    return ScriptError("RuntimeError", message)


def _check_kernel(name: str, a: np.ndarray, dtypes: frozenset[np.dtype] = _REALS) -> None:
    """Only tensors with elements reach PyTorch's kernels."""
    if a.size and a.dtype not in dtypes:
        raise not_implemented(name, a.dtype)


def _filled(self: Tensor, numbers: np.ndarray) -> Tensor:
    check_not_expanded(self.array)
    fill_in_memory_order(self.array, numbers)
    return self


# -- Continuous distributions ------------------------------------------------------------------


@random_operator(
    "aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def uniform_(
    self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    if a.dtype not in FLOATING_DTYPES:
        raise not_implemented("check_uniform_bounds", a.dtype)
    if a.dtype not in COMPLEX_DTYPES:
        for name, bound in (("from", from_), ("to", to)):
            if not abs(bound) <= finfo(a.dtype).max:
                raise _refuse(f"{name} is out of bounds for {C_NAMES[self.dtype.name]}")
        if from_ > to:
            raise _refuse(
                "uniform_ expects to return a [from, to) range, but found "
                f"from={from_:g} > to={to:g}"
            )
    return _filled(self, (generator or default_generator).uniform(a.size, a.dtype, from_, to))


def check_deviation(std: float) -> None:
    if not std >= 0:
        raise _refuse(f"normal expects std >= 0.0, but found std {std:g}")


@random_operator(
    "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def normal_(
    self: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    check_deviation(std)
    _check_kernel("normal_kernel_cpu", a, FLOATING_DTYPES)
    source = generator or default_generator
    if a.flags.c_contiguous:
        return _filled(self, source.normal(a.size, a.dtype, mean, std))
    if a.dtype in COMPLEX_DTYPES:
        parts = source.double_normals(2 * a.size, mean, std * math.sqrt(0.5))
        return _filled(self, parts.view(np.complex128))
    return _filled(self, source.double_normals(a.size, mean, std))


@random_operator(
    "aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def exponential_(self: Tensor, lambd: float = 1.0, generator: Generator | None = None) -> Tensor:
    a = self.array
    if not lambd > 0:
        raise _refuse(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if a.size and a.dtype not in _REALS:
        raise _refuse(
            "Exponential distribution is a continuous one, for floating-point dtypes, "
            f"not {scalar_name(a.dtype)}"
        )
    return _filled(self, (generator or default_generator).exponential(a.size, a.dtype, lambd))


@random_operator(
    "aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *,"
    " Generator? generator=None) -> Tensor(a!)"
)
def log_normal_(
    self: Tensor, mean: float = 1.0, std: float = 2.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    if not std > 0:
        raise _refuse(f"log_normal_ expects std > 0.0, but found std={std:g}")
    _check_kernel("log_normal_cpu", a)
    normals = (generator or default_generator).double_normals(a.size, mean, std)
    return _filled(self, libm.exp(normals))


@random_operator(
    "aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *,"
    " Generator? generator=None) -> Tensor(a!)"
)
def cauchy_(
    self: Tensor, median: float = 0.0, sigma: float = 1.0, generator: Generator | None = None
) -> Tensor:
    a = self.array
    if not sigma > 0:
        raise _refuse(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if a.dtype not in _REALS:
        raise _refuse(
            "Cauchy distribution is a continuous one, for floating-point dtypes, not "
            f"{scalar_name(a.dtype)}"
        )
    uniform = (generator or default_generator).doubles(a.size)
    return _filled(self, median + sigma * libm.tan(math.pi * (uniform - 0.5)))


# -- Discrete distributions --------------------------------------------------------------------


@random_operator(
    "aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)"
)
def geometric_(self: Tensor, p: float, generator: Generator | None = None) -> Tensor:
    """The number of tries until the first success."""
    a = self.array
    if not 0 < p < 1:
        raise _refuse(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if a.size and (a.dtype in COMPLEX_DTYPES or a.dtype is BOOL):
        raise not_implemented("geometric_cpu", a.dtype)
    uniform = (generator or default_generator).doubles(a.size)
    return _filled(self, np.ceil(np.log(uniform) / math.log1p(-p)))


def successes(count: int, p: float, generator: Generator | None) -> np.ndarray:
    """True with probability `p`, that often."""
    if not 0 <= p <= 1:
        raise _refuse(f"bernoulli_ expects p to be in [0, 1], and it is {p:g}")
    return np.less((generator or default_generator).doubles(count), p)


def _check_bernoulli(a: np.ndarray, kernel_name: str) -> None:
    if a.size and a.dtype in COMPLEX_DTYPES:
        raise not_implemented(kernel_name, a.dtype)


@random_operator(
    "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)"
)
def bernoulli_tensor_(self: Tensor, p: Tensor, generator: Generator | None = None) -> Tensor:
    """True with the probability at each place of `p`."""
    a, chances = self.array, p.array
    _check_bernoulli(a, "bernoulli_tensor_cpu_self_")
    _check_kernel("bernoulli_tensor_cpu_p_", chances)
    if chances.size and not (chances.min() >= 0 and chances.max() <= 1):
        raise _refuse("Expected p_in >= 0 && p_in <= 1: bernoulli_ takes probabilities from 0 to 1")
    chances = expand(p, list(a.shape)).array
    source = generator or default_generator
    draws = source.doubles(a.size) if chances.dtype is DOUBLE else source.floats(a.size)
    limits = np.empty_like(a, dtype=draws.dtype)
    limits[...] = chances
    ordered = in_memory_order(limits)
    return _filled(self, np.less(draws, ordered.reshape(-1)))


@random_operator(
    "aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def bernoulli_(self: Tensor, p: float = 0.5, generator: Generator | None = None) -> Tensor:
    chosen = successes(self.array.size, p, generator)
    _check_bernoulli(self.array, "bernoulli_scalar_cpu_")
    return _filled(self, chosen)


@random_operator("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor")
def bernoulli(self: Tensor, generator: Generator | None = None) -> Tensor:
    return bernoulli_tensor_(Tensor(np.empty(self.array.shape, self.array.dtype)), self, generator)


@random_operator("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor")
def bernoulli_p(self: Tensor, p: float, generator: Generator | None = None) -> Tensor:
    return bernoulli_(Tensor(np.empty(self.array.shape, self.array.dtype)), p, generator)


# -- Integers ----------------------------------------------------------------------------------


def _as_held(number: int, dtype: np.dtype) -> int:
    """What becomes of an integer in a floating-point dtype, as an integer of 64 bits."""
    held = float(np.array(number).astype(dtype))
    return _LOWEST if not math.isfinite(held) or abs(held) >= 2.0**63 else int(held)


def _representable_bounds(low: int, high: int, dtype: np.dtype) -> tuple[int, int]:
    """The range whose numbers a floating-point dtype does not round out of it."""
    digits = MANTISSA_BITS[dtype]
    above = _as_held(low + 1, dtype)
    if above < low:
        low = above + (1 << (abs(low + 1).bit_length() - digits))
    below = _as_held(high - 1, dtype)
    if below >= high:
        high = below - (1 << (abs(high - 1).bit_length() - digits))
    return low, high


def _check_in_range(low: int, last: int, a: np.ndarray) -> None:
    """An error where integers do not hold the bounds, a warning where floats lose precision."""
    dtype = a.dtype
    lowest, highest = _extremes(dtype)
    for name, bound in (("from", low), ("to - 1", last)):
        if not lowest <= bound <= highest:
            raise _refuse(f"{name} is out of bounds for {C_NAMES[dtype.name]}")
    if dtype in FLOATING_DTYPES:
        limit = 1 << MANTISSA_BITS[dtype]
        for name, bound in (("from", low), ("to - 1", last)):
            if not -limit <= bound <= limit:
                warnings.warn(
                    f"{name} is out of bounds [-(2^{MANTISSA_BITS[dtype]}), "
                    f"2^{MANTISSA_BITS[dtype]}], beyond which {C_NAMES[dtype.name]} "
                    "cannot hold every integer: some are never drawn.",
                    UserWarning,
                    stacklevel=2,
                )


def _extremes(dtype: np.dtype) -> tuple[float, float]:
    if dtype is BOOL:
        return 0, 1
    if dtype in FLOATING_DTYPES:
        largest = float(finfo(dtype).max)
        return -largest, largest
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


@random_operator(
    "aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None)"
    " -> Tensor(a!)"
)
def random_from_(
    self: Tensor, from_: int, to: int | None, generator: Generator | None = None
) -> Tensor:
    """Integers from `from` on and below `to`, or up to the largest one of the dtype."""
    a = self.array
    dtype = a.dtype
    source = generator or default_generator
    if to is None and from_ == _LOWEST:
        if a.size and dtype not in _FULL_RANGE:
            raise _cannot_fill_full_range(dtype)
        return _filled(self, source.wide_draws(a.size).view(np.int64))
    if to is not None and from_ >= to:
        raise _refuse(
            f"random_ expects 'from' to be less than 'to', unlike from={from_} and to={to}"
        )
    if dtype in COMPLEX_DTYPES:
        raise _refuse(
            "random_ handles only integral, floating-point and bool dtypes, not "
            f"{scalar_name(dtype)}"
        )
    low, high = from_, _last_of(dtype) + 1 if to is None else to
    if dtype in _REALS:
        low, representable = _representable_bounds(low, high, dtype)
        high = high if to is None else representable
        if low >= high:
            raise _refuse(
                "random_ expects 'from' to be less than 'to' after both are converted to "
                f"{scalar_name(dtype)}, unlike {low} and {high}"
            )
    _check_in_range(low, high - 1, a)
    return _filled(self, source.integers(a.size, low, high))


def _cannot_fill_full_range(dtype: np.dtype) -> ScriptError:
    name = "random_full_64_bits_range_kernel_cpu"
    if dtype is BOOL or dtype is HALF or dtype in COMPLEX_DTYPES:
        return not_implemented(name, dtype)
    return _refuse(
        "random_ over all 64 bits handles only int64, double, float and bfloat16, not "
        f"{scalar_name(dtype)}"
    )


def _last_of(dtype: np.dtype) -> int:
    if dtype is BOOL:
        return 1
    return 1 << MANTISSA_BITS[dtype] if dtype in _REALS else int(np.iinfo(dtype).max)


@random_operator(
    "aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)"
)
def random_to_(self: Tensor, to: int, generator: Generator | None = None) -> Tensor:
    return random_from_(self, 0, to, generator)


@random_operator("aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)")
def random_(self: Tensor, generator: Generator | None = None) -> Tensor:
    a = self.array
    if a.dtype in COMPLEX_DTYPES:
        if a.size:
            raise not_implemented("random_kernel_cpu", a.dtype)
        return self
    return _filled(self, (generator or default_generator).any_integers(a.size, a.dtype))


# -- On copies ---------------------------------------------------------------------------------


functional_forms(
    """
    uniform_ exponential_ log_normal_ cauchy_ geometric_ bernoulli_.Tensor random_.from random_.to
    random_
    """,
    order="K",
)


@random_operator(
    "aten::normal_functional(Tensor self, float mean=0., float std=1., *,"
    " Generator? generator=None) -> Tensor"
)
def normal_functional(
    self: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    return normal_(Tensor(self.array.copy(order="K")), mean, std, generator)


@random_operator(
    "aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None,"
    " Tensor(a!) out) -> Tensor(a!)"
)
def normal_out(
    self: Tensor, mean: float, std: float, generator: Generator | None, out: Tensor
) -> Tensor:
    return write_out(SAME, out, normal_(Tensor(self.array.copy()), mean, std, generator).array, ())


@random_operator(
    "aten::_no_grad_normal_(Tensor(a!) tensor, float mean, float std,"
    " Generator? generator=None) -> Tensor(a!)"
)
def no_grad_normal_(
    tensor: Tensor, mean: float, std: float, generator: Generator | None = None
) -> Tensor:
    return normal_(tensor, mean, std, generator)


@random_operator(
    "aten::_no_grad_uniform_(Tensor(a!) tensor, float a, float b, Generator? generator=None)"
    " -> Tensor(a!)"
)
def no_grad_uniform_(
    tensor: Tensor, a: float, b: float, generator: Generator | None = None
) -> Tensor:
    return uniform_(tensor, a, b, generator)


out_forms(ANY_DTYPE, "bernoulli")
out_forms(SAME, "cauchy geometric log_normal random.from random random.to bernoulli.Tensor")
out_forms(SAME, "exponential uniform")
out_form(
    SAME,
    "bernoulli.p",
    "aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None,"
    " Tensor(a!) out) -> Tensor(a!)",
)
