"""Small loops whose number of turns is a small constant give way to their turns."""

from __future__ import annotations

from tsc.compiler.ir import Graph
from tsc.compiler.passes.unroll_loops import unroll_loops
from tsc.compiler.schema import OperatorTable


def unroll_constant_loops(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether a loop was unrolled; if so, dead code is gone too. Other loops stay."""
    return unroll_loops(graph, operators=operators, constant_only=True)
