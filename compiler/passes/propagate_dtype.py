"""Dtypes of tensors follow from the dtypes and ranks of the graph's inputs; what else types say stays."""

from __future__ import annotations

from dataclasses import replace

from tsc.compiler.ir import Graph
from tsc.compiler.passes.known_values import Infer
from tsc.compiler.passes.shape_propagation import propagate
from tsc.compiler.types import TensorType


def propagate_dtype(graph: Graph, *, infer: Infer) -> bool:
    """Returns whether a type changed."""
    return propagate(graph, infer, _take_dtype)


def _take_dtype(type: TensorType, known: TensorType) -> TensorType:
    return type if known.dtype is None else replace(type, dtype=known.dtype)
