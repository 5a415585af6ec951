"""The names of the attributes that a region reads and writes, which code finds them by in their objects."""

from __future__ import annotations

import functools
import sys
from typing import Final

from tsc.compiler.ir import Graph, Node, prim

ATTRIBUTES: Final = frozenset({prim.GetAttr, prim.SetAttr})


def symbol_of_attribute(node: Node) -> str:
    """What code calls the name of an attribute."""
    return f"attribute_{node.string_attribute('name')}"


def attribute_symbols(graph: Graph) -> dict[str, str]:
    """The names, by symbol."""
    nodes = [node for node in graph.all_nodes() if node.kind in ATTRIBUTES]
    return {symbol_of_attribute(each): _kept(each.string_attribute("name")) for each in nodes}


@functools.cache
def _kept(name: str) -> str:
    """The name as objects have it, for as long as the process lives."""
    return sys.intern(name)
