"""The places where a region is left, and a graph by numbers: so that places in it can be written down."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tsc.compiler.ir import Block, Graph, Node, Value, constant_value, prim
from tsc.runtime.native.regions.attribute_names import ATTRIBUTES

ENTRY: Final = "region"
"""The name of a region's function."""
FREE_STEPS: Final = 1 << 18
"""Turns between two looks at signals."""
LOOKS_OF_THREAD: Final = 4
"""Looks at signals, before other threads get their turn: if they want it, that takes some milliseconds."""
_WRITTEN: Final = (bool, int, float, complex, str, tuple)
"""Constants that may be in code, by all that they are."""


@dataclass(frozen=True, slots=True)
class Exit:
    """A place where a region is left: the nodes that are run there by the interpreter, and what they read."""

    nodes: Sequence[Node]
    operands: Sequence[Value]


class NumberedGraph:
    """A graph as a text in which nothing has a name, and its nodes and values in the order of that text.

    What native code depends on is in the text: graphs with the same one have the same code.
    """

    __slots__ = ("_lines", "_numbers", "graph", "nodes", "text", "values")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: list[Node] = []
        self.values: list[Value] = []
        self._numbers: dict[Value, int] = {}
        self._lines: list[str] = []
        self._block(graph.block)
        self.text = "\n".join(self._lines)

    def _block(self, block: Block) -> None:
        self._lines.append(f"({self._introduced(block.inputs)})")
        for node in block.nodes():
            self._node(node)
        self._lines.append(f"-> {self._read(block.outputs)}")

    def _node(self, node: Node) -> None:
        self.nodes.append(node)
        schema = node.operator.text if node.operator is not None else ""
        made = self._introduced(node.outputs)
        self._lines.append(
            f"{made} = {node.kind} {schema} {self._content(node)}{self._read(node.inputs)}"
        )
        for block in node.blocks:
            self._block(block)

    def _introduced(self, values: Sequence[Value]) -> str:
        for value in values:
            self._numbers[value] = len(self.values)
            self.values.append(value)
        return ", ".join(f"{value.type}" for value in values)

    def _read(self, values: Sequence[Value]) -> str:
        return f"({', '.join(str(self._numbers[value]) for value in values)})"

    def _content(self, node: Node) -> str:
        """A constant that code holds, or the name of an attribute."""
        if node.kind in ATTRIBUTES:
            return node.string_attribute("name")
        if node.kind != prim.Constant:
            return ""
        content = constant_value(node.output)
        return repr(content) if isinstance(content, _WRITTEN) else type(content).__name__

    # -- Exits -------------------------------------------------------------------------------------

    def written(self, exits: Sequence[Exit]) -> str:
        """Exits by numbers."""
        places = {id(node): place for place, node in enumerate(self.nodes)}
        return json.dumps(
            [
                [
                    [places[id(node)] for node in each.nodes],
                    [self._numbers[v] for v in each.operands],
                ]
                for each in exits
            ]
        )

    def read(self, text: str) -> list[Exit]:
        return [
            Exit(
                [self.nodes[k] for k in nodes],
                [self.values[k] for k in operands],
            )
            for nodes, operands in json.loads(text)
        ]
