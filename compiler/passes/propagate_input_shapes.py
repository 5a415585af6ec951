"""Dtypes, sizes, strides and devices of tensors follow from those of the graph's inputs.

What the types of inner values said before is forgotten: only what the inputs' types, constants and operators tell
is kept. Where a size or dtype may be one or another, as behind an If, the type leaves it open.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph
from tsc.compiler.passes.known_values import Infer
from tsc.compiler.passes.shape_propagation import propagate, take_all


def propagate_input_shapes(graph: Graph, *, infer: Infer) -> bool:
    """Returns whether a type changed."""
    return propagate(graph, infer, take_all)
