"""Counts the steps and the open calls of one execution that is under limits."""

from __future__ import annotations

from tsc.runtime.context.limits import Limits, meter_of, too_deep


class Meter:
    """Asked at each turn of a loop and at each call. Raises an error when a limit is reached."""

    __slots__ = ("_depth", "_limits", "_most", "_source", "_steps")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._most = limits.max_frames
        self._source = meter_of(limits)
        self._steps = self._source.portion()
        self._depth = -1

    def turn(self) -> None:
        """A step is taken."""
        self._steps -= 1
        if self._steps < 0:
            self._steps = self._source.portion() - 1

    def open(self) -> None:
        """A function is entered; the outermost one is free."""
        self._depth += 1
        if self._depth:
            self.turn()
            if self._depth >= self._most:
                raise too_deep(self._limits)

    def close(self) -> None:
        """A function is left."""
        self._depth -= 1

    def take(self) -> int:
        """All steps at hand, at least one: for native code, which counts them itself."""
        taken = self._steps if self._steps > 0 else self._source.portion()
        self._steps = 0
        return taken

    def give_back(self, steps: int) -> None:
        """Steps that were taken and not made."""
        self._steps += steps

    def portion(self) -> int:
        """One step for an interpreter that shares this meter."""
        self.turn()
        return 1

    def expect(self, seconds: float) -> None:
        """An operator begins that takes about so long. Raises an error if that is longer than is left."""
        self._source.expect(seconds)
