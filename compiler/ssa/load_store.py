"""Variables before SSA: Load and Store nodes, and the scopes that say what a name stands for."""

from __future__ import annotations

from typing import Generic, TypeVar

from compiler.ir.graph import Graph
from compiler.ir.node import Node
from compiler.ir.symbols import prim
from compiler.ir.value import Value
from compiler.types import Type

T = TypeVar("T")


class Scope(Generic[T]):
    """What the variables assigned in one block stand for; other names are looked up outside."""

    __slots__ = ("_outer", "_variables")

    def __init__(self, outer: Scope[T] | None = None) -> None:
        self._outer = outer
        self._variables: dict[str, T] = {}

    def set(self, name: str, meaning: T) -> None:
        self._variables[name] = meaning

    def find_here(self, name: str) -> T | None:
        return self._variables.get(name)

    def find(self, name: str) -> T | None:
        """What ``name`` stands for in this scope or the nearest one around it."""
        scope: Scope[T] | None = self
        while scope is not None:
            meaning = scope._variables.get(name)
            if meaning is not None:
                return meaning
            scope = scope._outer
        return None

    def names(self) -> list[str]:
        """The variables assigned here, sorted."""
        return sorted(self._variables)


def create_load(graph: Graph, name: str, type: Type) -> Node:
    """An unattached node that reads the variable ``name``."""
    node = graph.create(prim.Load).set_attribute("name", name)
    node.output.set_type(type)
    return node


def create_store(graph: Graph, name: str, value: Value) -> Node:
    """An unattached node that assigns ``value`` to the variable ``name``."""
    return graph.create(prim.Store, [value], outputs=0).set_attribute("name", name)


def variable_name(node: Node) -> str:
    """The variable that a Load reads or a Store writes."""
    return node.string_attribute("name")


def is_meaningful(name: str) -> bool:
    """Whether a person chose the name: not ``$temporary``, not ``_12``."""
    if not name or name.startswith("$"):
        return False
    return not name.startswith("_") or not (name[1:] == "" or name[1:].isdigit())
