"""Random numbers that equal PyTorch's on the CPU for the same ``manual_seed``.

The engine is MT19937 (Matsumoto and Nishimura, 1998), seeded by its ``init_genrand``; NumPy's
bit generator of that name steps it. What is made of its 32-bit draws are facts about PyTorch:

- a float32 takes the low 24 bits of one draw, a float64 the low 53 of two (high half first); the
  half-precision dtypes round a float32;
- fewer than 16 normal numbers come one by one from the Box-Muller transform in float64, whose
  second value is kept for the next call; 16 or more come in blocks of 16 uniform numbers, the first
  eight giving radii and the last eight angles, and a ragged end is drawn anew as one whole block
  (in half precision without having been drawn before);
- logarithm, sine and cosine of float32 blocks are the polynomials of `runtime.random.cephes`, those of
  float64 numbers the C library's;
- an integer below `range` is one draw modulo `range`, or a pair of draws from 2**28 on;
- permutations are Fisher and Yates' shuffle from the front.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from tsc.compiler.types import GENERATOR
from tsc.runtime.arrays.dtypes import (
    BFLOAT16,
    BOOL,
    COMPLEX_DOUBLE,
    COMPLEX_FLOAT,
    DOUBLE,
    FLOAT,
    HALF,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import is_available
from tsc.runtime.context.native_hooks import native_arrays
from tsc.runtime.random import cephes, libm
from tsc.runtime.random.shuffle import shuffled

STATE_WORDS = 624
DEFAULT_SEED = 67280421310721
WIDE_RANGE = 1 << 28
"""From this range on an integer takes two draws."""
MANTISSA_BITS = {FLOAT: 24, DOUBLE: 53, HALF: 11, BFLOAT16: 8}
_BLOCK = 1 << 15
_NANOSECONDS_OF_NORMAL = 40
"""What NumPy takes for a normal number."""
_LEAST_WORK = 200_000
"""Nanoseconds of NumPy for which native code is made or loaded."""
_LARGEST_FACTOR = 1e290
"""From here on half of a factor's bits may not be a number."""
_LARGEST_32 = (1 << 32) - 1
_LARGEST_64 = (1 << 64) - 1


def _initial_state(seed: int) -> np.ndarray:
    """``init_genrand`` of MT19937."""
    state = np.empty(STATE_WORDS, np.uint32)
    word = seed & 0xFFFFFFFF
    for position in range(STATE_WORDS):
        state[position] = word
        word = (1812433253 * (word ^ (word >> 30)) + position + 1) & 0xFFFFFFFF
    return state


class Generator:
    """A stream of random numbers; the seed of a new one is PyTorch's, unless it is given."""

    script_type: ClassVar = GENERATOR

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> Generator:
        """Begin anew from `seed`, of which the low 32 bits count; the generator itself."""
        self.seed = seed
        self._next_normal: float | None = None
        vars(self).pop("_engine", None)
        vars(self).pop("_stream", None)
        return self

    @cached_property
    def _engine(self) -> np.random.MT19937:
        """Made when numbers are first drawn: its import takes 10 ms, and most programs draw nothing."""
        engine = np.random.MT19937()
        words: Any = {"key": _initial_state(self.seed), "pos": STATE_WORDS}
        engine.state = {"bit_generator": "MT19937", "state": words}
        return engine

    @cached_property
    def _stream(self) -> np.random.Generator:
        return np.random.Generator(self._engine)

    @contextmanager
    def unmoved(self) -> Iterator[None]:
        """What is drawn here will be drawn again."""
        state, kept = self._engine.state, self._next_normal
        try:
            yield
        finally:
            self._engine.state, self._next_normal = state, kept

    def __str__(self) -> str:
        return "Generator"

    def draws(self, count: int) -> np.ndarray:
        """The next `count` 32-bit draws."""
        return self._stream.integers(0, _LARGEST_32, count, np.uint32, endpoint=True)

    def wide_draws(self, count: int) -> np.ndarray:
        """The next `count` 64-bit numbers, two draws each, the high half first."""
        return self._stream.integers(0, _LARGEST_64, count, np.uint64, endpoint=True)

    def doubles(self, count: int) -> np.ndarray:
        """Uniform float64 numbers in [0, 1) with 53 random bits."""
        bits = self.wide_draws(count)
        np.bitwise_and(bits, np.uint64((1 << 53) - 1), bits)
        return np.multiply(bits, 2.0**-53)

    def floats(self, count: int) -> np.ndarray:
        """Uniform float32 numbers in [0, 1) with 24 random bits."""
        bits = self.draws(count)
        np.bitwise_and(bits, np.uint32((1 << 24) - 1), bits)
        unit = bits.astype(np.float32)
        return np.multiply(unit, np.float32(2.0**-24), unit)

    @contextmanager
    def one_by_one(self) -> Iterator[Draws]:
        """Numbers for samplers that cannot tell beforehand how many they need.

        They are drawn in advance; when the context ends, the stream is where the last one was taken.
        """
        draws = Draws(self)
        yield draws
        draws.finish()

    def uniform(
        self, count: int, dtype: np.dtype, low: float = 0.0, high: float = 1.0
    ) -> np.ndarray:
        """Uniform numbers in [low, high)."""
        if dtype is COMPLEX_FLOAT or dtype is COMPLEX_DOUBLE:
            part = FLOAT if dtype is COMPLEX_FLOAT else DOUBLE
            return self.uniform(2 * count, part, low, high).view(dtype)
        unit = self.doubles(count) if dtype is DOUBLE else self.floats(count)
        if low == 0.0 and high == 1.0:
            return unit.astype(dtype, copy=False)
        kind = unit.dtype.type
        return _scaled(unit, kind(high) - kind(low), kind(low)).astype(dtype, copy=False)

    def normal(
        self, count: int, dtype: np.dtype, mean: float = 0.0, std: float = 1.0
    ) -> np.ndarray:
        """Normally distributed numbers."""
        if dtype is COMPLEX_FLOAT or dtype is COMPLEX_DOUBLE:
            part = FLOAT if dtype is COMPLEX_FLOAT else DOUBLE
            return self.normal(2 * count, part, mean, std * math.sqrt(0.5)).view(dtype)
        if count < 16:
            return self.double_normals(count, mean, std).astype(dtype, copy=False)
        return self._normal_blocks(count, dtype, mean, std)

    def double_normals(self, count: int, mean: float = 0.0, std: float = 1.0) -> np.ndarray:
        """Normal float64 numbers that come one by one."""
        kept = [] if self._next_normal is None or not count else [self._next_normal]
        pairs = (count - len(kept) + 1) // 2
        first, second = self.doubles(2 * pairs).reshape(-1, 2).T
        radius = np.sqrt(-2.0 * libm.log1p(-second))
        angle = 2.0 * math.pi * first
        made = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).reshape(-1)
        numbers = np.concatenate([kept, made])
        if count:
            self._next_normal = float(numbers[-1]) if len(numbers) > count else None
        if std == 1.0 and mean == 0.0:
            return numbers[:count]
        return _scaled(numbers[:count], np.float64(std), np.float64(mean))

    def _normal_blocks(self, count: int, dtype: np.dtype, mean: float, std: float) -> np.ndarray:
        whole = count - count % 16
        if dtype is FLOAT and is_available() and count * _NANOSECONDS_OF_NORMAL >= _LEAST_WORK:
            return self._native_blocks(count, mean, std)
        is_half = dtype in (HALF, BFLOAT16)
        compute = FLOAT if is_half else dtype
        numbers = np.empty(count, compute)
        drawn = self.uniform(whole if is_half else count, compute)
        functions = _OF_THE_C_LIBRARY if is_half or compute is DOUBLE else _OF_POLYNOMIALS
        numbers[:whole] = _box_muller(drawn[:whole], mean, std, functions)
        if whole != count:
            numbers[-16:] = _box_muller(self.uniform(16, compute), mean, std, functions)
        return numbers.astype(dtype, copy=False)

    def _native_blocks(self, count: int, mean: float, std: float) -> np.ndarray:
        """The same of float32 by native code."""
        rest = count % 16
        drawn = self.draws(count)[: count - rest]
        numbers = np.empty(count, FLOAT)
        numbers[: count - rest] = native_arrays().normals(drawn)
        if std != 1.0 or mean != 0.0:
            _scaled(numbers[: count - rest], FLOAT.type(std), FLOAT.type(mean))
        if rest:
            numbers[-16:] = _box_muller(self.uniform(16, FLOAT), mean, std, _OF_POLYNOMIALS)
        return numbers

    def integers(self, count: int, low: int, high: int) -> np.ndarray:
        """Integers in [low, high), as int64."""
        extent = high - low
        if extent < WIDE_RANGE:
            draws = self.draws(count)
            offsets = np.remainder(draws, np.uint32(extent), draws).astype(np.int64)
            return np.add(offsets, low, offsets)
        wide = self.wide_draws(count)
        if extent < 1 << 64:
            np.remainder(wide, np.uint64(extent), wide)
        return np.add(wide, np.uint64(low % (1 << 64)), wide).view(np.int64)

    def any_integers(self, count: int, dtype: np.dtype) -> np.ndarray:
        """Integers over the whole non-negative range of `dtype` (for floats: of its mantissa)."""
        if dtype is BOOL:
            return (self.draws(count) & np.uint32(1)).astype(BOOL)
        if dtype is DOUBLE:
            return (self.wide_draws(count) % np.uint64((1 << 53) + 1)).astype(DOUBLE)
        if dtype.kind in "iu":
            draws = self.wide_draws(count) if dtype.itemsize == 8 else self.draws(count)
            top = draws.dtype.type(np.iinfo(dtype).max)
            return (draws % (top + draws.dtype.type(1))).astype(dtype)
        bits = MANTISSA_BITS[dtype]
        return (self.draws(count) % np.uint32((1 << bits) + 1)).astype(dtype)

    def permutation(self, count: int) -> np.ndarray:
        """The integers below `count` in random order."""
        return shuffled(count, self.draws(max(count - 1, 0)))

    def exponential(self, count: int, dtype: np.dtype, rate: float) -> np.ndarray:
        return (-1.0 / rate * libm.log1p(-self.doubles(count))).astype(dtype)


def _scaled(numbers: np.ndarray, factor: np.floating, offset: np.floating) -> np.ndarray:
    """`numbers * factor + offset`, written over `numbers`, rounded once as by a fused operation."""
    if offset == 0 or not abs(float(factor)) < _LARGEST_FACTOR:
        np.multiply(numbers, factor, numbers)
        return np.add(numbers, offset, numbers)
    for start in range(0, len(numbers), _BLOCK):
        block = numbers[start : start + _BLOCK]
        if numbers.dtype == FLOAT:
            block[:] = block.astype(DOUBLE) * float(factor) + float(offset)
        else:
            block[:] = _fused(block, float(factor), float(offset))
    return numbers


def _fused(numbers: np.ndarray, factor: float, offset: float) -> np.ndarray:
    """In float64, with the errors of the product (Dekker, 1971) and of the sum (Knuth) added at the end."""
    product = numbers * factor
    (high, low), (factor_high, factor_low) = _halves(numbers), _halves(factor)
    error = (high * factor_high - product) + high * factor_low + low * factor_high
    error += low * factor_low
    total = product + offset
    added = total - product
    error += (product - (total - added)) + (offset - added)
    return total + error


def _halves(numbers: Any) -> tuple[Any, Any]:
    """The upper 26 bits of numbers, and the rest."""
    scaled = numbers * float((1 << 27) + 1)
    high = scaled - (scaled - numbers)
    return high, numbers - high


def _logarithm(numbers: np.ndarray) -> np.ndarray:
    return libm.log(numbers) if numbers.dtype == DOUBLE else np.log(numbers)


def _sine_and_cosine(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.sin(angles), np.cos(angles)


_OF_THE_C_LIBRARY = _logarithm, _sine_and_cosine
_OF_POLYNOMIALS = cephes.logarithm, cephes.sine_and_cosine


def _box_muller(uniform: np.ndarray, mean: float, std: float, functions: Any) -> np.ndarray:
    """Normal numbers from blocks of 16 uniform ones; `functions` are a logarithm, and sine with cosine."""
    result = np.empty_like(uniform)
    for start in range(0, len(uniform), _BLOCK):
        drawn = uniform[start : start + _BLOCK].reshape(-1, 2, 8)
        made = result[start : start + _BLOCK].reshape(-1, 2, 8)
        _normal_pairs(drawn, functions, made)
    if std != 1.0 or mean != 0.0:
        _scaled(result, uniform.dtype.type(std), uniform.dtype.type(mean))
    return result


def _normal_pairs(drawn: np.ndarray, functions: Any, made: np.ndarray) -> None:
    logarithm, sine_and_cosine = functions
    kind = drawn.dtype.type
    radius = logarithm(np.subtract(kind(1), drawn[:, 0]))
    np.multiply(radius, kind(-2), radius)
    np.sqrt(radius, radius)
    sine, cosine = sine_and_cosine(np.multiply(drawn[:, 1], kind(2 * math.pi)))
    np.multiply(cosine, radius, made[:, 0])
    np.multiply(sine, radius, made[:, 1])


class Draws:
    """Single uniform and normal numbers of a stream, drawn some time in advance."""

    __slots__ = ("_ahead", "_generator", "_state", "_taken")

    AHEAD = 512

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._draw_ahead()

    def _draw_ahead(self) -> None:
        self._state = self._generator._engine.state
        self._ahead: list[float] = self._generator.doubles(self.AHEAD).tolist()
        self._taken = 0

    def uniform(self) -> float:
        """In [0, 1), with 53 random bits."""
        if self._taken == self.AHEAD:
            self._draw_ahead()
        number = self._ahead[self._taken]
        self._taken += 1
        return number

    def normal(self) -> float:
        """Standard normal, from pairs; the second one is kept for the next call."""
        kept = self._generator._next_normal
        if kept is not None:
            self._generator._next_normal = None
            return kept
        first = self.uniform()
        radius = math.sqrt(-2.0 * math.log1p(-self.uniform()))
        angle = 2.0 * math.pi * first
        self._generator._next_normal = radius * math.sin(angle)
        return radius * math.cos(angle)

    def finish(self) -> None:
        """Put back what was not taken."""
        self._generator._engine.state = self._state
        self._generator.wide_draws(self._taken)


def unforeseeable_seed() -> int:
    """63 bits from the operating system."""
    return int.from_bytes(os.urandom(8)) >> 1


default_generator = Generator(unforeseeable_seed())
"""The generator of every operator that is not given one."""


def manual_seed(seed: int) -> Generator:
    """Begin the random numbers of the default generator anew; equal seeds give the numbers PyTorch gives.

    Raises:
        ScriptError: `seed` is no int of 64 bits.
    """
    if not isinstance(seed, (int, np.integer)):
        raise ScriptError("TypeError", f"a seed is an int, not a {type(seed).__name__}")
    if not -(2**63) <= seed < 2**64:
        raise ScriptError("RuntimeError", f"Overflow when unpacking long: seed {seed}")
    default_generator.manual_seed(seed % 2**64)
    return default_generator
