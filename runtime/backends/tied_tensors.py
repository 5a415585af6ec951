"""Which tensors of a program lie in the same memory: tied weights, and views that a module keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from numpy.lib.array_utils import byte_bounds

from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.values.tensor import Tensor


def tied_tensors(program: LoadedProgram) -> dict[str, frozenset[str]]:
    """By path, the paths of all whose memory overlaps, as far as one reaches from the first byte to the last."""
    groups = [frozenset(each) for each in _overlapping({**program.constants, **program.state_dict})]
    return {path: each for each in groups for path in each}


def _overlapping(tensors: Mapping[str, Any]) -> Iterator[list[str]]:
    """Intervals in the order of their beginnings, joined while the next one begins in them."""
    intervals = sorted(
        (*byte_bounds(each.array), path)
        for path, each in tensors.items()
        if isinstance(each, Tensor) and each.has_array and each.array.size
    )
    group: list[str] = []
    reached = 0
    for low, high, path in intervals:
        if group and low >= reached:
            yield group
            group = []
        group.append(path)
        reached = max(reached, high)
    if group:
        yield group
