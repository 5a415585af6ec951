"""Kernels of what is computed element by element.

What a view shows of a value that is not in memory is computed there: the view is taken of what is in memory, of which
the value is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from tsc.compiler.ir import Node, Value, prim
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, LOW_PRECISION
from tsc.runtime.native.expressions.expression_lowering import Operand, lowered
from tsc.runtime.native.expressions.instructions import Element, Instructions, NotLowered
from tsc.runtime.native.fusion.fused_kernel import Pointer, kernel_text, number_parameter
from tsc.runtime.native.fusion.group_kernel import Kernel, source_of
from tsc.runtime.native.fusion.group_schedule import REPEATS, GroupSchedule, is_costly
from tsc.runtime.native.fusion.loop_space import LoopSpace
from tsc.runtime.native.fusion.operand_views import views_of_operand
from tsc.runtime.native.fusion.recorded_group import Path, RecordedGroup
from tsc.runtime.values.tensor import Tensor

_NAME: Final = "kernel"


@dataclass(frozen=True, slots=True)
class Target:
    """A value that is computed, and where to: an array that lies where another value does, or the same one."""

    value: Value
    place: Value
    array: Array


class KernelWriter:
    """Of the kernel for values of one shape."""

    def __init__(
        self, group: RecordedGroup, schedule: GroupSchedule, targets: Sequence[Target]
    ) -> None:
        self._group, self._schedule, self._targets = group, schedule, targets
        self._shape = targets[0].array.shape
        in_place = group.unwritten.stores and not group.unwritten.stores_last
        self._moment = targets[0].value if in_place else targets[0].place
        self._leaves: dict[tuple[Value, Path], Array] = {}
        self._code = Instructions()
        self._index = "%i"
        self._elements: dict[tuple[Value, Path], Element] = {}
        self._numbers: dict[int, str] = {}
        self._pointers: dict[tuple[Value, Path], Pointer] = {}

    def write(self) -> Kernel:
        group, targets = self._group, self._targets
        order = list(self._in_order((each.value, ()) for each in targets))
        self._check_places()
        results = [each.array for each in targets]
        leaves = list(self._leaves.items())
        arrays = [*results, *(array for _, array in leaves)]
        space = LoopSpace(self._shape, [array.strides for array in arrays])
        pointers = [
            Pointer(f"%p{place}", array.dtype, known_stride(array, space.strides[place][-1]))
            for place, array in enumerate(arrays)
        ]
        self._pointers = dict(zip((key for key, _ in leaves), pointers[len(results) :]))
        for target, pointer in zip(targets, pointers):
            if (target.place, ()) in self._leaves:  # what is written is read through one pointer
                self._pointers[target.place, ()] = pointer
        for key in order:
            self._elements[key] = self._element(*key)
        for target, pointer in zip(targets, pointers):
            self._code.store(self._elements[target.value, ()], pointer.address(self._code))
        text = kernel_text(_NAME, space.rank, pointers, sorted(self._numbers.items()), self._code)
        sources = [source_of(group, each.place, each.array) for each in targets]
        sources += [source_of(group, value, array) for (value, _), array in leaves]
        layout, extent = space.layout(), space.extents[0]
        return Kernel(_NAME, text, layout, extent, tuple(sources), len(targets), prod(self._shape))

    # -- What is computed of what ----------------------------------------------------------------

    def _in_order(self, wanted: Iterator[tuple[Value, Path]]) -> Iterator[tuple[Value, Path]]:
        """Values with the paths to what is needed of them, each after those that it is computed from."""
        done: set[tuple[Value, Path]] = set()
        pending = [(key, False) for key in reversed(list(wanted))]
        while pending:
            key, is_ready = pending.pop()
            if is_ready:
                yield key
            elif key not in done:
                done.add(key)
                pending.append((key, True))
                pending += [(each, False) for each in self._operands(*key)]

    def _operands(self, value: Value, path: Path) -> list[tuple[Value, Path]]:
        node = value.node
        if self._schedule.is_before(value, self._moment):
            self._see(value, path)
            return []
        if self._group.expression(node) is None:
            before = self._group.producer(value, path)
            if before is not None:
                return [before]
            self._see(value, path)
            return []
        self._check_repeats(node)
        return list(self._keys_of(node, path).values())

    def _keys_of(self, node: Node, path: Path) -> dict[str, tuple[Value, Path]]:
        """The operands that are tensors, as they are seen for the result, and from there along the path."""
        group, expression = self._group, self._group.expression(node)
        assert expression is not None
        named = group.operands(node)
        numbers = {name: group.value(each) for name, each in named.items()}
        return {
            seen: (value, (*views, *path))
            for name, value in named.items()
            if self._is_tensor(value)
            for seen, views in views_of_operand(
                expression, name, group.array(value), group.array(node.output), numbers
            )
        }

    def _is_tensor(self, value: Value) -> bool:
        return isinstance(self._group.value(value), Tensor)

    def _see(self, value: Value, path: Path) -> None:
        array = self._group.seen(value, path)
        if array.shape != self._shape:
            raise NotLowered
        self._leaves[value, path] = array

    def _check_places(self) -> None:
        """Raises NotLowered where elements are read that may be written before: those of another place."""
        written = {each.place for each in self._targets}
        if any(value in written and path for value, path in self._leaves):
            raise NotLowered

    def _check_repeats(self, node: Node) -> None:
        if is_costly(self._group.expression(node)) and self._group.array(
            node.output
        ).size * REPEATS < prod(self._shape):
            raise NotLowered

    # -- Instructions ------------------------------------------------------------------------------

    def _element(self, value: Value, path: Path) -> Element:
        node = value.node
        pointer = self._pointers.get((value, path))
        if pointer is not None:
            return self._code.load(self._address(pointer), pointer.dtype)
        expression = self._group.expression(node)
        if expression is None:
            before = self._group.producer(value, path)
            assert before is not None
            return self._elements[before]
        dtype = self._group.array(value).dtype
        operands = self._named_operands(node, path)
        compute = self._group.compute_dtype(node)
        try:
            made = lowered(
                self._code,
                expression.term,
                operands,
                compute,
                rounds_numbers=expression.rounds_numbers,
            )
        except NotLowered:
            raise NotLowered(node.kind) from None
        return self._rounded(made, dtype)

    def _address(self, pointer: Pointer) -> str:
        return pointer.address(self._code, self._index)

    def _rounded(self, made: Element, dtype: np.dtype) -> Element:
        """An element as a tensor of a dtype holds it."""
        if dtype == BOOL or dtype not in LOW_PRECISION:
            return self._code.cast(made, dtype)
        return self._code.rounded_result(self._code.cast(made, COMPUTE_DTYPE[dtype]), dtype)

    def _named_operands(self, node: Node, path: Path) -> dict[str, Operand]:
        numbers = {
            name: self._number(each)
            for name, each in self._group.operands(node).items()
            if not self._is_tensor(each)
        }
        keys = self._keys_of(node, path)
        return numbers | {name: self._elements[key] for name, key in keys.items()}

    def _number(self, value: Value) -> Operand:
        found = self._group.value(value)
        if value.node.kind != prim.Param or found is None or isinstance(found, bool):
            return found  # code is made for it, or it follows from sizes, or is a constant
        type = _NUMBER_TYPES.get(found.__class__)
        if type is None:
            raise NotLowered
        offset = self._group.inputs.index(value)
        self._numbers[offset] = type
        return number_parameter(offset, type)


_NUMBER_TYPES: Final = {float: "double", int: "i64"}


def known_stride(array: Array, stride: int) -> int | None:
    """Where elements lie beside each other, or are all the same one, the code is made for that."""
    return stride if stride in (0, array.itemsize) else None
