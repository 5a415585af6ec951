"""What becomes of a row's elements: sums and extremes.

Sums are made of blocks. In a block, parts of it are summed up beside each other in the dtype in which is computed; the
sums of blocks are added up with more digits. Nothing of this depends on how many threads there are.
"""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.instructions import (
    Element,
    NumberElement,
    constant,
    is_floating,
    is_unsigned,
    register_type,
)
from tsc.runtime.native.fusion.row_kernel import RowText


class Accumulator:
    """The number of each row at hand; `dtype` is that of the result."""

    __slots__ = ("_code", "_lost", "_operator", "_part", "_total", "_wide", "dtype")

    def __init__(self, code: RowText, operator: str, dtype: np.dtype) -> None:
        self._code, self._operator, self.dtype = code, operator, dtype
        self._wide = DOUBLE if is_floating(dtype) and operator == "sum" else dtype
        self._part = code.number(register_type(dtype))
        self._total = code.number(register_type(self._wide))
        self._lost = code.number("double") if self._is_compensated else ""

    @property
    def _is_compensated(self) -> bool:
        """Whether what sums of blocks lose is summed up as well: there are no wider floats."""
        return self._operator == "sum" and self.dtype == DOUBLE

    def begin(self) -> None:
        self._store(self._beginning(self._wide), self._total)
        if self._is_compensated:
            self._store(constant(0.0, DOUBLE), self._lost)

    def begin_block(self) -> None:
        self._store(self._beginning(self.dtype), self._part)

    def take(self, element: Element) -> None:
        """One more element, in any order with the others of the block."""
        before = self._loaded(self._part, self.dtype)
        freely = "nsz " if self._code.space.has_lanes else "reassoc nsz "
        self._store(self._combined(before, element, freely), self._part)

    def end_block(self) -> None:
        code = self._code
        part = code.cast(self._loaded(self._part, self.dtype), self._wide)
        before = self._loaded(self._total, self._wide)
        total = self._combined(before, part, "")
        self._store(total, self._total)
        if self._is_compensated:
            self._keep_lost(before, part, total)

    def end(self) -> None:
        """Keeps the number of the row, which is not rounded to half precision."""
        code, total = self._code, self._loaded(self._total, self._wide)
        if self._is_compensated:
            on = Arithmetic(code, DOUBLE)
            whole = on.add(total, self._loaded(self._lost, DOUBLE))
            total = on.select(on.compare("ord", whole, whole), whole, total)
        self._store(code.cast(total, self.dtype), self._part)

    def result(self) -> NumberElement:
        """The number that is kept."""
        return NumberElement(self._loaded(self._part, self.dtype).name, self.dtype)

    def _keep_lost(self, before: Element, part: Element, total: Element) -> None:
        on = Arithmetic(self._code, DOUBLE)
        of_part = on.sub(total, before)
        lost = on.add(on.sub(before, on.sub(total, of_part)), on.sub(part, of_part))
        self._store(on.add(self._loaded(self._lost, DOUBLE), lost), self._lost)

    def _combined(self, a: Element, b: Element, freely: str) -> Element:
        code, type = self._code, register_type(a.dtype)
        if self._operator in ("sum", "prod"):
            verb = "add" if self._operator == "sum" else "mul"
            instruction = f"f{verb} {freely}" if is_floating(a.dtype) else f"{verb} "
            return code.element(f"{instruction}{type} {a.name}, {b.name}", a.dtype)
        extreme = "max" if self._operator == "amax" else "min"
        if is_floating(a.dtype):
            return code.intrinsic(f"{extreme}imum", a, b, freely="nsz ")
        return code.intrinsic(f"{'u' if is_unsigned(a.dtype) else 's'}{extreme}", a, b)

    def _beginning(self, dtype: np.dtype) -> Element:
        """What makes no difference."""
        if self._operator in ("sum", "prod"):
            return constant(int(self._operator == "prod"), dtype)
        if is_floating(dtype):
            return constant(-np.inf if self._operator == "amax" else np.inf, dtype)
        limits = np.iinfo(dtype)
        return constant(limits.min if self._operator == "amax" else limits.max, dtype)

    def _loaded(self, number: str, dtype: np.dtype) -> Element:
        type = register_type(dtype)
        return self._code.element(f"load {type}, ptr {self._code.place(number, type)}", dtype)

    def _store(self, value: Element, number: str) -> None:
        type = register_type(value.dtype)
        place = self._code.place(number, type)
        self._code.lines.append(f"  store {type} {value.name}, ptr {place}")
