"""Sizes of tensors follow from those of the graph's inputs; what else types say stays."""

from __future__ import annotations

from dataclasses import replace

from tsc.compiler.ir import Graph
from tsc.compiler.passes.known_values import Infer
from tsc.compiler.passes.shape_propagation import propagate
from tsc.compiler.types import TensorType


def propagate_shapes_on_graph(graph: Graph, *, infer: Infer) -> bool:
    """Returns whether a type changed."""
    return propagate(graph, infer, _take_sizes)


def _take_sizes(type: TensorType, known: TensorType) -> TensorType:
    if known.sizes is None or known.sizes == type.sizes:
        return type
    return replace(type, sizes=known.sizes, strides=None)
