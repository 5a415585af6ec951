"""SymbolicVariable: a value of a graph, on which operators and methods of tensors insert nodes instead of computing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from tsc.compiler.emit.construction import unpack_list, unpack_tuple
from tsc.compiler.ir import Graph, GraphError, Value, aten
from tsc.compiler.types import TENSOR, ListType, TupleType, Type


def _operator(kind: str) -> Callable[..., Any]:
    def insert(self: SymbolicVariable, *others: object) -> SymbolicVariable:
        return self.call(kind, self, *others)

    return insert


def _reflected(kind: str) -> Callable[..., Any]:
    def insert(self: SymbolicVariable, other: object) -> SymbolicVariable:
        return self.call(kind, other, self)

    return insert


class SymbolicVariable:
    """A helper to build graphs: ``(x + y).relu()`` inserts two nodes at the insertion point.

    Every operator is a method by its name without ``aten::``, bound as `Graph.insert` binds it. Operands may be values,
    other variables and Python's constants.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    @classmethod
    def as_new_input(
        cls, graph: Graph, name: str | None = None, type: Type = TENSOR
    ) -> SymbolicVariable:
        """A new input of a graph."""
        return cls(graph.add_input(name, type))

    def add_as_output(self) -> SymbolicVariable:
        """The graph returns this, too."""
        self.graph.register_output(self.value)
        return self

    @property
    def graph(self) -> Graph:
        return self.value.graph

    def call(self, kind: str, *args: object, **kwargs: object) -> SymbolicVariable:
        """A call of any operator: ``x.call("aten::cat", [x, y], 1)``. Raises `GraphError`."""
        return SymbolicVariable(self.graph.insert(kind, args, kwargs))

    def unpack(self, count: int | None = None) -> list[SymbolicVariable]:
        """The elements of a tuple, or of a list that has ``count`` of them when the program runs.

        Raises:
            GraphError: it is neither, or how many they are is not known.
        """
        type = self.value.type
        if isinstance(type, TupleType):
            values = unpack_tuple(self.graph, self.value)
        elif isinstance(type, ListType) and count is not None:
            values = unpack_list(self.graph, self.value, count)
        else:
            raise GraphError(
                f"how many elements {self!r} has is not known: say unpack(count) of a list"
            )
        return [SymbolicVariable(value) for value in values]

    def __iter__(self) -> Iterator[SymbolicVariable]:
        return iter(self.unpack())

    def __getitem__(self, index: Any) -> SymbolicVariable:
        type = self.value.type
        if isinstance(type, TupleType) and isinstance(index, int):
            return self.unpack()[index]
        if not type.is_subtype_of(TENSOR):
            return self.call(aten.getitem, self, index)
        if isinstance(index, slice):
            start, stop, step = cast(
                "tuple[object, object, object]", (index.start, index.stop, index.step)
            )
            return self.call(aten.slice, self, 0, start, stop, step or 1)
        return self.call(aten.select, self, 0, index)

    def __getattr__(self, name: str) -> Any:
        type = self.value.type
        if isinstance(type, TupleType) and name in (type.field_names or ()):
            return self.unpack()[(type.field_names or ()).index(name)]
        kind, operators = f"aten::{name}", self.graph.operators
        if operators is None or kind not in operators:
            raise AttributeError(f"there is no operator {kind}", name=name, obj=self)
        return partial(self.call, kind, self)

    def __bool__(self) -> bool:
        raise GraphError(f"{self!r} has no value while the graph is built: insert a prim::If")

    def __repr__(self) -> str:
        return repr(self.value)

    def __hash__(self) -> int:
        return id(self)

    __add__, __radd__ = _operator(aten.add), _reflected(aten.add)
    __sub__, __rsub__ = _operator(aten.sub), _reflected(aten.sub)
    __mul__, __rmul__ = _operator(aten.mul), _reflected(aten.mul)
    __truediv__, __rtruediv__ = _operator(aten.div), _reflected(aten.div)
    __floordiv__, __rfloordiv__ = _operator(aten.floordiv), _reflected(aten.floordiv)
    __mod__, __rmod__ = _operator(aten.remainder), _reflected(aten.remainder)
    __pow__, __rpow__ = _operator(aten.pow), _reflected(aten.pow)
    __matmul__, __rmatmul__ = _operator(aten.matmul), _reflected(aten.matmul)
    __and__, __rand__ = _operator(aten.and_), _reflected(aten.and_)
    __or__, __ror__ = _operator(aten.or_), _reflected(aten.or_)
    __xor__, __rxor__ = _operator(aten.xor), _reflected(aten.xor)
    __lshift__, __rshift__ = _operator(aten.lshift), _operator(aten.rshift)
    __lt__, __gt__ = _operator(aten.lt), _operator(aten.gt)
    __le__, __ge__ = _operator(aten.le), _operator(aten.ge)
    __eq__, __ne__ = _operator(aten.eq), _operator(aten.ne)
    __neg__, __invert__ = _operator(aten.neg), _operator(aten.bitwise_not)
    __abs__ = _operator("aten::abs")
