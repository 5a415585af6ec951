"""The space of a kernel's loops: axes in the order in which results lie in memory, as few of them as can be."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.runtime.native.expressions.instructions import NotLowered

MOST_AXES = 5


class LoopSpace:
    """`extents` by axis, the innermost last; `strides` by array and axis, in bytes."""

    __slots__ = ("extents", "strides")

    def __init__(
        self,
        shape: Sequence[int],
        strides: Sequence[Sequence[int]],
        lying: Sequence[int] | None = None,
    ) -> None:
        """Of arrays of one shape, in the order of these strides, or of those of the first, which is a result. Raises
        NotLowered for too many axes.
        """
        steps_of_order = strides[0] if lying is None else lying
        order = sorted(
            (axis for axis, extent in enumerate(shape) if extent != 1),
            key=lambda axis: -steps_of_order[axis],
        )
        axes = [(shape[axis], [each[axis] for each in strides]) for axis in order]
        joined: list[tuple[int, list[int]]] = []
        for extent, steps in axes:
            if joined and joined[-1][1] == [step * extent for step in steps]:
                joined[-1] = (joined[-1][0] * extent, steps)
            else:
                joined.append((extent, steps))
        if not joined:
            joined.append((1, [0] * len(strides)))
        if len(joined) > MOST_AXES:
            raise NotLowered
        self.extents = [extent for extent, _ in joined]
        self.strides = [[steps[k] for _, steps in joined] for k in range(len(strides))]

    @property
    def rank(self) -> int:
        return len(self.extents)

    def split_last(self) -> tuple[int, list[int]]:
        """Takes the innermost axis away, and gives its extent and the strides along it."""
        extent, steps = self.extents.pop(), [each.pop() for each in self.strides]
        if not self.extents:
            self.extents.append(1)
            for each in self.strides:
                each.append(0)
        return extent, steps

    def layout(self) -> list[int]:
        """As a kernel takes it."""
        return [*self.extents, *(stride for steps in self.strides for stride in steps)]


class RowSpace:
    """The same for rows: axes outside of rows first, `rank` of them, then `depth` axes of a row.

    With `has_lanes`, the elements of a row lie farther from each other than those of different rows: then rows that
    lie side by side, along the last axis outside, are gone through together.
    """

    __slots__ = ("depth", "extents", "has_lanes", "rank", "strides")

    def __init__(
        self, shape: Sequence[int], axes: Sequence[int], strides: Sequence[Sequence[int]]
    ) -> None:
        """Of rows along `axes`. Raises NotLowered for too many axes."""
        first = max(range(len(strides)), key=lambda place: sum(map(bool, strides[place])))
        ordered = [strides[first], *strides]
        outer = _part(shape, [k for k in range(len(shape)) if k not in axes], ordered)
        row = _part(shape, axes, ordered)
        self.rank, self.depth = outer.rank, row.rank
        self.has_lanes = 0 < outer.strides[0][-1] < row.strides[0][-1]
        self.extents = [*outer.extents, *row.extents]
        self.strides = [[*a, *b] for a, b in zip(outer.strides[1:], row.strides[1:])]

    @property
    def near(self) -> int:
        """The axis of the innermost loop."""
        return self.rank - 1 if self.has_lanes else self.rank + self.depth - 1

    @property
    def far(self) -> range:
        """The axes of a row that the innermost loop does not go along."""
        return range(self.rank, self.rank + self.depth - (not self.has_lanes))

    def layout(self) -> list[int]:
        """As a kernel takes it."""
        return [*self.extents, *(stride for steps in self.strides for stride in steps)]


def _part(shape: Sequence[int], axes: Sequence[int], strides: Sequence[Sequence[int]]) -> LoopSpace:
    return LoopSpace([shape[k] for k in axes], [[each[k] for k in axes] for each in strides])
