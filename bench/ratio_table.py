"""The table that benchmarks print: times of tsc and of torch.jit, and how many times as long torch.jit takes."""

from __future__ import annotations

import math


class RatioTable:
    """Prints a row for each measurement as it comes; labels are as long as `width` at most."""

    def __init__(self, width: int, unit: str = "µs") -> None:
        self._width = width
        self._unit = unit
        self._units, self._digits = {"µs": (1e6, 1), "ms": (1e3, 3)}[unit]
        self._ratios: list[float] = []
        print(f"{'':{width}s} {'tsc':>12s} {'torch.jit':>12s} {'ratio':>7s}")

    def add(self, label: str, seconds: float, reference: float, note: str = "") -> None:
        """A row: the seconds of tsc, those of torch.jit, and what else there is to say."""
        self._ratios.append(reference / seconds)
        ours, theirs = self._shown(seconds), self._shown(reference)
        ratio = f"{self._ratios[-1]:7.2f}"
        print(f"{label:{self._width}s} {ours} {theirs} {ratio}{note}", flush=True)

    def _shown(self, seconds: float) -> str:
        return f"{seconds * self._units:9.{self._digits}f} {self._unit}"

    def end(self, wanted_mean: float | None = None, wanted_least: float | None = None) -> None:
        """The last rows: the geometric mean of all ratios and the least one, with what is wanted of them."""
        mean = math.exp(sum(map(math.log, self._ratios)) / len(self._ratios))
        found = (("geometric mean", mean, wanted_mean), ("least", min(self._ratios), wanted_least))
        for label, ratio, wanted in found:
            note = "" if wanted is None else f"   (wanted: at least {wanted:g})"
            print(f"{label:{self._width}s} {ratio:33.2f}{note}")
