"""What is known of the results of an operator: its kernel runs on stand-ins, and what they have in common holds.

This serves all operators, and those of users as well, with nothing told about them. Where the results' sizes
depend on what is in the tensors, they differ between stand-ins with zeros, ones and other contents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import prod
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.analysis.metadata import METADATA_READERS
from tsc.compiler.ir import Node, constant_value, prim
from tsc.compiler.passes.known_values import (
    Elements,
    Exactly,
    Known,
    known_of_type,
    merge_known,
)
from tsc.compiler.schema import Effects
from tsc.compiler.source import Error
from tsc.compiler.types import ListType, TensorType, TupleType, Type, without_shapes
from tsc.runtime.execution.node_kernels import has_kernel, kernel_of
from tsc.runtime.execution.stand_ins import LARGEST, NotToBeTried, Sample
from tsc.runtime.random.generator import default_generator
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.tensor_type import tensor_type

_CONTENTS: Final = 4
_SAMPLES: Final = 24
_LARGE: Final = 1 << 14
"""Elements from which on an operator is not run more often than needed."""
_ENDLESS: Final = (1 << 63) - 1
_FAILURES: Final = (Error, ArithmeticError, LookupError, TypeError, ValueError, MemoryError)


def infer(node: Node, inputs: Sequence[Known]) -> list[Known] | None:
    """What is known of the outputs of a node, from what is known of its inputs; None where nothing is."""
    if node.kind == prim.Constant:
        known = known_tensor_type(constant_value(node.output))
        return None if known is None else [known]
    if node.blocks or not has_kernel(node) or _makes_much(node, inputs):
        return None
    try:
        if _is_pointwise(node) and _elements(inputs) > _LARGE:
            return _broadcast(node, inputs)
        return _merged(node, inputs)
    except NotToBeTried:
        return None


def known_tensor_type(value: object) -> TensorType | None:
    """The type of a tensor; None for what is none with elements."""
    return tensor_type(value) if isinstance(value, Tensor) and value.has_array else None


def _merged(node: Node, inputs: Sequence[Known]) -> list[Known] | None:
    """What all samples have in common."""
    types = [without_shapes(value.type) for value in node.outputs]
    nothing = list(map(known_of_type, types))
    reading = _Reading(node, inputs)
    merged: list[Known] | None = None
    for results in _results(node, inputs):
        known = list(map(reading.known, results, types))
        merged = known if merged is None else list(map(merge_known, merged, known, types))
        if merged == nothing:
            return None
    return merged


def _results(node: Node, inputs: Sequence[Known]) -> Iterator[tuple[Any, ...]]:
    """The outputs of the node for each sample that it does not refuse."""
    kernel, sizes = kernel_of(node), _sizes_in(inputs)
    contents = 2 if _elements(inputs) > _LARGE else _CONTENTS
    for number in range(_SAMPLES):
        sample = Sample(number, sizes)
        values = [sample.value(known) for known in inputs]
        if number >= contents and not sample.is_open:
            return
        with ExitStack() as stack:
            stack.enter_context(np.errstate(all="ignore"))
            if node.operator is not None and node.operator.effects is not Effects.PURE:
                stack.enter_context(default_generator.unmoved())
            try:
                result = kernel(*values)
            except _FAILURES:
                continue
        yield (result,) if len(node.outputs) == 1 else tuple(result or ())


class _Reading:
    """What the results of a node tell, by what is known of its inputs."""

    def __init__(self, node: Node, inputs: Sequence[Known]) -> None:
        tensors = list(_tensors_in(inputs))
        self._has_strides = (
            all(
                each.strides is not None
                and None not in each.strides
                and None not in (each.sizes or ())
                for each in tensors
            )
            and _elements(inputs) <= LARGEST
        )
        self._device = _common_device(tensors)
        self._is_number_known = not tensors or node.kind in METADATA_READERS

    def known(self, value: Any, type: Type) -> Known:
        if isinstance(type, TensorType) and isinstance(value, Tensor) and value.has_array:
            return self._tensor(value)
        if isinstance(value, list | tuple) and isinstance(type, ListType | TupleType):
            values = cast("Sequence[Any]", value)
            types = (type.element,) * len(values) if isinstance(type, ListType) else type.contained
            return Elements(tuple(map(self.known, values, types)), type)
        if self._is_number_known and isinstance(value, int | float | complex | str | None):
            return Exactly(value)
        return known_of_type(type)

    def _tensor(self, value: Tensor) -> TensorType:
        type = tensor_type(value)
        strides = type.strides if self._has_strides else None
        return replace(type, strides=strides, device=self._device, requires_grad=None)


def _tensors_in(known: Sequence[Known]) -> Iterator[TensorType]:
    for each in known:
        if isinstance(each, Elements):
            yield from _tensors_in(each.members)
        elif isinstance(each, TensorType):
            yield each


def _common_device(tensors: Sequence[TensorType]) -> str | None:
    """The device of results: that of all tensors, the CPU where there are none."""
    devices = {each.device for each in tensors}
    return devices.pop() if len(devices) == 1 else None if devices else "cpu"


def _elements(inputs: Sequence[Known]) -> int:
    return sum(prod(size or 1 for size in each.sizes or ()) for each in _tensors_in(inputs))


def _sizes_in(inputs: Sequence[Known]) -> list[int]:
    """A few of the sizes that tensors have: unknown ones may have to be equal to them."""
    sizes = (size for each in _tensors_in(inputs) for size in each.sizes or () if size is not None)
    return sorted(dict.fromkeys(sizes))[:4]


def _makes_much(node: Node, inputs: Sequence[Known]) -> bool:
    """Whether numbers among the inputs may be sizes of something large, which no view makes."""
    schema = node.schema
    if schema is None or any(each.alias_info is not None for each in schema.returns):
        return False
    return any(_product(known) > LARGEST for known in inputs)


def _product(known: Known) -> int:
    if isinstance(known, Exactly) and isinstance(known.value, int):
        return 0 if known.value == _ENDLESS else abs(known.value)
    if isinstance(known, Exactly) and isinstance(known.value, list):
        numbers = cast("list[Any]", known.value)
        return _product_of(numbers)
    if isinstance(known, Elements):
        return _product_of([each.value for each in known.members if isinstance(each, Exactly)])
    return 0


def _product_of(values: Sequence[Any]) -> int:
    return prod(abs(each) for each in values if isinstance(each, int) and each)


# -- Pointwise operators ---------------------------------------------------------------------


def _is_pointwise(node: Node) -> bool:
    return node.operator is not None and node.operator.expression is not None


def _broadcast(node: Node, inputs: Sequence[Known]) -> list[Known] | None:
    """Of large tensors only dtypes and ranks are tried, and sizes are broadcast."""
    merged = _merged(node, [_with_sizes_of_one(each) for each in inputs])
    shapes = [each.sizes for each in _tensors_in(inputs)]
    if merged is None or not isinstance(merged[0], TensorType):
        return merged
    if any(shape is None or None in shape for shape in shapes):
        return [replace(merged[0], sizes=merged[0].sizes and (None,) * len(merged[0].sizes))]
    try:
        sizes = np.broadcast_shapes(*(cast("tuple[int, ...]", shape) for shape in shapes))
    except ValueError:
        return None
    return [replace(merged[0], sizes=sizes, strides=None)]


def _with_sizes_of_one(known: Known) -> Known:
    if isinstance(known, TensorType) and known.sizes is not None:
        return replace(known, sizes=(1,) * len(known.sizes), strides=None)
    return known
