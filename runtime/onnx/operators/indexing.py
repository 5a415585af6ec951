"""Elements by several tensors of positions, or by masks: read, and written."""

from __future__ import annotations

from dataclasses import dataclass

import onnx_ir as ir

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused

_MASKS = ("bool", "uint8")


@dataclass(frozen=True, slots=True)
class Positions:
    """Where elements are: for each of some dimensions a tensor of positions, all of one shape.

    A mask of several dimensions gives positions for each of them.
    """

    dims: list[int]
    parts: list[ir.Value]
    rank: int
    """Of the shape in which the positions meet."""

    @classmethod
    def of(cls, call: Call) -> Positions:
        dims: list[int] = []
        parts: list[ir.Value] = []
        ranks: list[int] = []
        dim = 0
        for given in call.list("indices"):
            covered, found, rank = _along(call, given)
            dims += range(dim, dim + len(found))
            parts += found
            ranks += [rank] if found else []
            dim += covered
        return cls(dims, parts, max(ranks, default=0))

    @property
    def at(self) -> int:
        """Where their shape stands among the dimensions: in place of theirs, or first if these lie apart."""
        joined = self.dims == list(range(self.dims[0], self.dims[0] + len(self.dims)))
        return self.dims[0] if joined else 0

    def order(self, rank: int) -> list[int]:
        """The dimensions of a tensor, those of the positions first."""
        return [*self.dims, *(each for each in range(rank) if each not in self.dims)]

    def result_order(self, rank: int) -> list[int]:
        """From positions first to where they stand."""
        others = list(range(self.rank, self.rank + rank - len(self.dims)))
        return [*others[: self.at], *range(self.rank), *others[self.at :]]

    def together(self, call: Call) -> ir.Value:
        """One tensor, whose last dimension goes over the dimensions."""
        met = call.op("Add", self.parts[0], call.ints(0))
        for each in self.parts[1:]:
            met = call.op("Add", met, each)
        shape, last = call.op("Shape", met), call.ints([-1])
        parts = [call.op("Unsqueeze", call.op("Expand", e, shape), last) for e in self.parts]
        return call.op("Concat", *parts, axis=-1)


def _along(call: Call, given: object) -> tuple[int, list[ir.Value], int]:
    """How many dimensions an index is for, the positions in them, and the rank of these."""
    if not isinstance(given, Node):
        return 1, [], 0
    known, value = given.meta.get("val"), call.builder.value_of(given)
    if not isinstance(known, FakeTensor):
        raise Refused("an index is no tensor whose rank is known")
    rank = len(known.size)
    if known.dtype.name not in _MASKS:
        return 1, [call.builder.cast(value, "int64")], rank
    found = call.op("NonZero", call.builder.cast(value, "bool"))
    return rank, [call.op("Gather", found, call.ints(row), axis=0) for row in range(rank)], 1


@converts("aten::index.Tensor", "aten::index.Tensor_hacked_twin")
def index(call: Call) -> ir.Value:
    """Negative positions count from the end in both."""
    positions = Positions.of(call)
    if not positions.dims:
        return call.op("Identity", call.value())
    if len(positions.dims) == 1:
        return call.op("Gather", call.value(), positions.parts[0], axis=positions.dims[0])
    rank = call.rank()
    turned = call.op("Transpose", call.value(), perm=positions.order(rank))
    found = call.op("GatherND", turned, positions.together(call))
    return call.op("Transpose", found, perm=positions.result_order(rank))


def _is_one_mask(call: Call) -> bool:
    """Whether one mask of all dimensions, and a number, are given: which is a choice."""
    given, rank = call.list("indices"), len(call.known("values").size)
    known = given[0].meta.get("val") if len(given) == 1 and isinstance(given[0], Node) else None
    if not isinstance(known, FakeTensor) or known.dtype.name != "bool":
        return False
    return len(known.size) == call.rank() and rank == 0


@converts("aten::index_put", "aten::index_put.hacked_twin", "aten::_unsafe_index_put")
def index_put(call: Call) -> ir.Value:
    """Positions first, values in the shape that reading would give, and back."""
    accumulates = bool(call.constant("accumulate"))
    if _is_one_mask(call):
        mask, value = call.builder.value_of(_node(call.list("indices")[0])), call.value()
        added = call.value("values", call.dtype)
        added = call.op("Add", value, added) if accumulates else added
        return call.chosen(mask, added, value)
    positions, rank = Positions.of(call), call.rank()
    if not positions.dims:
        shape = call.op("Shape", call.value())
        return call.op("Expand", call.value("values", call.dtype), shape)
    turned = call.op("Transpose", call.value(), perm=positions.order(rank))
    places = positions.together(call)
    values = _values(call, positions, turned, places)
    written = _written(call, turned, places, values, accumulates)
    return call.op("Transpose", written, perm=_inverse(positions.order(rank)))


def _written(
    call: Call, to: ir.Value, places: ir.Value, values: ir.Value, accumulates: bool
) -> ir.Value:
    """ONNX Runtime adds no float16: that is done in float32."""
    if not accumulates:
        return call.op("ScatterND", to, places, values)
    if call.dtype == "float16":
        to, values = (call.builder.cast(each, "float32") for each in (to, values))
    return call.in_result(call.op("ScatterND", to, places, values, reduction="add"))


def _node(given: object) -> Node:
    if not isinstance(given, Node):
        raise Refused("an index is no tensor")
    return given


def _values(call: Call, positions: Positions, turned: ir.Value, places: ir.Value) -> ir.Value:
    """In the shape that reading gives, then with the positions first."""
    order = positions.result_order(call.rank())
    sizes = [
        call.op("Shape", places, end=-1),
        call.op("Shape", turned, start=len(positions.dims)),
    ]
    first = call.op("Concat", *sizes, axis=0)
    shape = call.op("Gather", first, call.ints(order), axis=0)
    values = call.op("Expand", call.value("values", call.dtype), shape)
    return call.op("Transpose", values, perm=_inverse(order))


def _inverse(order: list[int]) -> list[int]:
    return [order.index(each) for each in range(len(order))]
