"""Nodes put where a trace is: each with the line of Python that runs, inside of the submodule that runs."""

from __future__ import annotations

import linecache
from collections.abc import Sequence

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.ir.constants import set_constant
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.source import Source, SourceRange
from tsc.compiler.types import NONE, TupleType, Type
from tsc.runtime.tracing.errors import user_frame

TRACED_FORWARD = "prim::TracedModuleForward"
"""A node around what the ``forward`` of a submodule does, until it becomes a method."""
SCOPE = "scope"


class GraphWriter:
    """Writes `graph`, node after node, with operators of one table."""

    def __init__(self, operators: OperatorTable) -> None:
        self.graph = Graph(operators)
        self.operators = operators
        self._scopes: list[str] = []
        self._ranges: dict[tuple[str, int], SourceRange] = {}

    def insert(self, kind: str, inputs: Sequence[Value] = (), outputs: int = 1) -> Node:
        """A node at the place where the trace is."""
        return self.graph.insert_node(self.create(kind, inputs, outputs))

    def create(self, kind: str | Operator, inputs: Sequence[Value] = (), outputs: int = 1) -> Node:
        node = self.graph.create(kind, inputs, outputs, self.range())
        node.scope = "/".join(self._scopes)
        return node

    def insert_operator(self, kind: str, overload: str, inputs: Sequence[Value]) -> Node:
        """A node of one known overload."""
        node = self.insert(kind, inputs)
        node.operator = self.operators.find(kind, overload)
        assert node.operator is not None, kind
        node.output.set_type(node.operator.schema.returns[0].type)
        return node

    def constant(self, value: object, type: Type | None = None) -> Value:
        return set_constant(self.insert(prim.Constant), value, type)

    def none(self) -> Value:
        return self.insert(prim.Constant).output.set_type(NONE)

    def list_of(self, values: Sequence[Value], type: Type) -> Value:
        return self.insert(prim.ListConstruct, values).output.set_type(type)

    def tuple_of(self, values: Sequence[Value], type: TupleType | None = None) -> Value:
        made = type or TupleType(tuple(value.type for value in values))
        return self.insert(prim.TupleConstruct, values).output.set_type(made)

    def range(self) -> SourceRange:
        """The line of Python that runs."""
        frame = user_frame()
        place = (frame.f_code.co_filename, frame.f_lineno)
        known = self._ranges.get(place)
        if known is None:
            text = linecache.getline(*place, frame.f_globals).rstrip("\n")
            known = self._ranges[place] = Source(text, *place).range(0, len(text))
        return known

    # -- Scopes ----------------------------------------------------------------------------------

    def push_scope(self, path: str) -> None:
        """From now on the ``forward`` of the submodule of that path runs."""
        self._scopes.append(path)
        node = self.insert(TRACED_FORWARD, outputs=0).set_attribute(SCOPE, path)
        self.graph.set_insertion_point(node.add_block())

    def pop_scope(self) -> None:
        self._scopes.pop()
        node = self.graph.insertion_point.owning_block.owning_node
        assert node is not None
        self.graph.set_insertion_point(node.next)
