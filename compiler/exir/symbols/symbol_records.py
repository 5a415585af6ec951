"""What an environment keeps of a symbol, and of a condition that was followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tsc.compiler.exir.symbols.intervals import Interval


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on sizes that this run followed, and the place in the program that decided by it.

    `operator` is one that gave no other way: its results are not known for other sizes.
    """

    condition: Any
    place: Any
    operator: str | None = None


@dataclass(slots=True)
class BackedSymbol:
    """A symbol for a size of an input: where it comes from and what the user said of it."""

    symbol: Any
    source: str
    hint: int
    declared: Interval
    is_automatic: bool = False
    """Whether the user leaves it to the program (`Dim.AUTO`)."""
