"""Integers that tell a group what its tensors are like, as shapes, places and dimensions do: code is made for these."""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node
from tsc.compiler.types import INT
from tsc.runtime.native.expressions.pointwise_nodes import expression_of, new_tensor_form


def shaping_inputs(graph: Graph) -> tuple[int, ...]:
    """The numbers of the arguments that are integers of which more depends than elements."""
    return tuple(
        number
        for number, value in enumerate(graph.inputs)
        if value.type == INT and not all(_computes_elements(use.node) for use in value.uses)
    )


def _computes_elements(node: Node) -> bool:
    form = new_tensor_form(node)
    return expression_of(node) is not None or (form is not None and form.computes_elements)
