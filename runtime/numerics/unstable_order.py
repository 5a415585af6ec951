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


_SHIFT = 32
_RANK = -1 << _SHIFT  # the bits of an item that hold its rank; those below hold its position


def sorted_as_introsort(ranks: np.ndarray) -> np.ndarray:
    """The order in which ``std::sort`` leaves each row of `ranks`."""
    rows, length = ranks.shape
    items = _items(ranks)
    low = np.arange(rows) * length
    high = low + length
    depth = 2 * (length.bit_length() - 1)
    while True:
        long = high - low > _THRESHOLD
        low, high = low[long], high[long]
        if not low.size:
            break
        if not depth:
            _sort_by_heap(items, low, high)
            break
        depth -= 1
        cut = _partition(items, low, high)
        low, high = np.concatenate((low, cut)), np.concatenate((cut, high))
    return _positions(_stably_sorted(items.reshape(ranks.shape)))


def _items(ranks: np.ndarray) -> np.ndarray:
    """Ranks and positions in one number each, for all rows in a row."""
    return ((ranks.astype(np.int64) << _SHIFT) | np.arange(ranks.shape[1])).reshape(-1)


def _positions(items: np.ndarray) -> np.ndarray:
    return items & ~_RANK


def _stably_sorted(items: np.ndarray) -> np.ndarray:
    """The rows of `items` after an insertion sort by their ranks."""
    return np.take_along_axis(items, np.argsort(items >> _SHIFT, -1, "stable"), -1)


def _swap(items: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    items[a], items[b] = items[b], items[a]


def _move_median_to_front(items: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    """Swap the median of the second, the middle and the last item to the front of a segment."""
    second, middle, last = low + 1, low + (high - low) // 2, high - 1
    a, b, c = (items[place] >> _SHIFT for place in (second, middle, last))
    rising = np.where(b < c, middle, np.where(a < c, last, second))
    falling = np.where(a < c, second, np.where(b < c, last, middle))
    _swap(items, low, np.where(a < b, rising, falling))


def _partition(items: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Partition the segments from `low` to `high` around a median of three; where each is cut.

    Hoare's scan from the left stops at items that are not below the pivot, the one from the
    right at those not above it; the k-th stops are swapped as long as they have not met.
    """
    _move_median_to_front(items, low, high)
    counts = high - low - 1
    ends = np.cumsum(counts)
    starts = ends - counts
    position = np.arange(ends[-1]) + np.repeat(low + 1 - starts, counts)
    inner, pivot = items[position], np.repeat(items[low] & _RANK, counts)
    left = np.flatnonzero(inner >= pivot)
    right = np.flatnonzero(inner < pivot + (1 << _SHIFT))
    left_start, left_end = np.searchsorted(left, starts), np.searchsorted(left, ends)
    right_start, right_end = np.searchsorted(right, starts), np.searchsorted(right, ends)
    pairs = np.minimum(left_end - left_start, right_end - right_start)
    nth = np.arange(pairs.sum()) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    from_left = left[np.repeat(left_start, pairs) + nth]
    from_right = right[np.repeat(right_end - 1, pairs) - nth]
    swapped = from_left < from_right
    _swap(items, position[from_left[swapped]], position[from_right[swapped]])
    swaps = np.add.reduceat(swapped, np.cumsum(pairs) - pairs, dtype=np.int64)
    # After the last swap the scan from the left stops at its next stop, or at a swapped item.
    next_left, last_right = left_start + swaps, right_end - swaps
    stop = position[left[np.minimum(next_left, left.size - 1)]]
    put = position[right[np.minimum(last_right, right.size - 1)]]
    return np.minimum(np.where(next_left < left_end, stop, high), np.where(swaps > 0, put, high))


def selected_as_introselect(ranks: np.ndarray, count: int, sort: bool) -> np.ndarray:
    """The first `count` positions of each row after ``nth_element``, and a sort of those before."""
    rows, length = ranks.shape
    items = _items(ranks)
    low = np.arange(rows) * length
    high, nth = low + length, low + count - 1
    depth = 2 * (length.bit_length() - 1)
    while (high - low > _SELECTION_THRESHOLD).any():
        long = np.flatnonzero(high - low > _SELECTION_THRESHOLD)
        if not depth:
            _select_by_heap(items, low[long], nth[long], high[long])
            low[long], high[long] = nth[long], nth[long] + 1
            break
        depth -= 1
        cut = _partition(items, low[long], high[long])
        below = cut <= nth[long]
        low[long] = np.where(below, cut, low[long])
        high[long] = np.where(below, high[long], cut)
    for start, end in zip(low.tolist(), high.tolist()):
        items[start:end] = _stably_sorted(items[start:end])
    chosen = items.reshape(ranks.shape)[:, :count]
    if sort and count > 1:
        before = sorted_as_introsort(chosen[:, :-1] >> _SHIFT)
        chosen[:, :-1] = np.take_along_axis(chosen[:, :-1], before, 1)
    return _positions(chosen)


# -- Heaps -------------------------------------------------------------------------------------

Pair = tuple[float, int]
"""A key and a position; only keys are compared."""

_BLOCK = 64  # so many keys are compared with the top of a heap at once, then ever more


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


def _heap_of_smallest(keys: np.ndarray, count: int) -> list[Pair]:
    """A heap of the smallest `count`, the largest on top, as one passage over `keys` leaves it."""
    heap = list(zip(keys[:count].tolist(), range(count)))
    for parent in range((count - 2) // 2, -1, -1):
        _sink(heap, parent, count, heap[parent])
    start, size = count, _BLOCK
    while start < keys.size:
        block = keys[start : start + size]
        smaller = np.flatnonzero(block < heap[0][0])
        for key, position in zip(block[smaller].tolist(), smaller.tolist()):
            if key < heap[0][0]:
                _sink(heap, 0, count, (key, start + position))
        start += size
        size *= 2
    return heap


def _sort_heap(pairs: list[Pair], count: int) -> None:
    for last in range(count - 1, 0, -1):
        value, pairs[last] = pairs[last], pairs[0]
        _sink(pairs, 0, last, value)


def first_as_partial_sort(keys: np.ndarray, count: int) -> np.ndarray:
    """The first `count` positions of a row of any numbers but NaN after ``partial_sort``."""
    heap = _heap_of_smallest(keys, count)
    _sort_heap(heap, count)
    return np.array([position for _, position in heap], np.int64)


def _sort_by_heap(items: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    for start, end in zip(low.tolist(), high.tolist()):
        segment = items[start:end]
        segment[:] = segment[first_as_partial_sort(segment >> _SHIFT, end - start)]


def _select_by_heap(items: np.ndarray, low: np.ndarray, nth: np.ndarray, high: np.ndarray) -> None:
    for start, wanted, end in zip(low.tolist(), nth.tolist(), high.tolist()):
        segment = items[start:end]
        heap = _heap_of_smallest(segment >> _SHIFT, wanted - start + 1)
        heap[0], heap[-1] = heap[-1], heap[0]
        segment[: len(heap)] = segment[[position for _, position in heap]]


# -- Quickselect -------------------------------------------------------------------------------


def kth_as_quickselect(row: np.ndarray, k: int) -> int:
    """Which position of a row without NaN Sedgewick's quickselect (1978) leaves at `k`."""
    keys = row.tolist()
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
