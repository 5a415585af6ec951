"""The text of kernels on small arrays that lie in any way: loops over places, and what is done at each.

They are called as all kernels of groups are (`fused_kernel`). Their layout begins with the extents of the axes that are
gone through, then for each array its strides in bytes; what else they need follows, word by word.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.instructions import Element, register_type
from tsc.runtime.native.expressions.loop_text import LoopText

NAME: Final = "strided"
_HEAD: Final = (
    f"define void @{NAME}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"
)
REFUSAL: Final = -1
"""Where among the numbers of a group a kernel says that it has not computed what it should."""


class StridedText(LoopText):
    """A kernel of so many arrays, which goes through so many axes of them."""

    def __init__(self, arrays: int, rank: int, neighbours: int = 0) -> None:
        """Along the last axis all arrays go from an element to its neighbour, where there is a size of these."""
        super().__init__()
        self._neighbours = str(neighbours)
        self._arrays = [self.word("%pointers", place, "ptr") for place in range(arrays)]
        self._words = 0
        self._extents = [self.take() for _ in range(rank)]
        self._strides = [[self.take() for _ in range(rank)] for _ in range(arrays)]

    def take(self) -> str:
        """The next word of the layout; not within loops."""
        self._words += 1
        return self.word("%layout", self._words - 1)

    @contextmanager
    def places(self) -> Iterator[list[str]]:
        """Turns for all places: where each array begins there."""
        bases = self._arrays
        with ExitStack() as nest:
            for axis, extent in enumerate(self._extents):
                bounds = ("%begin", "%end") if axis == 0 else ("0", extent)
                index = nest.enter_context(self.loop(*bounds))
                steps = [each[axis] for each in self._strides]
                if self._neighbours != "0" and axis == len(self._extents) - 1:
                    steps = [self._neighbours] * len(steps)
                bases = [self.moved(base, (index, step)) for base, step in zip(bases, steps)]
            yield bases

    def refuse_if(self, condition: str) -> None:
        """Leave what is computed to the operators of the group."""
        with self.when(condition):
            place = self.add(f"getelementptr i64, ptr %numbers, i64 {REFUSAL}")
            self.lines.append(f"  store i64 1, ptr {place}")

    def variable(self, begins: Element) -> tuple[str, np.dtype]:
        """A slot for an element."""
        return self.slot(register_type(begins.dtype), begins.name), begins.dtype

    def get(self, variable: tuple[str, np.dtype]) -> Element:
        name, dtype = variable
        return self.element(f"load {register_type(dtype)}, ptr {name}", dtype)

    def put(self, value: Element, variable: tuple[str, np.dtype]) -> None:
        type = register_type(value.dtype)
        self.lines.append(f"  store {type} {value.name}, ptr {variable[0]}")

    def finished(self, *, is_short: bool = False) -> str:
        """The text; LLVM neither unrolls loops nor makes vectors of them where code is to be short, and soon made."""
        head = f"{_HEAD} minsize optsize" if is_short else _HEAD
        return "\n".join([*self.function(head), *sorted(self.intrinsics)])
