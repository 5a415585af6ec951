"""Results of branches and loops that may be a tensor from outside, of which graphs give copies.

As long as neither is written, nobody sees that they are two. What would show it afterwards is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tsc.compiler.exir import refusals
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.tensor import Tensor


@dataclass(slots=True)
class Separations:
    """Of one graph: pairs of tensors that may be the same one in the program, and those that a write outdated."""

    _pairs: list[tuple[Tensor, Tensor]] = field(default_factory=list[tuple[Tensor, Tensor]])
    _outdated: list[Tensor] = field(default_factory=list[Tensor])

    def note(self, result: Tensor, outside: Tensor) -> None:
        """A result that may be a tensor from outside."""
        self._pairs.append((result, outside))

    def clear(self) -> None:
        """Give up all tensors."""
        self._pairs.clear()
        self._outdated.clear()

    def forget(self, result: Tensor) -> None:
        """A result is copied into what it may be."""
        self._pairs = [each for each in self._pairs if each[0] is not result]

    def before_write(self, tensor: Tensor) -> list[Tensor]:
        """A tensor is written: what it may be besides is outdated from now on."""
        found = [
            other
            for pair in self._pairs
            for one, other in (pair, pair[::-1])
            if _share(tensor, one) and not _share(tensor, other)
        ]
        self._outdated += found
        return found

    def refuse_outdated(self, tensor: Tensor) -> None:
        """Raise `ExportError` for a tensor that another one was written in the place of."""
        if any(_share(tensor, each) for each in self._outdated):
            raise ExportError(
                "data decides whether a tensor that was written is this one, too",
                hint="write to a clone() of what the branch or loop gives",
                refusal=refusals.CHANGED_OUTSIDE,
            )


def _share(first: Tensor, second: Tensor) -> bool:
    return np.may_share_memory(first.array, second.array)
