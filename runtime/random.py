"""Random numbers that equal PyTorch's on the CPU for the same ``manual_seed``.

The engine is MT19937 (Matsumoto and Nishimura, 1998), seeded by its ``init_genrand``; NumPy's
bit generator of that name steps it. What is made of its 32-bit draws are facts about PyTorch:

- a float32 takes the low 24 bits of one draw, a float64 the low 53 of two (high half first); the
  half-precision dtypes round a float32;
- fewer than 16 normal numbers come one by one from the Box-Muller transform in float64, whose
  second value is kept for the next call; 16 or more come in blocks of 16 uniform numbers, the first
  eight giving radii and the last eight angles, and a ragged end is drawn anew as one whole block
  (in half precision without having been drawn before);
- an integer below `range` is one draw modulo `range`, or a pair of draws from 2**28 on;
- permutations are Fisher and Yates' shuffle from the front.
"""

from __future__ import annotations

import math
import os
from typing import ClassVar

import numpy as np

from compiler.types import GENERATOR
from runtime.dtypes import BFLOAT16, BOOL, COMPLEX_DOUBLE, COMPLEX_FLOAT, DOUBLE, FLOAT, HALF
from runtime.errors import ScriptError

STATE_WORDS = 624
DEFAULT_SEED = 67280421310721
WIDE_RANGE = 1 << 28
"""From this range on an integer takes two draws."""


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

    __slots__ = ("_engine", "_next_normal", "seed")

    script_type: ClassVar = GENERATOR

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._engine = np.random.MT19937()
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> None:
        """Begin anew from `seed`, of which the low 32 bits count."""
        self.seed = seed
        state = {"key": _initial_state(seed), "pos": STATE_WORDS}
        self._engine.state = {"bit_generator": "MT19937", "state": state}
        self._next_normal: float | None = None

    def __str__(self) -> str:
        return "Generator"

    def draws(self, count: int) -> np.ndarray:
        """The next `count` 32-bit draws, as uint64."""
        return self._engine.random_raw(count)

    def wide_draws(self, count: int) -> np.ndarray:
        """The next `count` 64-bit numbers, two draws each."""
        pairs = self.draws(2 * count).reshape(count, 2)
        return (pairs[:, 0] << np.uint64(32)) | pairs[:, 1]

    def doubles(self, count: int) -> np.ndarray:
        """Uniform float64 numbers in [0, 1) with 53 random bits."""
        return (self.wide_draws(count) & np.uint64((1 << 53) - 1)) * 2.0**-53

    def floats(self, count: int) -> np.ndarray:
        """Uniform float32 numbers in [0, 1) with 24 random bits."""
        bits = self.draws(count) & np.uint64((1 << 24) - 1)
        return bits.astype(np.float32) * np.float32(2.0**-24)

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
        return (unit * (kind(high) - kind(low)) + kind(low)).astype(dtype, copy=False)

    def normal(
        self, count: int, dtype: np.dtype, mean: float = 0.0, std: float = 1.0
    ) -> np.ndarray:
        """Normally distributed numbers."""
        if dtype is COMPLEX_FLOAT or dtype is COMPLEX_DOUBLE:
            part = FLOAT if dtype is COMPLEX_FLOAT else DOUBLE
            return self.normal(2 * count, part, mean, std * math.sqrt(0.5)).view(dtype)
        if count < 16:
            return np.array([self._one_normal() * std + mean for _ in range(count)]).astype(dtype)
        return self._normal_blocks(count, dtype, mean, std)

    def _one_normal(self) -> float:
        if self._next_normal is not None:
            number, self._next_normal = self._next_normal, None
            return number
        first, second = self.doubles(2).tolist()
        radius = math.sqrt(-2.0 * math.log1p(-second))
        angle = 2.0 * math.pi * first
        self._next_normal = radius * math.sin(angle)
        return radius * math.cos(angle)

    def _normal_blocks(self, count: int, dtype: np.dtype, mean: float, std: float) -> np.ndarray:
        whole = count - count % 16
        is_half = dtype in (HALF, BFLOAT16)
        compute = FLOAT if is_half else dtype
        numbers = np.empty(count, compute)
        drawn = self.uniform(whole if is_half else count, compute)
        numbers[:whole] = _box_muller(drawn[:whole], mean, std)
        if whole != count:
            numbers[-16:] = _box_muller(self.uniform(16, compute), mean, std)
        return numbers.astype(dtype, copy=False)

    def integers(self, count: int, low: int, high: int) -> np.ndarray:
        """Integers in [low, high), as int64."""
        extent = high - low
        draws = self.wide_draws(count) if extent >= WIDE_RANGE else self.draws(count)
        offsets = draws if extent >= 1 << 64 else draws % np.uint64(extent)
        return (offsets + np.uint64(low % (1 << 64))).astype(np.int64)

    def any_integers(self, count: int, dtype: np.dtype) -> np.ndarray:
        """Integers over the whole non-negative range of `dtype` (for floats: of its mantissa)."""
        if dtype is BOOL:
            return (self.draws(count) & np.uint64(1)).astype(BOOL)
        if dtype is DOUBLE:
            return (self.wide_draws(count) % np.uint64((1 << 53) + 1)).astype(DOUBLE)
        if dtype.kind in "iu":
            top = np.uint64(np.iinfo(dtype).max)
            draws = self.wide_draws(count) if dtype.itemsize == 8 else self.draws(count)
            return (draws % (top + np.uint64(1))).astype(dtype)
        bits = {FLOAT: 24, HALF: 11, BFLOAT16: 8}.get(dtype)
        if bits is None:
            raise ScriptError("RuntimeError", f"random_ expects a real dtype, got {dtype}")
        return (self.draws(count) % np.uint64((1 << bits) + 1)).astype(dtype)

    def permutation(self, count: int) -> list[int]:
        """The integers below `count` in random order."""
        order = list(range(count))
        draws = self.draws(max(count - 1, 0)).astype(np.int64)
        steps = (draws % np.arange(count, 1, -1)).tolist()
        for position, step in enumerate(steps):
            other = position + step
            order[position], order[other] = order[other], order[position]
        return order

    def exponential(self, count: int, dtype: np.dtype, rate: float) -> np.ndarray:
        return (-1.0 / rate * np.log1p(-self.doubles(count))).astype(dtype)


def _box_muller(uniform: np.ndarray, mean: float, std: float) -> np.ndarray:
    """Normal numbers from blocks of 16 uniform ones."""
    blocks = uniform.reshape(-1, 16)
    kind = uniform.dtype.type
    radius = np.sqrt(kind(-2) * np.log(kind(1) - blocks[:, :8]))
    angle = kind(2 * math.pi) * blocks[:, 8:]
    pairs = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return (pairs * kind(std) + kind(mean)).reshape(-1)


def unforeseeable_seed() -> int:
    """63 bits from the operating system."""
    return int.from_bytes(os.urandom(8)) >> 1


default_generator = Generator(unforeseeable_seed())
"""The generator of every operator that is not given one."""


def manual_seed(seed: int) -> Generator:
    """Begin the default generator anew from `seed`.

    Raises:
        ScriptError: `seed` has more than 64 bits.
    """
    if not -(2**63) <= seed < 2**64:
        raise ScriptError("RuntimeError", f"Overflow when unpacking long: seed {seed}")
    default_generator.manual_seed(seed % 2**64)
    return default_generator
