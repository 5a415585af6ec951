"""Equal elements go where PyTorch's unstable algorithms leave them.

The expected orders were taken from PyTorch 2.13: ``torch.sort``, ``torch.topk``, ``torch.kthvalue``.
"""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.numerics.unstable_order import (
    first_as_partial_sort,
    kth_as_quickselect,
    selected_as_introselect,
    sorted_as_introsort,
)

ROW = np.array([(7 * i * i + 3 * i) % 5 for i in range(40)])


def test_introsort_leaves_equal_elements_as_pytorch() -> None:
    assert sorted_as_introsort(ROW[None])[0].tolist() == [
        1, 36, 35, 31, 30, 26, 25, 21, 20, 16, 15, 11, 10, 5, 0, 6, 8, 28, 3, 23,
        33, 18, 38, 13, 34, 39, 2, 32, 37, 4, 29, 27, 24, 22, 7, 19, 17, 9, 14, 12,
    ]  # fmt: skip


def test_rows_are_sorted_independently() -> None:
    rows = np.stack([ROW, ROW[::-1], np.sort(ROW)])
    together = sorted_as_introsort(rows)
    alone = [sorted_as_introsort(row[None])[0] for row in rows]
    assert (together == np.stack(alone)).all()


@pytest.mark.parametrize("length", [1, 16, 17, 100, 3000])
def test_introsort_sorts(length: int) -> None:
    row = np.random.RandomState(length).randint(0, 9, (1, length))
    order = sorted_as_introsort(row)
    assert sorted(order[0].tolist()) == list(range(length))
    assert (np.diff(row[0][order[0]]) >= 0).all()


def organ_pipes_against_medians(length: int) -> np.ndarray:
    """A row on which medians of three are always small (Musser's killer sequence)."""
    half = length // 2
    row = np.empty(length, np.int64)
    for i in range(half):
        row[i] = i + 1 if i % 2 == 0 else half + i + (half % 2)
        row[half + i] = 2 * (i + 1)
    return row


def test_introsort_sorts_what_makes_quicksort_quadratic() -> None:
    row = organ_pipes_against_medians(4096)
    order = sorted_as_introsort(row[None])[0]
    assert (np.diff(row[order]) >= 0).all()


def test_introselect_leaves_the_smallest_as_pytorch() -> None:
    assert selected_as_introselect(ROW[None], 6, True)[0].tolist() == [20, 25, 21, 26, 16, 15]


def test_partial_sort_leaves_the_smallest_as_pytorch() -> None:
    row = np.array([(i * i) % 3 for i in range(128)])
    assert first_as_partial_sort(row, 2).tolist() == [3, 0]


@pytest.mark.parametrize(("k", "position"), [(0, 15), (7, 11), (20, 3), (39, 39)])
def test_quickselect_chooses_among_equals_as_pytorch(k: int, position: int) -> None:
    assert kth_as_quickselect(ROW, k) == position
