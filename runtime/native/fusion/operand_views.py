"""How operators see their operands: in the shape of what is computed, where that is another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from tsc.compiler.schema import ScalarExpression
from tsc.runtime.arrays.array import Array
from tsc.runtime.native.expressions.instructions import NotLowered


@dataclass(frozen=True, slots=True)
class Broadcast:
    """The elements in a larger shape."""

    shape: tuple[int, ...]

    def of(self, array: Array) -> Array:
        return np.broadcast_to(array, self.shape)


@dataclass(frozen=True, slots=True)
class Reshaped:
    """As many elements in another shape."""

    shape: tuple[int, ...]

    def of(self, array: Array) -> Array:
        return array.reshape(self.shape)


@dataclass(frozen=True, slots=True)
class Half:
    """The first or the second half along a dimension."""

    axis: int
    place: int

    def of(self, array: Array) -> Array:
        return np.split(array, 2, self.axis)[self.place]


View = Broadcast | Reshaped | Half
"""A step from a tensor to what is seen of it; taking it copies nothing that lies as a view needs it."""


def views_of_operand(
    expression: ScalarExpression, name: str, array: Array, result: Array, numbers: dict[str, Any]
) -> Iterator[tuple[str, tuple[View, ...]]]:
    """What a pointwise operator sees of an operand, by the names that its expression has for it.

    `numbers` are the arguments that are no tensors. Raises NotLowered.
    """
    if name in expression.channels:
        if array.dtype is not result.dtype:
            raise NotLowered
        yield name, channels(array.size, result.shape)
    elif expression.halved_along:
        axis = numbers[expression.halved_along] % max(array.ndim, 1)
        yield "first", (Half(axis, 0),)
        yield "second", (Half(axis, 1),)
    elif array.shape == result.shape:
        yield name, ()
    else:
        yield name, (Broadcast(result.shape),)


def channels(count: int, shape: tuple[int, ...]) -> tuple[View, ...]:
    """Numbers of channels, which are the second dimension, for each element."""
    return Reshaped((count, *(1,) * (len(shape) - 2))), Broadcast(shape)


class Groups:
    """Images whose channels are taken together in groups: (batch, groups, channels of one, elements of a channel)."""

    __slots__ = ("shape",)

    def __init__(self, shape: tuple[int, ...], groups: int) -> None:
        """Of images of this shape. Raises NotLowered."""
        if len(shape) < 2:
            raise NotLowered
        self.shape = shape[0], groups, shape[1] // groups, prod(shape[2:])

    def views(self, array: Array) -> tuple[View, ...]:
        """Of the images, or of a number for each channel."""
        if array.ndim != 1:
            return (Reshaped(self.shape),)
        return Reshaped((*self.shape[1:3], 1)), Broadcast(self.shape)
