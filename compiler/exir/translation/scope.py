"""What every part of a translation works on: the graph that is made, and the values that stand for nodes."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from tsc.compiler.exir.arguments import Argument, TorchConstant
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.python_code import place_of
from tsc.compiler.exir.targets import Target
from tsc.compiler.ir import Graph, Value
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.compiler.types.tensor_options import LAYOUTS, MEMORY_FORMATS, Device

Translated: TypeAlias = "Value | list[Value] | None"
"""What stands for a node: a value, those of a tuple, or nothing for a call without a result."""

_CODES = {each.name: each.code for each in SCALAR_TYPES} | LAYOUTS | MEMORY_FORMATS


class TranslationError(GraphError):
    """A program in which something is that tsc cannot run, and what to do about it where that is known."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.message = message
        self.hint = hint


def unknown_call(node: Node) -> TranslationError:
    """A call of what tsc has not: which node, where that stands in the program, and what to do."""
    target = node.target
    hint = "export the program without it; run_decompositions() in PyTorch leaves simpler operators"
    if isinstance(target, Target) and target.is_operator and target.namespace != "aten":
        hint = f"tsc.register_operator gives {target.qualified_name} a kernel"
    place = place_of(node)
    where = f"\n{place}" if place else ""
    return TranslationError(f"{node.name} calls {target}, which tsc has not{where}", hint=hint)


@dataclass(slots=True)
class Allowance:
    """How many more nodes may be translated: a loop has its condition twice, and so on in those inside of it."""

    nodes: int

    def spend(self) -> None:
        """Count a node. Raises `TranslationError` for one too many."""
        self.nodes -= 1
        if self.nodes < 0:
            raise TranslationError("loops are nested in the conditions of loops too deep")


@dataclass(slots=True)
class Scope:
    """One exported graph in translation; those in it have scopes of their own, and the same graph."""

    graph: Graph
    operators: OperatorTable
    module: GraphModule
    allowance: Allowance
    values: MutableMapping[Node, Translated] = field(default_factory=dict[Node, Translated])
    autocast: str | None = None
    """The dtype in which a region of automatic casts runs most operators."""

    def insert(self, kind: str, *args: object) -> Value:
        """A call of an operator, bound to one of its schemas as calls in programs are."""
        return self.graph.insert(kind, args)

    def value(self, argument: Argument) -> Value:
        """The value of a node or a constant."""
        if isinstance(argument, Node):
            found = self.values.get(argument)
            if not isinstance(found, Value):
                raise TranslationError(
                    f"{argument.name} is none or several values, and one is wanted"
                )
            return found
        if isinstance(argument, tuple | list | dict):
            raise TranslationError("a list stands where a value is wanted")
        return self.graph.insert_constant(plain_constant(argument))

    def operands(self, argument: Argument) -> list[Value]:
        """The values of a list."""
        if isinstance(argument, Node) and isinstance(found := self.values.get(argument), list):
            return found
        if not isinstance(argument, list | tuple):
            raise TranslationError("operands are to be a list")
        return [self.value(each) for each in argument]

    def subgraph(self, argument: Argument) -> GraphModule:
        """The graph that a node reads."""
        if not isinstance(argument, Node) or argument.target not in self.module.modules:
            raise TranslationError("a graph is wanted")
        return self.module.modules[cast("str", argument.target)]


def plain_constant(argument: Any) -> object:
    """A constant as graphs of TorchScript hold it: dtypes, layouts and memory formats are ints."""
    if isinstance(argument, TorchConstant):
        if argument.name not in _CODES:
            raise TranslationError(f"{argument} is not known")
        return _CODES[argument.name]
    if argument is None or isinstance(argument, bool | int | float | complex | str | Device):
        return argument
    raise TranslationError(f"{argument!r} is no constant")


def arguments_of(node: Node, count: int) -> tuple[Argument, ...]:
    """The positional arguments of a node, of which there have to be so many at least."""
    if len(node.args) < count:
        raise TranslationError(
            f"{node.name} has {len(node.args)} arguments, and {count} are wanted"
        )
    return node.args
