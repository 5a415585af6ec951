"""Where sorting and selecting that are not stable leave equal elements.

PyTorch sorts, takes the largest and finds modes with C++'s ``sort``, ``nth_element`` and
``partial_sort``, and k-th values with a quickselect. Which of several equal elements comes first,
or is chosen, follows from those algorithms. Here they run on ranks: ints that are equal where the
elements are. Introsort (Musser 1997) is that of GNU's library: a median of three, Hoare's
partition, insertion sort below a threshold, heapsort when it goes too deep; all partitions of a
depth are made at once.
"""

from __future__ import annotations

import numpy as np

LIMIT = 1 << 15
"""Rows with equal elements are ordered as PyTorch does up to so many elements, then stably."""
SCAN_LIMIT = 1 << 18
"""The same for ``partial_sort``, which passes its rows once."""

_THRESHOLD = 16  # introsort leaves segments of this length to insertion sort
_SELECTION_THRESHOLD = 3


def sorted_as_introsort(ranks: np.ndarray) -> np.ndarray:
    """The order in which ``std::sort`` leaves each row of `ranks`."""
    rows, length = ranks.shape
    keys = ranks.reshape(-1).copy()
    order = np.tile(np.arange(length), rows)
    low = np.arange(rows) * length
    high = low + length
    depth = 2 * (length.bit_length() - 1)
    while True:
        long = high - low > _THRESHOLD
        low, high = low[long], high[long]
        if not low.size:
            break
        if not depth:
            _sort_by_heap(keys, order, low, high)
            break
        depth -= 1
        cut = _partition(keys, order, low, high)
        low, high = np.concatenate((low, cut)), np.concatenate((cut, high))
    return _stably_sorted(keys.reshape(ranks.shape), order.reshape(ranks.shape))


def _stably_sorted(keys: np.ndarray, order: np.ndarray) -> np.ndarray:
    """`order` after an insertion sort by `keys`, along the last dimension."""
    return np.take_along_axis(order, np.argsort(keys, -1, "stable"), -1)


def _swap(keys: np.ndarray, order: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    keys[a], keys[b] = keys[b], keys[a]
    order[a], order[b] = order[b], order[a]


def _move_median_to_front(
    keys: np.ndarray, order: np.ndarray, low: np.ndarray, high: np.ndarray
) -> None:
    """Swap the median of the second, the middle and the last element to the front of a segment."""
    second, middle, last = low + 1, low + (high - low) // 2, high - 1
    a, b, c = keys[second], keys[middle], keys[last]
    rising = np.where(b < c, middle, np.where(a < c, last, second))
    falling = np.where(a < c, second, np.where(b < c, last, middle))
    _swap(keys, order, low, np.where(a < b, rising, falling))


def _partition(
    keys: np.ndarray, order: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Partition the segments from `low` to `high` around a median of three; where each is cut.

    Hoare's scan from the left stops at elements that are not below the pivot, the one from the
    right at those not above it; the k-th stops are swapped as long as they have not met.
    """
    _move_median_to_front(keys, order, low, high)
    counts = high - low - 1
    ends = np.cumsum(counts)
    segment = np.repeat(np.arange(low.size), counts)
    position = np.arange(ends[-1]) - np.repeat(ends - counts, counts) + low[segment] + 1
    inner, pivot = keys[position], keys[low][segment]
    left, right = np.flatnonzero(inner >= pivot), np.flatnonzero(inner <= pivot)
    left_count = np.bincount(segment[left], minlength=low.size)
    right_count = np.bincount(segment[right], minlength=low.size)
    left_start = np.cumsum(left_count) - left_count
    right_end = np.cumsum(right_count)
    nth = np.arange(left.size) - left_start[segment[left]]
    partner = right_end[segment[left]] - 1 - nth
    has_partner = nth < right_count[segment[left]]
    swapped = has_partner & (left < right[np.where(has_partner, partner, 0)])
    a, b = left[swapped], right[partner[swapped]]
    _swap(keys, order, position[a], position[b])
    swaps = np.bincount(segment[a], minlength=low.size)
    return _cuts(position, left, right, left_start, left_count, right_end, swaps, high)


def _cuts(
    position: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    left_start: np.ndarray,
    left_count: np.ndarray,
    right_end: np.ndarray,
    swaps: np.ndarray,
    high: np.ndarray,
) -> np.ndarray:
    """Where the scan from the left stops after the last swap: at its next stop, or at an element
    that the last swap put there.
    """
    more = swaps < left_count
    next_left = position[left[np.where(more, left_start + swaps, 0)]]
    last_right = position[right[np.where(swaps > 0, right_end - swaps, 0)]]
    return np.minimum(np.where(more, next_left, high), np.where(swaps > 0, last_right, high))


def selected_as_introselect(ranks: np.ndarray, count: int, sort: bool) -> np.ndarray:
    """The first `count` positions of each row after ``nth_element``, and a sort of those before."""
    rows, length = ranks.shape
    keys = ranks.reshape(-1).copy()
    order = np.tile(np.arange(length), rows)
    low = np.arange(rows) * length
    high, nth = low + length, low + count - 1
    depth = 2 * (length.bit_length() - 1)
    while (high - low > _SELECTION_THRESHOLD).any():
        long = np.flatnonzero(high - low > _SELECTION_THRESHOLD)
        if not depth:
            _select_by_heap(keys, order, low[long], nth[long], high[long])
            low[long], high[long] = nth[long], nth[long] + 1
            break
        depth -= 1
        cut = _partition(keys, order, low[long], high[long])
        below = cut <= nth[long]
        low[long] = np.where(below, cut, low[long])
        high[long] = np.where(below, high[long], cut)
    for start, end in zip(low.tolist(), high.tolist()):
        order[start:end] = _stably_sorted(keys[start:end], order[start:end])
        keys[start:end].sort()
    keys, order = keys.reshape(ranks.shape), order.reshape(ranks.shape)
    if sort and count > 1:
        before = sorted_as_introsort(keys[:, : count - 1])
        order[:, : count - 1] = np.take_along_axis(order[:, : count - 1], before, 1)
    return order[:, :count]


# -- Heaps -------------------------------------------------------------------------------------

Pair = tuple[int, int]
"""A rank and a position; only ranks are compared."""


def _sink(heap: list[Pair], hole: int, length: int, value: Pair) -> None:
    """Put `value` where `hole` is: the larger child moves up all the way, then `value` climbs."""
    top = hole
    child = 2 * hole + 2
    while child < length:
        if heap[child][0] < heap[child - 1][0]:
            child -= 1
        heap[hole] = heap[child]
        hole = child
        child = 2 * hole + 2
    if child == length:
        heap[hole] = heap[child - 1]
        hole = child - 1
    parent = (hole - 1) // 2
    while hole > top and heap[parent][0] < value[0]:
        heap[hole] = heap[parent]
        hole = parent
        parent = (hole - 1) // 2
    heap[hole] = value


def _smallest_as_heap(pairs: list[Pair], count: int) -> None:
    """Make a heap, the largest on top, of the smallest `count`, at the front of `pairs`."""
    for parent in range((count - 2) // 2, -1, -1):
        _sink(pairs, parent, count, pairs[parent])
    for position in range(count, len(pairs)):
        if pairs[position][0] < pairs[0][0]:
            value, pairs[position] = pairs[position], pairs[0]
            _sink(pairs, 0, count, value)


def _sort_heap(pairs: list[Pair], count: int) -> None:
    for last in range(count - 1, 0, -1):
        value, pairs[last] = pairs[last], pairs[0]
        _sink(pairs, 0, last, value)


def first_as_partial_sort(ranks: np.ndarray, count: int) -> np.ndarray:
    """The first `count` positions of a row after ``partial_sort``."""
    pairs = list(zip(ranks.tolist(), range(ranks.size)))
    _smallest_as_heap(pairs, count)
    _sort_heap(pairs, count)
    return np.array([position for _, position in pairs[:count]], np.int64)


def _sort_by_heap(keys: np.ndarray, order: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    for start, end in zip(low.tolist(), high.tolist()):
        places = first_as_partial_sort(keys[start:end], end - start)
        keys[start:end] = keys[start:end][places]
        order[start:end] = order[start:end][places]


def _select_by_heap(
    keys: np.ndarray, order: np.ndarray, low: np.ndarray, nth: np.ndarray, high: np.ndarray
) -> None:
    for start, wanted, end in zip(low.tolist(), nth.tolist(), high.tolist()):
        pairs = list(zip(keys[start:end].tolist(), range(end - start)))
        _smallest_as_heap(pairs, wanted - start + 1)
        pairs[0], pairs[wanted - start] = pairs[wanted - start], pairs[0]
        places = [position for _, position in pairs]
        keys[start:end] = keys[start:end][places]
        order[start:end] = order[start:end][places]


# -- Quickselect -------------------------------------------------------------------------------


def kth_as_quickselect(ranks: np.ndarray, k: int) -> int:
    """Which position of a row Sedgewick's quickselect (1978) leaves at `k`."""
    keys = ranks.tolist()
    order = list(range(len(keys)))

    def swap(a: int, b: int) -> None:
        keys[a], keys[b] = keys[b], keys[a]
        order[a], order[b] = order[b], order[a]

    left, right = 0, len(keys) - 1
    while right > left:
        if right == left + 1:
            if keys[left] > keys[right]:
                swap(left, right)
            break
        swap((left + right) // 2, left + 1)
        for a, b in ((left + 1, right), (left, right), (left + 1, left)):
            if keys[a] > keys[b]:
                swap(a, b)
        i, j, pivot = left + 1, right, keys[left]
        while True:
            i += 1
            while pivot > keys[i]:
                i += 1
            j -= 1
            while keys[j] > pivot:
                j -= 1
            if j < i:
                break
            swap(i, j)
        swap(left, j)
        if j <= k:
            left = i
        if j >= k:
            right = j - 1
    return order[k]
