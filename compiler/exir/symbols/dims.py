"""How users say which sizes of arguments may change: by a name with a range, by another one, or by a wish."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from tsc.compiler.source import UsageError


class DimHint(Enum):
    """What is wished for a dimension without a name."""

    AUTO = "AUTO"
    DYNAMIC = "DYNAMIC"
    STATIC = "STATIC"

    def __str__(self) -> str:
        return f"Dim.{self.value}"


class Dim:
    """A size that may change, by name: ``Dim("batch", min=1, max=64)``. Equal names are one size.

    ``2 * dim`` and ``dim + 1`` are sizes that follow from it.
    """

    AUTO: ClassVar[DimHint] = DimHint.AUTO
    """Dynamic if the program allows it."""
    DYNAMIC: ClassVar[DimHint] = DimHint.DYNAMIC
    """Dynamic, or an error."""
    STATIC: ClassVar[DimHint] = DimHint.STATIC

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        if not name.isidentifier():
            raise UsageError(f"a dimension is named by an identifier, not {name!r}")
        least = 0 if min is None else min
        if least < 0 or (max is not None and max <= least):
            raise UsageError(f"Dim {name!r}: there is no size from {least} to {max}")
        self.name = name
        self.min = least
        self.max = max

    def __mul__(self, factor: int) -> DerivedDim:
        return DerivedDim(self, factor, 0) if factor > 0 else _refuse(self, f"{factor}*")

    __rmul__ = __mul__

    def __add__(self, number: int) -> DerivedDim:
        return DerivedDim(self, 1, number)

    __radd__ = __add__

    def __sub__(self, number: int) -> DerivedDim:
        return DerivedDim(self, 1, -number)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        bounds = "" if self.max is None else f", max={self.max}"
        return f"Dim({self.name!r}, min={self.min}{bounds})"


@dataclass(frozen=True)
class DerivedDim:
    """``factor * root + offset``."""

    root: Dim
    factor: int
    offset: int

    def __mul__(self, factor: int) -> DerivedDim:
        if factor <= 0:
            return _refuse(self.root, f"{factor}*")
        return DerivedDim(self.root, self.factor * factor, self.offset * factor)

    __rmul__ = __mul__

    def __add__(self, number: int) -> DerivedDim:
        return DerivedDim(self.root, self.factor, self.offset + number)

    __radd__ = __add__

    def __sub__(self, number: int) -> DerivedDim:
        return self + -number

    def __str__(self) -> str:
        product = self.root.name if self.factor == 1 else f"{self.factor}*{self.root.name}"
        if not self.offset:
            return product
        return f"{product} {'-' if self.offset < 0 else '+'} {abs(self.offset)}"


def _refuse(root: Dim, text: str) -> DerivedDim:
    raise UsageError(f"{text}{root.name} is no size: sizes grow with the one that they follow from")


DimSpec = Dim | DerivedDim | DimHint | int | None
"""What can be said of one dimension; None and a number: it is as in the example arguments."""
