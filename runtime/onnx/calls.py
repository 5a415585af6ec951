"""A call of an operator in conversion: its arguments by name, and the nodes of ONNX that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count as numbers_from
from typing import Any, Final, TypeAlias, cast

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.refusals import ONNX_CONSTANT, ONNX_SIZE
from tsc.runtime.onnx.element_types import array_of, element_type
from tsc.runtime.onnx.refusals import Refused

Converted: TypeAlias = "ir.Value | list[ir.Value]"


@dataclass(slots=True)
class GraphBuilder:
    """The nodes of one graph of ONNX, and the values that stand for nodes of the program."""

    values: dict[Node, Converted] = field(default_factory=dict[Node, Converted])
    nodes: list[ir.Node] = field(default_factory=list[ir.Node])
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    numbers: Iterator[int] = field(default_factory=numbers_from)
    """That names of values end in, each once in a model."""
    opset: int = 20

    def inner(self) -> GraphBuilder:
        """Of a graph in this one, which reads the values of this one."""
        return GraphBuilder(
            dict(self.values), metadata=self.metadata, numbers=self.numbers, opset=self.opset
        )

    def op(self, kind: str, *inputs: ir.Value | None, **attributes: Any) -> ir.Value:
        """The only result of a new node."""
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(
        self, kind: str, count: int, *inputs: ir.Value | None, **attributes: Any
    ) -> Sequence[ir.Value]:
        """The results of a new node."""
        name = f"{self.metadata.get('fx_node', 'output')}/{kind}.{next(self.numbers)}"
        outputs = [ir.Value(name=f"{name}:{place}") for place in range(count)]
        metadata = dict(self.metadata)
        given = list(inputs)
        while (
            given and given[-1] is None
        ):  # OpenVINO takes one that is left empty for one that is unknown
            given.pop()
        node = ir.node(
            *(kind, given, attributes), outputs=outputs, name=name, metadata_props=metadata
        )
        self.nodes.append(node)
        return node.outputs

    def constant(self, value: object, dtype: str = "int64") -> ir.Value:
        """A number or a list of numbers."""
        return self.op("Constant", value=ir.tensor(array_of(value, dtype)))

    def cast(self, value: ir.Value, dtype: str) -> ir.Value:
        return self.op("Cast", value, to=int(element_type(dtype)))

    def sizes(self, given: Sequence[Argument]) -> ir.Value:
        """A list of ints and of numbers that are nodes, as a tensor of one dimension."""
        if not any(isinstance(each, Node) for each in given):
            return self.constant(np.array(given, np.int64))
        parts = [self._size(each) for each in given]
        return self.op("Concat", *parts, axis=0)

    def _size(self, given: Argument) -> ir.Value:
        if not isinstance(given, Node):
            return self.constant([given])
        return self.op("Reshape", self.value_of(given), self.constant([1]))

    def value_of(self, node: Node) -> ir.Value:
        """The value of a node that has one."""
        found = self.values.get(node)
        if not isinstance(found, ir.Value):
            raise Refused(f"{node.name} is not one value")
        return found


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operator. `arguments` are by the names of the schema, defaults filled in."""

    node: Node
    arguments: Mapping[str, Argument]
    builder: GraphBuilder

    def op(self, kind: str, *inputs: ir.Value | None, **attributes: Any) -> ir.Value:
        return self.builder.op(kind, *inputs, **attributes)

    def ints(self, value: object) -> ir.Value:
        """An int or a list of ints that is known."""
        return self.builder.constant(value)

    def number(self, value: object, dtype: str | None = None) -> ir.Value:
        """A number, or an array of numbers, in the dtype of the result if no other is wanted."""
        return self.builder.constant(value, dtype or self.dtype)

    def fixed_sizes(self, name: str = "self") -> list[int]:
        """The sizes of a tensor, all of which have to be known. Raises `Refused`."""
        return [self.fixed_size(dim, name) for dim in range(self.rank(name))]

    def fixed_size(self, dim: int, name: str = "self") -> int:
        """One size of a tensor. Raises `Refused` for one that changes."""
        size = self.known(name).size[dim]
        if not isinstance(size, int):
            raise Refused(f"size {dim} of {name} changes", refusal=ONNX_SIZE)
        return size

    @property
    def result(self) -> FakeTensor:
        """What is known of the result. Raises `Refused` where it is no tensor."""
        return _tensor(self.node.meta.get("val"), self.node.name)

    @property
    def dtype(self) -> str:
        """Of the result."""
        return self.result.dtype.name

    def known(self, name: str) -> FakeTensor:
        """What is known of an argument that is a tensor."""
        given = self.arguments[name]
        return _tensor(given.meta.get("val") if isinstance(given, Node) else None, name)

    def rank(self, name: str = "self") -> int:
        return len(self.known(name).size)

    def given(self, name: str) -> bool:
        return self.arguments.get(name) is not None

    def constant(self, name: str) -> Any:
        """An argument that has to be known. Raises `Refused` for one that is computed."""
        given = self.arguments[name]
        if isinstance(given, Node):
            raise Refused(f"{name} is computed while the program runs", refusal=ONNX_CONSTANT)
        return given

    def value(self, name: str = "self", dtype: str | None = None) -> ir.Value:
        """A tensor, or a number as one; in a dtype if one is wanted."""
        given = self.arguments[name]
        if not isinstance(given, Node):
            return self.builder.constant(given, dtype or self.dtype)
        value = self.builder.value_of(given)
        known = given.meta.get("val")
        found = known.dtype.name if isinstance(known, FakeTensor) else number_type(known)
        return value if dtype in (None, found) else self.builder.cast(value, dtype)

    def dim(self, name: str = "dim", of: str = "self") -> int:
        """A dimension, counted from the front."""
        return int(self.constant(name)) % max(self.rank(of), 1)

    def list(self, name: str) -> list[Argument]:
        """A list of sizes; one number is a list of one."""
        given = self.arguments[name]
        return list(given) if isinstance(given, list | tuple) else [given]

    def pair(self, name: str, count: int) -> list[int]:
        """Known ints, one for each of so many dimensions."""
        found = self.list(name)
        if any(isinstance(each, Node) for each in found):
            raise Refused(f"{name} is computed while the program runs", refusal=ONNX_CONSTANT)
        known = [int(cast("int", each)) for each in found]
        return known * count if len(known) == 1 else known

    def in_result(self, value: ir.Value) -> ir.Value:
        """A value in the dtype of the result."""
        return self.builder.cast(value, self.dtype)

    def chosen(self, condition: ir.Value, first: ir.Value, second: ir.Value) -> ir.Value:
        """One value or the other, both of the dtype of the result, also where ONNX Runtime has no kernel for it."""
        chosen_as = _CHOSEN_AS.get(self.dtype)
        if chosen_as is None:
            return self.op("Where", condition, first, second)
        choices = [self.builder.cast(each, chosen_as) for each in (first, second)]
        return self.in_result(self.op("Where", condition, *choices))


_CHOSEN_AS = {"bool": "uint8", "int16": "int32", "uint16": "int32"}
"""Dtypes that ONNX Runtime does not choose between, and those that hold as much."""


def number_type(known: object) -> str:
    """The dtype of a number that is computed, by its symbol: floats out of tensors are called ``zuf0``, ``zuf1``, …"""
    return "float64" if "zuf" in str(known) else "int64"


def _tensor(value: object, name: str) -> FakeTensor:
    if not isinstance(value, FakeTensor):
        raise Refused(f"{name} is no tensor whose rank is known")
    return value


Convert: TypeAlias = Callable[[Call], Converted]
CONVERSIONS: Final[dict[str, Convert]] = {}
"""By the full name of an operator: ``aten::add.Tensor``, ``aten::relu``."""


COMPLEX: Final[dict[str, Convert]] = {}
"""The same, of calls that take or give complex tensors."""


def converts(*names: str) -> Callable[[Convert], Convert]:
    """Put a function in the table."""
    return lambda convert: _put(CONVERSIONS, names, convert)


def converts_complex(*names: str) -> Callable[[Convert], Convert]:
    """Put a function in the table of calls with complex tensors."""
    return lambda convert: _put(COMPLEX, names, convert)


def _put(table: dict[str, Convert], names: Sequence[str], convert: Convert) -> Convert:
    table.update(dict.fromkeys(names, convert))
    return convert


def values_in(call: Call, name: str) -> list[ir.Value]:
    """The values of a list of tensors."""
    return [call.builder.value_of(cast("Node", each)) for each in call.list(name)]
