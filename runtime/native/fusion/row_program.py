"""Kernels of operators on rows: passes over a row that reduce it, and one that makes the result of its elements.

What an operator reads is computed on the way, as in kernels of what is computed element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from types import MappingProxyType
from typing import Final

import numpy as np

from tsc.compiler.schema import Term
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, LOW_PRECISION
from tsc.runtime.native.expressions.expression_lowering import Operand, lowered
from tsc.runtime.native.expressions.instructions import Element, NotLowered
from tsc.runtime.native.fusion.fused_kernel import Pointer
from tsc.runtime.native.fusion.fused_program import KernelWriter, Target, known_stride
from tsc.runtime.native.fusion.group_kernel import Kernel, source_of
from tsc.runtime.native.fusion.group_schedule import GroupSchedule
from tsc.runtime.native.fusion.loop_space import RowSpace
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.row_kernel import RowText, row_kernel_text
from tsc.runtime.native.fusion.row_operators import Reduction, RowProgram, replaced, tensors_of
from tsc.runtime.native.fusion.row_reductions import Accumulator

_NAME: Final = "rows"
_COUNT: Final = "count"
_SHARED: Final = "shared"
_LONG_ROW: Final = 1 << 13
"""Elements of a row that stays in the innermost cache while it is gone through again."""


class RowKernelWriter(KernelWriter):
    """Of the kernel for one node."""

    _body: RowText

    def __init__(self, group: RecordedGroup, schedule: GroupSchedule, target: Target) -> None:
        """Raises NotLowered for operands of several dtypes."""
        super().__init__(group, schedule, [target])
        node = target.value.node
        self._program = RowProgram(node, group)
        self._shape = self._program.shape
        self._result = target.array
        self._found: dict[str, Accumulator] = {}
        tensors = tensors_of(node, group)
        self._keys = {
            each.name: (each.value, self._program.views(group.array(each.value)))
            for each in tensors
        }
        dtypes = {group.array(each.value).dtype for each in tensors}
        self._shared = None if self._program.is_reduced else self._program.shared()
        if len(dtypes) > 1 or self._result.dtype == BOOL:
            raise NotLowered

    def write(self) -> Kernel:
        program, group = self._program, self._group
        self._order = list(self._in_order(iter(self._keys.values())))
        leaves = list(self._leaves.items())
        strides = [program.strides_of_result(self._result), *(array.strides for _, array in leaves)]
        space = RowSpace(self._shape, program.axes, strides)
        arrays = [self._result, *(array for _, array in leaves)]
        pointers = [
            Pointer(f"%p{place}", array.dtype, known_stride(array, steps[space.near]))
            for place, (array, steps) in enumerate(zip(arrays, space.strides))
        ]
        self._pointers = dict(zip((key for key, _ in leaves), pointers[1:]))
        self._code = self._body = RowText(space, pointers)
        self._kept = self._room_of_row(space) if self._result.dtype in LOW_PRECISION else ""
        self._write_row(pointers[0])
        text = row_kernel_text(_NAME, pointers, sorted(self._numbers.items()), self._body)
        sources = [source_of(group, each.place, each.array) for each in self._targets]
        sources += [source_of(group, value, array) for (value, _), array in leaves]
        layout, extent = space.layout(), space.extents[0]
        return Kernel(_NAME, text, layout, extent, tuple(sources), 1, prod(self._shape))

    def _room_of_row(self, space: RowSpace) -> str:
        """Memory for numbers of more digits than results have; none for long rows, which compute them again."""
        count = self._program.count
        if self._shared is None or space.has_lanes or space.depth > 1 or count > _LONG_ROW:
            self._shared = None
            return ""
        return self._body.room(f"[{count} x float]")

    # -- A row ---------------------------------------------------------------------------------

    def _write_row(self, result: Pointer) -> None:
        """The passes, one after another; what a pass has found is known to those that follow."""
        body, found = self._body, self._found
        reductions = list(self._program.reductions.values())
        levels = max(each.level for each in reductions) + 1
        for level in range(levels):
            shared = self._shared if level == levels - 1 else None
            these = [each for each in reductions if each.level == level]
            made = {each: Accumulator(body, each.operator, self._compute_dtype) for each in these}
            self._reduce(made, result, shared)
            found |= {reduction.name: each for reduction, each in made.items()}
        if self._program.is_reduced:
            with body.each_row() as self._index:
                self._store(self._program.term, result)
            return
        with self._each_element():
            term, known = self._program.term, {}
            if self._shared is not None:
                kept = body.load(self._kept_place(result), self._compute_dtype)
                term, known = replaced(term, self._shared, _SHARED), {_SHARED: kept}
            self._store(term, result, known)

    def _kept_place(self, result: Pointer) -> str:
        """Where it lies what the last reduction and an element of the result share."""
        if not self._kept:
            return self._address(result)
        return self._body.add(f"getelementptr float, ptr {self._kept}, i64 {self._index}")

    def _reduce(
        self, made: dict[Reduction, Accumulator], result: Pointer, shared: Term | None
    ) -> None:
        """One pass; what the result shares with it is kept."""
        body, each_one = self._body, list(made.values())
        self._for_each(each_one, Accumulator.begin)
        with body.blocks() as (begin, end):
            self._for_each(each_one, Accumulator.begin_block)
            with body.elements(begin, end) as self._index:
                self._compute_operands()
                if shared is not None:
                    body.store(self._lowered(shared), self._kept_place(result))
                for reduction, each in made.items():
                    each.take(self._lowered(reduction.term))
            self._for_each(each_one, Accumulator.end_block)
        self._for_each(each_one, Accumulator.end)

    def _for_each(self, made: list[Accumulator], step: Callable[[Accumulator], None]) -> None:
        with self._body.each_row():
            for each in made:
                step(each)

    @contextmanager
    def _each_element(self) -> Iterator[None]:
        with self._body.blocks() as (begin, end), self._body.elements(begin, end) as self._index:
            self._compute_operands()
            yield

    def _address(self, pointer: Pointer) -> str:
        return pointer.address(self._body, self._index, self._body.bases[pointer.name])

    def _compute_operands(self) -> None:
        self._elements.clear()
        for key in self._order:
            self._elements[key] = self._element(*key)

    def _store(
        self, term: Term, result: Pointer, known: Mapping[str, Operand] = MappingProxyType({})
    ) -> None:
        made = self._rounded(self._lowered(term, known), self._result.dtype)
        self._body.store(made, self._address(result))

    def _lowered(self, term: Term, known: Mapping[str, Operand] = MappingProxyType({})) -> Element:
        numbers = {name: each.result() for name, each in self._found.items()}
        operands = {**self._row_operands(), **numbers, _COUNT: self._program.count, **known}
        made = lowered(self._body, term, operands, self._result.dtype)
        return self._body.cast(made, self._compute_dtype)

    @property
    def _compute_dtype(self) -> np.dtype:
        dtype = self._result.dtype
        return COMPUTE_DTYPE[dtype] if dtype in LOW_PRECISION else dtype

    def _row_operands(self) -> dict[str, Operand]:
        """What is known of the arguments: tensors, as far as elements of them are, and numbers."""
        node = self._program.node
        assert node.schema is not None
        named = {
            each.name: self._number(value)
            for each, value in zip(node.schema.arguments, node.inputs)
            if each.name not in self._keys
        }
        known = {name: self._elements.get(key) for name, key in self._keys.items()}
        return named | known
