"""What calls ask of whoever inserts them: emission, or somebody who builds a graph by hand."""

from __future__ import annotations

from typing import Protocol

from tsc.compiler.ir import Function, Graph
from tsc.compiler.schema import OperatorTable


class Inserter(Protocol):
    """Has a graph, at whose insertion point nodes are inserted."""

    graph: Graph
    operators: OperatorTable
    """All operators that can be called."""
    function: Function
    """The function that gets the graph."""
