"""Tensors of random numbers that lie in some way, and such that share memory with others."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np

import tsc

from .random_composites import Shape

FLOATS: Final = ("float32", "float64", "float16", "bfloat16")
WHOLE: Final = ("int64", "int32", "int16", "int8", "uint8", "bool")
COMPLEX: Final = ("complex64", "complex128")


def sharing(choose: random.Random, made: list[Any], place: int) -> Any:
    """A tensor that has memory in common with one that was made, which may come to lie elsewhere, or looks like it."""
    other = made[place]
    if not other.dim() or choose.random() < 0.4:
        return other
    square = [axis for axis in range(1, other.dim()) if other.size(axis) == other.size(0)]
    match choose.randrange(5):
        case 0:
            return other[:]
        case 1:
            return tsc.cat([other, other])[: other.size(0)]
        case 2 if other.size(0):
            return other[-1:].expand_as(other)
        case 3 if square:
            return other.transpose(0, square[0])
        case _:
            both, count = tsc.cat([other, other]).reshape(-1), other.numel()
            made[place] = both[:count].view(other.shape)
            return both[choose.randint(0, count) :][:count].view(other.shape)


def tensor_of(
    choose: random.Random, values: np.random.Generator, shape: Shape, dtype: str, *, exact: bool
) -> Any:
    """Of random numbers that lie in some order, with gaps, or again and again."""
    order = choose.sample(range(len(shape)), len(shape))
    sizes = [shape[axis] for axis in order]
    a = values.normal(size=sizes) * (4 if exact else 1)
    if exact and a.size and choose.random() < 0.3:
        a.flat[values.integers(a.size)] = choose.choice((np.nan, np.inf, -np.inf, -0.0, 1e30))
    if dtype in COMPLEX:
        a = a + 1j * values.normal(size=sizes)
    if dtype in WHOLE:
        a = np.nan_to_num(a, posinf=100, neginf=-100).clip(
            0 if dtype in ("uint8", "bool") else -100, 100
        )
    made = tsc.from_numpy(a).to(getattr(tsc, dtype))
    form = choose.random()
    if form < 0.25 and sizes:
        made = tsc.stack([made, made], len(sizes)).select(len(sizes), 1)
    elif form < 0.35 and sizes and sizes[0]:
        made = made[:1].expand(sizes)
    return made.permute([order.index(axis) for axis in range(len(shape))])
