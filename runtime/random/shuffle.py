"""Fisher and Yates' shuffle from the front, all steps at once.

Step i swaps the contents of place i and of its target, which is not before it. What it brings to place i for good
is what lies at the target by then: the former content of the last place that was swapped with that target before,
or else the target's own. So each place takes its content from an earlier one, and following those
links to their ends gives the permutation.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.context.native_availability import is_large_work
from tsc.runtime.context.native_hooks import native_arrays


def shuffled(count: int, draws: np.ndarray) -> np.ndarray:
    """The integers below `count`, of which that at place i was swapped with that ``draws[i] % (count - i)`` further on.

    There are ``count - 1`` draws, of uint32.
    """
    places = np.arange(count)
    if is_large_work(count) and native_arrays().shuffle(places, draws):
        return places
    steps = draws.astype(np.int64) % np.arange(count, 1, -1)
    swaps = places[: len(steps)]
    targets = swaps + steps
    order = np.concatenate([targets, places[len(steps) :]])
    content = _content_before_own_step(places, targets)
    earlier, later = _with_the_same_target(targets, count)
    order[later] = content[earlier]
    order[len(steps) :] = content[len(steps) :]
    return order


def _content_before_own_step(places: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """What lies at each place when its own step comes."""
    swaps = places[: len(targets)]
    source = places.copy()
    elsewhere = targets != swaps
    source[targets[elsewhere]] = swaps[elsewhere]  # of several, the last one stays
    linked = np.flatnonzero(source != places)
    while linked.size:
        further = source[source[linked]]
        moved = further != source[linked]
        source[linked] = further
        linked = linked[moved]
    return source


def _with_the_same_target(targets: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps that follow each other among those with one target."""
    bits = count.bit_length()
    ordered = (targets << bits) | np.arange(len(targets))
    ordered.sort()
    step, target = ordered & ((1 << bits) - 1), ordered >> bits
    pairs = np.flatnonzero(target[1:] == target[:-1])
    return step[pairs], step[pairs + 1]
