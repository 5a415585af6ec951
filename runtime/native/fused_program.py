"""The kernels of a group for one kind of arguments: a kernel for each shape that results have.

Values within a group are never in memory. What a view shows of one is computed there: the view is taken of the
arguments that the value is computed from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.schema.scalar_terms import operators_in
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, LOW_PRECISION
from tsc.runtime.native.expression_lowering import COSTLY, Operand, lowered
from tsc.runtime.native.fused_kernel import Pointer, kernel_text, number_parameter
from tsc.runtime.native.instructions import Element, Instructions, NotLowered
from tsc.runtime.native.loop_space import LoopSpace
from tsc.runtime.native.recorded_group import (
    Broadcast,
    Path,
    RecordedGroup,
    expression_of,
    producer,
)
from tsc.runtime.values.tensor import Tensor

_REPEATS: Final = 4
"""How often a costly value may be computed anew, where its elements are broadcast."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an array begins: so many bytes after an input or a result of the group, or a constant array."""

    kind: str
    offset: int
    bytes: int
    constant: Array | None = None


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel, what it is called with, and how many elements it computes."""

    name: str
    text: str
    space: LoopSpace
    sources: tuple[Source, ...]
    elements: int


def kernels_of(group: RecordedGroup) -> list[Kernel]:
    """Raises NotLowered where an operator has no native code for these arguments."""
    outputs = group.graph.outputs
    shapes: dict[tuple[int, ...], list[int]] = {}
    for offset, value in enumerate(outputs):
        shapes.setdefault(group.array(value).shape, []).append(offset)
    return [
        _KernelWriter(group, f"kernel{number}", shape, offsets).write()
        for number, (shape, offsets) in enumerate(shapes.items())
    ]


class _KernelWriter:
    """Of the kernel for the results of one shape."""

    def __init__(
        self, group: RecordedGroup, name: str, shape: tuple[int, ...], outputs: Sequence[int]
    ) -> None:
        self._group, self._name, self._shape, self._outputs = group, name, shape, outputs
        self._leaves: dict[tuple[Value, Path], Array] = {}
        self._code = Instructions()
        self._elements: dict[tuple[Value, Path], Element] = {}
        self._numbers: dict[int, str] = {}
        self._pointers: dict[tuple[Value, Path], Pointer] = {}

    def write(self) -> Kernel:
        group, values = self._group, [self._group.graph.outputs[k] for k in self._outputs]
        order = list(self._in_order((value, ()) for value in values))
        results = [group.array(value) for value in values]
        leaves = list(self._leaves.items())
        arrays = [*results, *(array for _, array in leaves)]
        space = LoopSpace(self._shape, [array.strides for array in arrays])
        pointers = [
            Pointer(f"%p{place}", array.dtype, _known_stride(array, space.strides[place][-1]))
            for place, array in enumerate(arrays)
        ]
        self._pointers = dict(zip((key for key, _ in leaves), pointers[len(results) :]))
        for key in order:
            self._elements[key] = self._element(*key)
        for value, pointer in zip(values, pointers):
            self._code.store(self._elements[value, ()], pointer.address(self._code))
        text = kernel_text(
            self._name, space.rank, pointers, sorted(self._numbers.items()), self._code
        )
        sources = [Source("result", offset, 0) for offset in self._outputs]
        sources += [self._source(key[0], array) for key, array in leaves]
        return Kernel(self._name, text, space, tuple(sources), prod(self._shape))

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
        if expression_of(node) is None:
            before = producer(value, path)
            if before is not None:
                return [before]
            self._see(value, path)
            return []
        self._check_repeats(node)
        return [self._operand(node, each, path) for each in node.inputs if self._is_tensor(each)]

    def _operand(self, node: Node, value: Value, path: Path) -> tuple[Value, Path]:
        """An operand as it is seen in the shape of the result, and from there along the path."""
        shape = self._group.array(node.output).shape
        if self._group.array(value).shape == shape:
            return value, path
        return value, (Broadcast(shape), *path)

    def _is_tensor(self, value: Value) -> bool:
        return isinstance(self._group.value(value), Tensor)

    def _see(self, value: Value, path: Path) -> None:
        array = self._group.seen(value, path)
        if array.shape != self._shape:
            raise NotLowered
        self._leaves[value, path] = array

    def _check_repeats(self, node: Node) -> None:
        expression = expression_of(node)
        if expression is None or operators_in(expression.term).isdisjoint(COSTLY):
            return
        if self._group.array(node.output).size * _REPEATS < prod(self._shape):
            raise NotLowered

    # -- Instructions ------------------------------------------------------------------------------

    def _element(self, value: Value, path: Path) -> Element:
        node = value.node
        pointer = self._pointers.get((value, path))
        if pointer is not None:
            return self._code.load(pointer.address(self._code), pointer.dtype)
        expression = expression_of(node)
        if expression is None:
            before = producer(value, path)
            assert before is not None
            return self._elements[before]
        dtype = self._group.array(value).dtype
        operands = self._named_operands(node, path)
        compute = self._group.compute_dtype(node)
        made = lowered(self._code, expression.term, operands, compute)
        if dtype == BOOL or dtype not in LOW_PRECISION:
            return self._code.cast(made, dtype)
        return self._code.rounded(self._code.cast(made, COMPUTE_DTYPE[dtype]), dtype)

    def _named_operands(self, node: Node, path: Path) -> dict[str, Operand]:
        assert node.schema is not None
        names = [each.name for each in node.schema.arguments]
        return {name: self._named(node, each, path) for name, each in zip(names, node.inputs)}

    def _named(self, node: Node, value: Value, path: Path) -> Operand:
        if self._is_tensor(value):
            return self._elements[self._operand(node, value, path)]
        if value.node.kind == prim.Constant:
            return self._group.value(value)
        type = _NUMBER_TYPES.get(self._group.value(value).__class__)
        if type is None:
            raise NotLowered
        offset = self._group.inputs.index(value)
        self._numbers[offset] = type
        return number_parameter(offset, type)

    def _source(self, value: Value, array: Array) -> Source:
        base = self._group.array(value)
        distance = _address(array) - _address(base)
        if value.node.kind == prim.Constant:
            return Source("constant", 0, distance, base)
        return Source("input", self._group.inputs.index(value), distance)


_NUMBER_TYPES: Final = {float: "double", int: "i64"}


def _known_stride(array: Array, stride: int) -> int | None:
    """Where elements lie beside each other, or are all the same one, the code is made for that."""
    return stride if stride in (0, array.itemsize) else None


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
