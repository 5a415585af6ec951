"""Where values that only kernels of a group read are kept: in one piece of memory, used again after the last use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.ir import Value
from tsc.runtime.arrays.array import Array
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel, Scratch
from tsc.runtime.native.fusion.recorded_group import RecordedGroup

_ALIGNMENT: Final = 64
"""Bytes of a cache line."""


class Arena:
    """`places` of values, in bytes, in a piece of memory of so many `bytes`."""

    __slots__ = ("bytes", "places")

    def __init__(self, group: RecordedGroup, kernels: Sequence[Kernel]) -> None:
        """Raises NotLowered for a value that does not lie in one piece."""
        stores = group.unwritten.stores
        results = {*stores.values(), *(each for each in group.graph.outputs if each not in stores)}
        last = {
            source.value: number for number, each in enumerate(kernels) for source in each.sources
        }
        self.places: dict[Value | Scratch, int] = {}
        self.bytes = 0
        live: dict[Value | Scratch, int] = {}
        for number, kernel in enumerate(kernels):
            for source in kernel.sources[: kernel.results]:
                value = source.value
                if value in results or value in live:
                    continue
                live[value] = size = _size(group, value)
                place = self.places[value] = self._free_place(live, size)
                self.bytes = max(self.bytes, place + size)
            live = {value: size for value, size in live.items() if last[value] > number}

    def _free_place(self, live: dict[Value | Scratch, int], size: int) -> int:
        """The first gap between the values that are still needed."""
        place = 0
        taken = sorted((self.places[value], live[value]) for value in live if value in self.places)
        for begin, extent in taken:
            if place + size <= begin:
                break
            place = max(place, begin + extent)
        return place


def check_dense(array: Array) -> None:
    """Raises NotLowered for an array whose elements do not lie one after another, in whatever order of axes."""
    axes = sorted((step, extent) for step, extent in zip(array.strides, array.shape) if extent != 1)
    wanted = array.itemsize
    for step, extent in axes:
        if step != wanted and array.size:
            raise NotLowered
        wanted *= extent


def _size(group: RecordedGroup, value: Value | Scratch) -> int:
    if isinstance(value, Scratch):
        return _rounded(value.bytes)
    array = group.array(value)
    check_dense(array)
    return _rounded(array.nbytes)


def _rounded(bytes: int) -> int:
    return -(-max(bytes, 1) // _ALIGNMENT) * _ALIGNMENT
