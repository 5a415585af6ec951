"""Activations that write into their input make a new tensor instead, where nobody can tell."""

from __future__ import annotations

from tsc.compiler.ir import Graph
from tsc.compiler.passes.functional_to_inplace_activation import ACTIVATIONS
from tsc.compiler.passes.remove_mutation import remove_tensor_mutation
from tsc.compiler.schema import OperatorTable


def inplace_to_functional_activation(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether an activation was replaced."""
    return remove_tensor_mutation(graph, operators, lambda node: node.kind[:-1] in ACTIVATIONS)
