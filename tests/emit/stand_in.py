"""An emitter for tests: a graph, a few operators, and nothing that reads trees."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from tsc.compiler.emit.acceptance import Acceptance, Reading
from tsc.compiler.emit.environment import Environment
from tsc.compiler.emit.protocols import NamedValue, Resolver, SugaredValue
from tsc.compiler.frontend.tree import Expr
from tsc.compiler.ir import Function, Graph, Value, prim
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import Source, SourceRange
from tsc.compiler.types import INFERRED_TENSOR, Type

RANGE = SourceRange(Source("call(x)"), 0, 4)

SCHEMAS = Path(__file__).parents[1] / "schema" / "data" / "pytorch_schemas.txt.gz"


@cache
def pytorch_operators() -> OperatorTable:
    """Every operator of PyTorch 2.13, in its order."""
    table = OperatorTable()
    for schema in gzip.decompress(SCHEMAS.read_bytes()).decode().splitlines():
        table.declare(schema)
    return table


class StandIn:
    """Everything sugared values ask of an emitter."""

    def __init__(self, *, strict: bool = False, resolver: Resolver | None = None) -> None:
        self.graph = Graph()
        self.operators = pytorch_operators()
        self.acceptance = Acceptance(Reading.STRICT if strict else Reading.USUAL)
        self._resolver = resolver

    @property
    def resolver(self) -> Resolver:
        assert self._resolver is not None
        return self._resolver

    @property
    def environment(self) -> Environment:
        raise AssertionError("the stand-in has no variables")

    @property
    def function(self) -> Function:
        raise AssertionError("no function is being defined")

    def emit_expression(self, tree: Expr, type_hint: Type | None = None) -> Value:
        raise AssertionError("the stand-in reads no trees")

    def emit_sugared_expression(
        self, tree: Expr, binders: int, type_hint: Type | None = None
    ) -> SugaredValue:
        raise AssertionError("the stand-in reads no trees")

    def input(self, name: str, type: Type = INFERRED_TENSOR) -> Value:
        return self.graph.add_input(name, type)

    def argument(self, value: object, name: str | None = None) -> NamedValue:
        """A constant, or a value, as an argument of a call."""
        if not isinstance(value, Value):
            value = self.graph.insert_constant(value)
        return NamedValue(value, RANGE, name)

    def arguments(self, *values: object) -> list[NamedValue]:
        return [self.argument(value) for value in values]

    def keywords(self, **values: object) -> list[NamedValue]:
        return [self.argument(value, name) for name, value in values.items()]

    def call(self, callee: SugaredValue, *args: object, **kwargs: object) -> SugaredValue:
        return callee.call(RANGE, self, self.arguments(*args), self.keywords(**kwargs), 1)

    def call_value(self, callee: SugaredValue, *args: object, **kwargs: object) -> Value:
        return self.call(callee, *args, **kwargs).as_value(RANGE, self)

    def kinds(self) -> list[str]:
        """The kinds of the nodes in the graph, constants left out."""
        return [node.kind for node in self.graph.nodes() if node.kind != prim.Constant]
