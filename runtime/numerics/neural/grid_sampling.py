"""Values of images between their pixels: (batch, channels, *extents) at points of any number.

Coordinates are in [-1, 1], the last dimension's first. Outside of an image there are zeros, or its
border, or its reflection.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.numerics.neural.resampling import in_place_sum, keys_weights

ZEROS, BORDER, REFLECTION = range(3)


def pixel_position(coordinate: np.ndarray, extent: int, align_corners: bool) -> np.ndarray:
    """Where a coordinate is, counted in pixels from the center of the first one."""
    kind = coordinate.dtype.type
    if align_corners:
        return (coordinate + kind(1)) * kind((extent - 1) / 2)
    return (coordinate + kind(1)) * kind(extent / 2) - kind(0.5)


def inside(position: np.ndarray, extent: int, padding: int, align_corners: bool) -> np.ndarray:
    """`position` moved into the image, as `padding` says."""
    if padding == REFLECTION:
        position = _reflected(position, extent, align_corners)
    if padding == ZEROS:
        return position
    kind = position.dtype.type
    return np.minimum(np.fmax(position, kind(0)), kind(extent - 1))


def _reflected(position: np.ndarray, extent: int, align_corners: bool) -> np.ndarray:
    """Folded at the outer pixels' centers, or at their edges."""
    kind = position.dtype.type
    low = kind(0) if align_corners else kind(-0.5)
    period = kind(2 * (extent - 1 if align_corners else extent))
    if period == 0:
        return np.zeros_like(position)
    distance = np.abs(position - low)
    rest = distance - np.trunc(distance / period) * period
    return np.minimum(rest, period - rest) + low


class Images:
    """Pixels by their positions; a frame of zeros stands for everything outside."""

    __slots__ = ("_first", "_flat", "_framed", "extents")

    def __init__(self, a: np.ndarray, framed: bool) -> None:
        self.extents = a.shape[2:]
        self._framed = framed
        if framed:
            frame = np.zeros((*a.shape[:2], *(n + 2 for n in self.extents)), a.dtype)
            frame[(slice(None), slice(None), *[slice(1, -1)] * len(self.extents))] = a
            a = frame
        pixels = np.moveaxis(a, 1, -1)
        self._flat = np.ascontiguousarray(pixels).reshape(-1, a.shape[1])
        self._first = np.arange(len(a), dtype=LONG)[:, np.newaxis]

    def places(self, dimension: int, position: np.ndarray) -> np.ndarray:
        """Whole positions along a dimension as indices; those outside are in the frame."""
        extent, kind = self.extents[dimension], position.dtype.type
        if self._framed:
            return np.fmin(np.fmax(position, kind(-1)), kind(extent)).astype(LONG) + 1
        place = position.astype(LONG)
        return np.clip(place, 0, extent - 1, place)

    def at(self, places: Sequence[np.ndarray]) -> np.ndarray:
        """The pixels at indices, an array (batch, points) for each dimension: (batch, points, channels)."""
        flat = self._first
        for extent, place in zip(self.extents, places):
            flat = flat * (extent + 2 * self._framed) + place
        return self._flat.take(flat, 0, mode="clip")


def nearest_samples(images: Images, positions: Sequence[np.ndarray]) -> np.ndarray:
    """(batch, points, channels)"""
    return images.at([images.places(k, np.rint(each)) for k, each in enumerate(positions)])


def linear_samples(images: Images, positions: Sequence[np.ndarray]) -> np.ndarray:
    floors = [np.floor(position) for position in positions]
    one = floors[0].dtype.type(1)
    shares = [position - floor for position, floor in zip(positions, floors)]
    weights = [(one - share, share) for share in shares]
    places = [
        (images.places(k, floor), images.places(k, floor + one)) for k, floor in enumerate(floors)
    ]

    def at_corner(sides: tuple[int, ...]) -> np.ndarray:
        weight = functools.reduce(np.multiply, [each[side] for each, side in zip(weights, sides)])
        found = images.at([each[side] for each, side in zip(places, sides)])
        return np.multiply(found, weight[..., np.newaxis], found)

    return in_place_sum(map(at_corner, itertools.product((0, 1), repeat=len(positions))))


def cubic_samples(
    images: Images, positions: Sequence[np.ndarray], padding: int, align_corners: bool
) -> np.ndarray:
    """Over four by four pixels of images of two dimensions."""
    floors = [np.floor(position) for position in positions]
    weights = [keys_weights(position - floor) for position, floor in zip(positions, floors)]
    places = [
        [
            images.places(k, inside(floor + offset, images.extents[k], padding, align_corners))
            for offset in (-1, 0, 1, 2)
        ]
        for k, floor in enumerate(floors)
    ]

    def weighted(found: np.ndarray, weight: np.ndarray) -> np.ndarray:
        return np.multiply(found, weight[..., np.newaxis], found)

    def line(row: np.ndarray) -> np.ndarray:
        columns = zip(places[1], weights[1])
        return in_place_sum(weighted(images.at([row, column]), share) for column, share in columns)

    return in_place_sum(weighted(line(row), share) for row, share in zip(places[0], weights[0]))
