"""Variables before SSA: Load and Store nodes."""

from __future__ import annotations

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.types import Type


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
