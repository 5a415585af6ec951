"""Shuffling by given positions is the loop of Fisher and Yates, and whole blocks of it at once."""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.random.shuffle import shuffled


def _one_by_one(count: int, distances: np.ndarray) -> list[int]:
    order = list(range(count))
    for position, distance in enumerate(distances):
        other = position + int(distance)
        order[position], order[other] = order[other], order[position]
    return order


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 255, 1000, 4099])
def test_numbers_are_swapped_one_after_the_other(count: int) -> None:
    bounds = np.arange(count, 1, -1)
    distances = (np.random.default_rng(count).random(len(bounds)) * bounds).astype(np.uint32)
    assert shuffled(count, distances).tolist() == _one_by_one(count, distances)


def test_positions_that_stay_and_positions_far_away() -> None:
    count = 500
    nowhere = np.zeros(count - 1, np.uint32)
    assert shuffled(count, nowhere).tolist() == list(range(count))
    to_the_end = np.arange(count - 1, 0, -1, np.uint32)
    assert shuffled(count, to_the_end).tolist() == _one_by_one(count, to_the_end)
